// Plain constraints of a model with rules: each belongs to whoever completes it.
//
// A constraint that stands neither in a rule nor in the winning condition binds the player who makes the last
// move that it mentions, directly or through auxiliary variables: to violate it is illegal. So its literal
// becomes part of the rule of that block. What mentions no move, or a variable that nothing defines, goes
// into the winning condition.
//
// The parts of a conjunction are constraints of their own. So are the demands that a variable has a value in
// its domain, that an index lies in its array, and that a divisor is not zero.

#pragma once

#include "model/model.hpp"

namespace zermelo::model {

// Needs a model in which no constraint has narrowed a move, or made two moves one.
void bind_plain_constraints(Model& model);

}  // namespace zermelo::model
