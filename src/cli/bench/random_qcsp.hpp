// Random quantified CSPs in the manner of Gent, Nightingale, Rowley and Stergiou (2008), for techniques whose effect
// games do not show.
//
// Blocks alternate, and ∃ has the first and the last one. A binary constraint holds between two ∃ variables, or
// between a ∀ variable and an ∃ variable behind it; there are so many of both kinds. Of all pairs of values, the
// fraction `tightness` is forbidden. So that no instance is lost for nothing, what a constraint forbids of a ∀
// variable is a part of a bijection: each of its values leaves all but one of the other.

#pragma once

#include "model/model.hpp"

namespace zermelo::cli {

struct RandomQcsp {
    int blocks = 3;
    int variables = 5;  // in each block
    int values = 4;
    int exists_pairs = 10;
    int forall_pairs = 10;
    double tightness = 0.4;         // of a constraint between ∃ variables
    double forall_tightness = 0.5;  // of the others: the part of the bijection
    std::uint64_t seed = 1;
};

[[nodiscard]] model::Model random_qcsp(const RandomQcsp& parameters);

}  // namespace zermelo::cli
