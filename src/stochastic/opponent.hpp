// An opponent who draws its moves: the ∀ of a quantified model replaced by a distribution.
//
// chance(level, y, D, weights) stands where every(level, y, D) stood, and rules and the winning condition mean what
// they meant: whoever cannot move has lost. The opponent draws among its legal values, with probabilities in proportion
// to their weights. What was a game becomes a stochastic CSP (Walsh 2002) whose satisfaction is the probability that we
// win: r1 ∧ (¬r2 ∨ (r3 ∧ … win)), with the rules of our blocks and of the opponent's.
//
// A drawn variable with a rule gets a table of conditional probabilities over the moves that the rule depends on, so
// the cost is the number of their combinations.

#pragma once

#include "stochastic/model.hpp"

namespace zermelo::stochastic {

// Replaces the rules of the prefix by what they mean. Throws Error where a rule depends on later moves, or on so many
// that the table would be too large.
void replace_rules(StochasticModel& model);

}  // namespace zermelo::stochastic
