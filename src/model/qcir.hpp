// QCIR reader: quantified Boolean circuits in prenex form, QCIR-14 (Jordan, Klieber and Seidl 2016).
//
//     #QCIR-14
//     exists(v1)
//     forall(v2)
//     output(g2)
//     g1 = xor(v1, v2)
//     g2 = or(-g1, v1)
//
// Gates are `and`, `or` (of any number of literals), `xor` and `ite`; each is defined before it is used, and becomes a
// variable that a total definition gives its value. Variables in `free` are outermost ∃. Quantifiers inside the circuit are
// refused.

#pragma once

#include <istream>
#include <string>

#include "model/model.hpp"

namespace zermelo::model {

[[nodiscard]] Model read_qcir(std::istream& input, const std::string& filename);

}  // namespace zermelo::model
