// Safe indices: recovers the functional definition of an array index that MiniZinc has made safe.
//
// For a[x] inside a condition MiniZinc introduces an index i that is always in bounds and says, in clauses,
// “where x is in bounds, i = x; elsewhere i is the first index”. Nothing tells that i is a function of x, so
// i would be a move of its own, and no rule could mention a[x]. Here the two clauses become the definition i
// = (x in bounds ? x clamped to the bounds : the first index), which is equivalent and always has a value.

#pragma once

#include <vector>

#include "model/model.hpp"

namespace zermelo::model {

// `candidate` says by variable whether MiniZinc made it and nothing is said to define it.
void define_safe_indices(Model& model, const std::vector<bool>& candidate);

}  // namespace zermelo::model
