// QDIMACS: quantified Boolean formulas in conjunctive form, the format of the QBF solvers.
//
// Blocks come as the file says, adjacent ones of the same quantifier joined; variables that the matrix uses
// but no block names are outermost ∃. The header's number of clauses is not enforced: solvers do not, and
// well-known files are wrong about it. Its number of variables is a promise that literals keep.

#pragma once

#include <istream>
#include <string>

#include "model/model.hpp"

namespace zermelo::model {

[[nodiscard]] Model read_qdimacs(std::istream& input, const std::string& filename);

}  // namespace zermelo::model
