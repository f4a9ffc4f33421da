// State invariants: latches, and candidates for mutex groups (Helmert 2009).
//
// A latch is a fluent that stays true, or false, once it has become so; the network itself proves it. A
// mutex group is a set of fluents of which at most one holds, such as the contents of a cell or the player
// to move. Candidates are recognised by their form (the same term but for one argument) and kept when no
// state of many random playouts breaks them. They are not proven: scsp/mutex_groups.hpp does that.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct Invariants {
    std::vector<std::uint32_t> stay_true;  // fluents
    std::vector<std::uint32_t> stay_false;
    // Groups of fluents; no two fluents of one group held in any state that was seen. Disjoint, largest
    // first.
    std::vector<std::vector<std::uint32_t>> mutex_candidates;
    std::uint64_t states = 0;  // that were seen
};

[[nodiscard]] Invariants find_invariants(const Machine& machine, int playouts = 20,
                                         const Limits& limits = {});

}  // namespace zermelo::gdl
