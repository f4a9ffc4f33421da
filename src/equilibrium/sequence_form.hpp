// Sequence form (Koller, Megiddo and von Stengel 1996; von Stengel 1996): a game with hidden moves as a linear
// program that is as large as its tree.
//
// A sequence is what a role does on a way through the tree: one move at each of its information sets. A strategy
// gives every sequence its realisation weight, the product of its probabilities. The first player's weights x
// maximise what the second leaves it; the duals of the program are the second player's weights. The program is
// solved by the simplex method, its basis then in rational numbers (linear/linear_program.hpp). Where those would
// be too long, the probabilities are rounded. In both cases what the two strategies guarantee is computed
// exactly.
//
// Cost: a walk through the whole tree; a program with a row and a column for each sequence and information set.

#pragma once

#include "equilibrium/linear/linear_system.hpp"
#include "equilibrium/solution.hpp"

namespace zermelo::equilibrium {

// Throws LimitReached; Error where a play can go on for ever, where the interests are not opposite, or where a
// role does not know its legal moves.
// Where fractions would have more than `most_bits`, probabilities are rounded.
[[nodiscard]] Solution solve_by_sequence_form(const gdl::Game& game, const SolveOptions& options = {},
                                              std::size_t most_bits = longest_fraction);

}  // namespace zermelo::equilibrium
