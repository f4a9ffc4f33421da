// Mutex groups (Helmert 2009): sets of fluents of which at most one holds in any reachable state, proven by
// induction over the moves (cf. Schiffel and Thielscher 2009).
//
// Candidates come from random playouts (gdl/analysis/invariants.hpp). Base case: the initial state respects
// all groups. Step: no turn leads by legal moves from a state that respects them, and in which the game is
// not over, to one that does not. For the step, each pair of a group is assumed to hold next, and
// propagation with a short search has to refute it. A group with a pair that is not refuted is given up, and
// the others are proven anew without it, until a fixpoint is reached. In the same way it is proven that
// always exactly one fluent of a group holds.

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

[[nodiscard]] MutexGroups find_mutex_groups(const gdl::Machine& machine,
                                            const MutexGroupsOptions& options = {});

}  // namespace zermelo::scsp
