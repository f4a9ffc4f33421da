// Functional dependencies of a model: which variables are defined by which constraints, and in which order.
//
// Every variable is a constant, a variable of the prefix, or auxiliary. An auxiliary variable is *defined*
// when a constraint makes it a function of variables known before it, and *free* otherwise; free variables
// form an additional innermost ∃ block, so that after `analyse` the prefix and the definitions cover
// everything. A definition is *total* when it has a value in its variable's domain whatever its inputs are.
// Total definitions can never be violated; every other constraint belongs to the winning condition.
//
// Rules must be total functions of the moves made so far; otherwise a branch could not be closed in the right
// player's favour. `analyse` refuses a model that breaks this, and says which constraint or variable does.
//
// In a strategic model free variables are state variables, every definition must be total, and the level of a
// constraint says when it acts.

#pragma once

#include "model/model.hpp"

namespace zermelo::model {

struct Structure {
    std::vector<Block> prefix;     // the model's blocks, then the free variables as an ∃ block, if any
    std::vector<int> block_of;     // by variable: index into prefix, or -1
    std::vector<int> definition;   // by variable: index of its total or partial definition, or -1
    std::vector<int> definitions;  // indices of the defining constraints, inputs before outputs
    std::vector<bool> total;       // by constraint: it is a total definition
    std::vector<int> winning;      // indices of the constraints that are not total definitions
    std::vector<VarId> output;     // by constraint: the variable it defines, or -1
    std::vector<Domain> domain;    // by variable: the declared domain, tightened where totally defined
    std::vector<int> level;        // by variable: the last block it depends on, -1 for none
    std::vector<int> due;          // by constraint: the last block that it depends on, -1 for none
    std::vector<VarId> state;      // of a strategic model: the declared state variables, then the free ones
    bool universal_rules = false;
};

[[nodiscard]] Structure analyse(const Model& model);

// The same without a look at what the rules and the winning condition may depend on.
[[nodiscard]] Structure dependencies(const Model& model);

}  // namespace zermelo::model
