// Quantified search with partners (core/distributed_search.hpp): a model is divided by its first moves.
//
// Every ally solves parts of the prefix's tree, each the whole problem behind a line of moves, and keeps its
// table for the next part. In the end the first of them has the strategies of all parts that were solved, and
// searches once more, through the positions that were split and no further: so the strategy of the whole is
// made by the same code as ever, and is checked like any other.

#pragma once

#include "quantified/search.hpp"

namespace zermelo::quantified {

// With options.partners, who all call it at the same time. Only the first gets strategy and first moves.
[[nodiscard]] Answer solve_divided(const kernel::Program& program, const SolveOptions& options,
                                   SharedSearchState& crew);

}  // namespace zermelo::quantified
