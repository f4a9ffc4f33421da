// Quantified Boolean formulas by learning (qcdcl.hpp), with the winner's strategy as for every other engine.
//
// After the verdict the positions of the winner are visited in the order of the prefix, under all moves of the loser. At each
// block of the winner its moves come from the last clause that is derived with the play so far as assumptions. A clause that
// showed this before serves again wherever its literals are false, which makes a list of conditions and moves for each block,
// as Balabanov and Jiang (2012) read them off a proof. What is left of the formula identifies positions (as the checker's cache
// does), so that plays which lead to the same are continued once.
//
// A strategy can be much larger than the proof that there is one. Where it has more than `strategy_nodes` nodes or a limit is
// reached, the verdict comes without it, and Answer::uncertified says so.

#pragma once

#include "quantified/solve.hpp"

namespace zermelo::quantified {

// Throws Error unless the model is a quantified Boolean formula: all moves Boolean, no rules, no objective.
[[nodiscard]] Answer solve_by_learning(const model::Model& model, const SolveOptions& options = {});

// Clauses over Booleans in which hardly a gate was found (model/qbf/gates.hpp): propagation has little to go by then, and
// positions seldom come again, but clauses and cubes can be learned.
[[nodiscard]] bool calls_for_learning(const model::Model& model);

}  // namespace zermelo::quantified
