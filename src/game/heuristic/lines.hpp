// Line counting: weights for the fluents of any GDL game, computed from its rules.
//
// The classical evaluation of Connect-Four gives a cell the number of lines of four that go through it.
// Lines are how the rules say "won": the best goal of a player is a disjunction of conjunctions of fluents,
// and the weight of a fluent is the number of these conjunctions that contain it. The score is the weight of
// the player's own fluents that hold, less that of the others'.
//
// The conjunctions are counted on the network without writing them down: bottom-up, a conjunction has the
// product of its inputs' ways to hold, a disjunction the sum; top-down, each node gets the number of ways of
// the goal in which it takes part. Two things are not lines, and count as one way without weight: what asks
// only that fluents do not hold (that the other has no line, that nothing is empty), and what depends on
// itself (connections).

#pragma once

#include "game/heuristic/heuristic.hpp"

namespace zermelo::game {

// In how many ways of reaching the role's best goal each fluent takes part.
[[nodiscard]] std::vector<double> ways_to_win(const gdl::Network& network, std::size_t role);

// Players are the roles other than `random`, in their order.
[[nodiscard]] Linear lines_heuristic(const gdl::Machine& machine);

}  // namespace zermelo::game
