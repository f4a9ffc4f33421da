// Ways to search: many combinations of techniques, none of which may change a verdict.

#pragma once

#include "quantified/solve.hpp"
#include "support/seeds.hpp"

namespace zermelo {

inline quantified::SolveOptions options_number(std::uint64_t k) {
    quantified::SolveOptions options;
    options.kernel = k % 5 < 2 ? quantified::KernelChoice::gecode : quantified::KernelChoice::trail;
    options.goods = k % 2 == 0;
    options.success = k % 3 == 0 ? quantified::Success::assigned : quantified::Success::entailed;
    options.values = static_cast<quantified::ValueOrder>(k % 6);
    options.variables = static_cast<quantified::VariableOrder>(k / 2 % 3);
    options.recompute = 1 + static_cast<int>(k % 4);
    if (k % 7 < 4) options.pure_values = k % 7 < 2;
    options.cutoffs = k % 7 != 3;
    options.half_reified = k % 4 != 1;
    options.symmetry = k % 5 == 1;
    options.threads = k % 13 == 3 ? 3 : 1;
    if (k % 3 == 1) options.strategy_nodes = 4;    // throws nodes away all the time
    if (sanitized) options.goods_bytes = 1 << 20;  // a sanitizer marks all memory that the table may need
    if (k % 11 == 0) options.goods_bytes = 1;      // a table that overflows at once
    options.seed = k;
    return options;
}

}  // namespace zermelo
