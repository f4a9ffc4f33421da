// Three-valued evaluation of a constraint over intervals (Kleene 1938, Moore 1966).
//
// The checker's own reading of constraint.hpp; it shares nothing with the propagators that found a strategy.
// With all variables fixed the answer is exact; with intervals it is `yes` or `no` only when all values of
// the intervals agree. Sums and products are computed with 128 bits and cannot overflow.

#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.hpp"
#include "model/constraint.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::strategy {

enum class Truth : std::uint8_t { no, yes, unknown };

using Intervals = std::vector<model::Interval>;  // by variable

[[nodiscard]] Truth truth(model::Literal literal, const Intervals& known);
[[nodiscard]] Truth truth(const model::Constraint& constraint,
                          const Intervals& known);  // `reified ↔ body` as a whole

// What a definition gives its output: the values that can come out, and whether one comes out at all (a
// division by zero has none). `values` means nothing where `exists` is `no`.
struct Computed {
    model::Interval values;
    Truth exists;
};
[[nodiscard]] Computed compute(const model::Constraint& definition, model::VarId output,
                               const Intervals& known);

// Feeds `hasher` with what an open constraint still has to do with the play: its open variables, and of the
// fixed ones only what matters (of a sum the part that is left, of a clause nothing). Equal residues, equal
// future.
void add_residue(Hasher& hasher, const model::Constraint& constraint, const Intervals& known);

}  // namespace zermelo::strategy
