// Distributed quantified search: a model is divided by its first moves among several processes
// (core/distributed_search.hpp).
//
// Every process solves parts of the prefix's tree, each the whole problem behind a line of moves, and keeps
// its table for the next part. In the end the first process has the strategies of all parts that were solved,
// and searches once more, through the positions that were split and no further: so the strategy of the whole
// is built by the same code as in a search on one machine, and is checked like any other.

#pragma once

#include "quantified/search.hpp"

namespace zermelo::quantified {

// With options.partners, who all call it at the same time. Only the first gets strategy and first moves.
template <kernel::Kernel K>
[[nodiscard]] Answer solve_distributed(const kernel::Program& program, const SolveOptions& options,
                                       SharedSearchState& shared);

}  // namespace zermelo::quantified
