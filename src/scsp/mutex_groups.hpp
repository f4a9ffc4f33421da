// Mutex groups (Helmert 2009): sets of fluents of which at most one holds in any reachable state, proven by
// simultaneous induction over the moves (cf. Schiffel and Thielscher 2009).
//
// Candidates come from the argument places of the fluents (mutex/candidates.hpp). Base case: the initial
// state respects all groups. Step: no turn leads by legal moves from a state that respects all of them, and
// in which the game is not over, to a state that breaks one (mutex/induction.hpp). All groups are assumed
// together. Where pairs of a group are not refuted, the group gives way to parts of it without such a pair,
// and everything is proven anew, until nothing fails: the greatest fixpoint. In the same way it is proven
// that always exactly one fluent of a group holds. Groups that are not needed for the proof alone are then
// chosen so that few of them cover all fluents that any covers.
//
// Where fluents alone do not suffice, a group is proven together with conditions: conjunctions of fluents and their
// negations under which none of its fluents holds (mutex/conditions.hpp).

#pragma once

#include "gdl/circuit/machine.hpp"

namespace zermelo::scsp {

struct MutexGroups {
    using Condition = std::vector<gdl::Signal>;  // a conjunction: inputs of the network that are fluents
    struct Group {
        std::vector<std::uint32_t> fluents;  // in `proven` also conditions, numbered after the fluents
        bool exact = false;                  // always one of them holds
    };
    std::vector<Group> groups;  // disjoint
    std::vector<Group>
        proven;  // all that were proven together, and may overlap: only with these do the others follow
    std::vector<Condition> conditions;
    std::size_t tried = 0;    // groups that were guessed, without those that are part of another
    std::size_t rounds = 0;   // of the induction
    std::uint64_t nodes = 0;  // of its searches

    // Whether a fluent or condition of a game with so many fluents holds.
    [[nodiscard]] bool holds(std::uint32_t member, const gdl::State& state, std::size_t fluents) const;
};

struct MutexGroupsOptions {
    std::uint64_t most_nodes_a_pair = 64;  // of the search for one pair in one case
    std::uint64_t most_nodes = 500;        // of all searches for a group in a round
    std::uint64_t most_cases = 8000;       // combinations of moves that are told apart in a round
    Limits limits = {};                    // without a fixpoint by then there are no groups
};

[[nodiscard]] MutexGroups find_mutex_groups(const gdl::Machine& machine,
                                            const MutexGroupsOptions& options = {});

}  // namespace zermelo::scsp
