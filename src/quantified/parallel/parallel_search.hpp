// A crew at work: every member on a thread of its own.

#pragma once

#include "quantified/search.hpp"

namespace zermelo::quantified {

// The answer is that of the first to finish. `parts` are those of the members, the same but for what each has
// learned; none: the whole problem.
[[nodiscard]] Answer solve_together(const kernel::Program& program, const SolveOptions& options,
                                    SharedSearchState& crew, const std::vector<Part>& parts = {});

}  // namespace zermelo::quantified
