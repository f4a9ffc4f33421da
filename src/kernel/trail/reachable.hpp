// Reachable sums (dynamic programming over knapsacks, Trick 2003), for ∀ variables that a sum determines.
//
// In Σ c·x = y, where ∀ will choose y, each value of y that no choice of the others reaches is a win for ∀, and bounds
// see only the least and the greatest. This propagator keeps the set of all sums as bits, term by term. A term may be
// a product that is defined elsewhere: then it acts as soon as one factor is known, as with weights that are bought
// before a load is brought. It runs only while y is open and every term has few values; the cost is the number of these
// values times the width of the sum in machine words. It stands beside the sum and its other propagators and removes
// only what they could not keep.

#pragma once

#include "kernel/program.hpp"
#include "kernel/trail/store.hpp"

namespace zermelo::kernel::trail {

void post_reachable_sums(Store& store, const Program& program);

}  // namespace zermelo::kernel::trail
