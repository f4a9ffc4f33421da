// Reification of finished constraints: a literal that is true exactly where a constraint holds.
//
// The literal is a gate (see gates.hpp): a total function of the variables of the constraint, false where an
// operation in it has no value. So it can stand in a rule, below a negation, or in a winning condition that
// is evaluated only if the play gets there.

#pragma once

#include "model/flatten/gates.hpp"

namespace zermelo::model::flat {

[[nodiscard]] Literal holds(Gates& gates, const Constraint& constraint);
[[nodiscard]] Literal holds(Gates& gates, const Global& global);

// The value that a partial constraint defines, made total; `defined` gets the literals that tell whether
// there is one. For Element and Arithmetic only.
[[nodiscard]] Form total_value(Gates& gates, const Element& constraint, Literals& defined);
[[nodiscard]] Form total_value(Gates& gates, const Arithmetic& constraint, Literals& defined);

}  // namespace zermelo::model::flat
