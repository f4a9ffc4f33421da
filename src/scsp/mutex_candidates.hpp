// Candidates for mutex groups: fluents that are the same term but for some of its arguments.
//
// Each relation and each choice of its argument places gives a family of groups: the fluents that agree in
// all other places. (cell 3 4 ?) is what stands on a square, (cell 3 4 ? ?) the same where a piece has an
// owner and a kind, (cell ? ? white king) where the king stands. A group is a candidate if at most one of its
// fluents holds in the initial state and in every state of some random plays: plays only reject. What is left
// is a guess until mutex_groups.hpp has proven it.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::scsp {

// Groups of two or more fluents, ascending in themselves, largest first; they may overlap, and one may contain
// another.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> mutex_candidates(const gdl::Machine& machine,
                                                                       const Limits& limits = {});

}  // namespace zermelo::scsp
