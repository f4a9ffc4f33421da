// MutexGroups: groups of fluents of which at most one holds in any state that can be reached, proven.
//
// Which groups to try is a guess (see gdl/analysis/invariants.hpp). The proof is by induction over the moves:
// the first state respects all groups; and no turn leads from a state that respects them, and in which the
// game is not over, by legal moves to one that does not. For the second part each pair of a group is assumed
// to hold next, and filtering together with a short search has to find a contradiction. A group with a pair
// for which it finds none is given up, and the others are proven anew without it, until all that are left
// stand. In the same way it is proven that always exactly one of a group holds.

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::scsp {

struct MutexGroups {
    struct Group {
        std::vector<std::uint32_t> fluents;
        bool exact = false;  // always one of them holds
    };
    std::vector<Group> groups;  // disjoint
    std::size_t tried = 0;      // groups that were guessed
    std::uint64_t nodes = 0;    // of the search
};

struct MutexGroupsOptions {
    std::uint64_t most_nodes = 2000;  // of the search for one pair
    Limits limits = {};               // groups that are not proven by then are given up
};

[[nodiscard]] MutexGroups find_exclusive(const gdl::Machine& machine, const MutexGroupsOptions& options = {});

}  // namespace zermelo::scsp
