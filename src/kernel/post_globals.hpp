// Posting the global constraints of model/globals.hpp to Gecode, which filters each with an algorithm of its
// own.

#pragma once

#include <functional>
#include <gecode/int.hh>

#include "model/constraint.hpp"

namespace zermelo {

// `variable` gives the Gecode variable of an operand, `constant` the value of one that has only one.
void post_global(Gecode::Home home, const Global& global,
                 const std::function<Gecode::IntVar(VarId)>& variable,
                 const std::function<Value(VarId)>& constant);

}  // namespace zermelo
