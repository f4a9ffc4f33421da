// Models as quantified Boolean formulas: a QCSP+ over finite domains becomes a quantified circuit that is true if and only if
// ∃ wins.
//
// The rules are folded into the matrix from the last block outwards (Barichard and Stéphan 2017, theorem 1): rule ∧ rest for a
// block of ∃, rule → rest for one of ∀. So an illegal move of ∀ makes the formula true and one of ∃ makes it false, which is
// what Ansótegui, Gomes and Selman (2005) found to be delicate where it is said clause by clause.
//
// A Boolean variable stays one. A variable of ∃ with more values has a Boolean for each of them, of which exactly one holds. A
// variable of ∀ has the bits of a truncated binary code: n values have codes of ⌊log₂ n⌋ or ⌈log₂ n⌉ bits such that every
// assignment of the bits is a value, and nothing has to be said about codes that mean nothing. Other variables are functions of
// these, one Boolean function for each value.
//
// Linear constraints become decision diagrams over partial sums (Abío et al. 2012), so their size is bounded by the number of
// terms times that of distinct sums. Cuts and the objective are left out: the question is whether ∃ can win.

#pragma once

#include "core/limits.hpp"
#include "model/qbf/circuit.hpp"

namespace zermelo::model {

struct BooleaniseOptions {
    Limits limits = {};
    int most_gates = 20'000'000;
};

// Throws Error for strategic models and for constraints that have no Boolean form here, LimitReached.
[[nodiscard]] QuantifiedCircuit booleanise(const Model& model, const BooleaniseOptions& options = {});

}  // namespace zermelo::model
