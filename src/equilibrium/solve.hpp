// Solving games for two with opposite interests and simultaneous or hidden moves, exactly.
//
// Where everything is seen, backward induction over states (backward_induction.hpp); where moves are hidden, the
// sequence form of the whole tree (sequence_form.hpp).

#pragma once

#include "equilibrium/solution.hpp"

namespace zermelo::equilibrium {

// For two players who, as far as some random plays show, move at the same time or see different things: other
// engines take turns and know what everybody knows.
[[nodiscard]] bool calls_for_equilibrium(const gdl::Game& game);

// A limit that is reached is an answer: not solved, with its reason. Throws Error where the game has not two
// players with opposite interests, or where a play can go on for ever.
[[nodiscard]] Solution solve(const gdl::Game& game, const SolveOptions& options = {});

}  // namespace zermelo::equilibrium
