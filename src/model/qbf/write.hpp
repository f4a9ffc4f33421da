// Quantified circuits as text: QCIR-14 in its cleansed form (Jordan, Klieber and Seidl 2016), and QDIMACS.
//
// QDIMACS is made by Tseitin's (1968) translation: a variable for each gate that is not a clause of the matrix itself,
// innermost ∃, with clauses for both directions of its definition. So readers can tell which variables are gates.

#pragma once

#include <ostream>

#include "model/qbf/circuit.hpp"

namespace zermelo::model {

// `about` becomes comment lines below the header of QCIR, and above that of QDIMACS.
void write_qcir(std::ostream& out, const QuantifiedCircuit& circuit, const std::string& about = "");
void write_qdimacs(std::ostream& out, const QuantifiedCircuit& circuit, const std::string& about = "");

}  // namespace zermelo::model
