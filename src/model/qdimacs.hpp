// QDIMACS reader: quantified Boolean formulas in prenex conjunctive form, the exchange format of QBF solvers.
//
// Blocks come as the file says, adjacent ones of the same quantifier joined; variables that the matrix uses
// but no block names are outermost ∃. The header's number of clauses is not enforced: other solvers do not
// either, and well-known files are wrong about it. Its number of variables is a bound that literals must
// keep. Variables of the last block that the clauses define as gates are not chosen (qbf/gates.hpp).

#pragma once

#include <istream>
#include <string>

#include "model/model.hpp"

namespace zermelo::model {

[[nodiscard]] Model read_qdimacs(std::istream& input, const std::string& filename);

}  // namespace zermelo::model
