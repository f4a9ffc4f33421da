// Posting of the global constraints of model/globals.hpp: each becomes Gecode's own propagator.

#pragma once

#include <functional>
#include <gecode/int.hh>

#include "model/constraint.hpp"

namespace zermelo::kernel::gecode {

// `variable` gives the Gecode variable of an operand, `constant` the value of one that has only one.
void post_global(Gecode::Home home, const model::Global& global,
                 const std::function<Gecode::IntVar(model::VarId)>& variable,
                 const std::function<model::Value(model::VarId)>& constant);

}  // namespace zermelo::kernel::gecode
