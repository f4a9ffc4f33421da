// Parallel search on shared memory (ABDADA, Weill 1996): every thread runs the search of search.hpp on one
// SharedSearchState.

#pragma once

#include "quantified/search.hpp"

namespace zermelo::quantified {

// The answer is that of the first thread to finish. `parts` has one part a thread, all the same but for their
// orderings; none: the whole problem.
template <kernel::Kernel K>
[[nodiscard]] Answer solve_in_parallel(const kernel::Program& program, const SolveOptions& options,
                                       SharedSearchState& shared, const std::vector<Part<K>>& parts);

}  // namespace zermelo::quantified
