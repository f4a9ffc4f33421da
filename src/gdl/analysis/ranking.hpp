// Ranking function (Floyd 1967): a proof that every play ends, with a bound on its length.
//
// The rank of a state is a weighted sum of conditions that hold in it: a fluent, its negation, or that none
// of several similar fluents holds (an empty cell). If no weight is negative and every legal move decreases
// the sum, a play has at most as many moves as the rank of its first state. Which conditions a move
// certainly ends, and which it may begin, is read off the circuit of its effects, given that the move is
// legal and the state not terminal; where a move is legal for one of several reasons, each case is
// considered. Then the weight of what a move ends is raised above the weights of all that it may begin,
// until this is so for all moves, or the weights grow without end.

#pragma once

#include <optional>

#include "gdl/analysis/forward_analysis.hpp"

namespace zermelo::gdl {

// An upper bound on the number of moves of a play from `start`, where one can be proven. Without a proof,
// plays may or may not end.
[[nodiscard]] std::optional<std::size_t> longest_play(const Machine& machine, const State& start,
                                                      const Limits& limits = {});

}  // namespace zermelo::gdl
