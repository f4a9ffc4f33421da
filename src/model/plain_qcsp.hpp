// Theorem 1 of Barichard and Stéphan (2017): a QCSP+ as a plain QCSP with cuts, which has the same search tree.
//
// The nested formula R∃(1) ∧ (R∀(1) → (R∃(2) ∧ …)) becomes constraints by a literal for each implication
// (Tseitin 1968): o ↔ (R∀(i) → what follows). These are total definitions, and only the outermost conjuncts
// are demanded. A solver without rules would explore what follows an illegal move of ∀; for each rule of ∀ a
// cut ends the play there: when all rules before it were obeyed and it is not, the rest is won. The theorem's
// cut names the rules of ∀ and the last one of ∃. Here the earlier ones of ∃ stand in it too, so that it is
// right wherever it fires; where they are broken the play has failed anyway.
//
// The new variables come behind those of the model, so a strategy for the one is a strategy for the other.
// Linear in the size of the prefix, but the conditions of the cuts are quadratic in the number of rules.

#pragma once

#include "model/model.hpp"

namespace zermelo::model {

// Throws Error for strategic models, whose moves have no rules, and for models with an objective.
[[nodiscard]] Model plain_qcsp(const Model& model);

}  // namespace zermelo::model
