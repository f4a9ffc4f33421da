// Ranking: a proof that every play ends, and how soon.
//
// A rank is a sum of weights of things that hold in a state: a fluent, its negation, or that none of several
// fluents alike holds (an empty cell). If no weight is negative and every legal move makes the sum smaller, a
// play has at most as many moves as the sum at its start. Which things a move certainly ends, and which it
// may begin, is read off the circuit of its effects, given that the move is legal and the state not terminal;
// where a move is legal for one of several reasons, each is looked at. Then the weight of what a move ends is
// raised above the weights of all that it may begin, until this is so for all moves, or they grow without
// end.

#pragma once

#include <optional>

#include "gdl/analysis/forward_analysis.hpp"

namespace zermelo::gdl {

// The most moves that a play from `start` can have, where that can be proven. No proof does not mean endless
// plays.
[[nodiscard]] std::optional<std::size_t> longest_play(const Machine& machine, const State& start,
                                                      const Limits& limits = {});

}  // namespace zermelo::gdl
