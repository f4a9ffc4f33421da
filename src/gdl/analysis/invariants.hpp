// Invariants: what is always so in a game, whoever plays.
//
// Latches are proven: the network itself shows that a fluent which has become true (or false) stays so.
// Groups of fluents of which at most one holds, as the contents of a cell or the player to move, are
// recognised by their form (the same term but for one argument) and kept when no state of many random
// playouts breaks them; a larger sample may still do so, and what relies on them has to say so.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct Invariants {
    std::vector<std::uint32_t> stay_true;  // fluents
    std::vector<std::uint32_t> stay_false;
    std::vector<std::vector<std::uint32_t>>
        exclusive;             // at most one of each group holds; disjoint, largest first
    std::uint64_t states = 0;  // that were looked at for them
};

[[nodiscard]] Invariants find_invariants(const Machine& machine, int playouts = 20,
                                         const Limits& limits = {});

}  // namespace zermelo::gdl
