// Backward induction for games in which everything is seen and players move at the same time (Kuhn 1953;
// Shapley 1953 for one state): the value of a state is the value of a matrix game whose entries are the values of
// the states that may follow, averaged over chance.
//
// Every reachable state is solved once and kept in a table. Values are rational numbers; where they become too
// long they are rounded, and the bounds of the result are then computed by best responses.
//
// Cost: a matrix game for each state; memory for each state. Needs a game in which no state comes back.

#pragma once

#include "equilibrium/linear/linear_system.hpp"
#include "equilibrium/solution.hpp"

namespace zermelo::equilibrium {

// Throws LimitReached; Error where a state can come back or where the interests are not opposite.
// Fractions with more than `most_bits` are rounded.
[[nodiscard]] Solution solve_by_backward_induction(const gdl::Game& game, const SolveOptions& options = {},
                                                   std::size_t most_bits = longest_fraction);

}  // namespace zermelo::equilibrium
