// Gate extraction: which variables of a formula in conjunctive form are functions of others (Roy, Markov and Bertacco 2004;
// Goultiaeva and Bacchus 2013)?
//
// Whoever writes a circuit as QDIMACS makes a variable for each gate and quantifies it innermost ∃ (Tseitin 1968). A variable
// of the last block, if that is of ∃, whose clauses say g ↔ (l₁ ∨ … ∨ lₖ) or g ↔ (a ⊕ b) is taken out of the prefix, and
// these clauses become its definition. That is the same formula; but nobody has to choose the variable, the checker computes
// it, and strategies do not mention it. Definitions never read each other in a circle: where they would, one is left out.
//
// Where only one direction of a definition is there (Plaisted and Greenbaum 1986), as g → l₁ ∧ … ∧ lₖ with every other
// occurrence of g positive, the other direction is added: whoever satisfies the clauses does so, too, with g as great as it
// can be. The formula then has the same answer, and the same winning moves of the other variables.

#pragma once

#include "model/model.hpp"

namespace zermelo::model {

// All constraints of the model are clauses without repeated variables, and all variables are Boolean.
void define_gates(Model& model);

}  // namespace zermelo::model
