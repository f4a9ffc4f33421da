// Is a game of two roles one of opposite interests: do their goals add up to the same in every terminal state that play
// can reach?
//
// The proof is by induction over one move (as in Haufe, Schiffel and Thielscher 2012), on the network: no state that
// respects the invariants, is not terminal, and from which a legal joint move is made, leads to a terminal state with goals
// of another sum. The invariants are mutex groups that random plays suggest, of which those are kept that the same
// induction proves. Each step is a question of satisfiability (clauses.hpp). Gates of recursive rules may have any value.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

// True if it is proven that the goals of both roles add up to `sum` in every terminal state. False means that this is not
// known. The initial state must not be terminal. Throws LimitReached where the LimitScope of the thread says so.
[[nodiscard]] bool goals_surely_add_up(const Machine& machine, int sum);

}  // namespace zermelo::gdl
