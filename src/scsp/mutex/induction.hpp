// The induction step of mutex groups: from a state that respects all groups, can a turn lead to one in which
// two fluents of a group hold?
//
// The step is split into cases, one for each combination of moves that the assumptions leave possible: a role
// is given each of its moves in turn, and propagation (filter.hpp) excludes what does not go with it. In a
// game of alternating moves the moves of the others follow, so that there are as many cases as moves. With
// the moves known, most of the next state is known as well, and the rest is equal to a fluent now: what is
// not touched stays. Two fluents of a group are then exclusive if they are equal to exclusive fluents now, or
// to conjunctions and disjunctions of such. Only what this does not show is left to a short search. A group
// that is settled for some moves is not looked at again for moves of others that follow. Where this is not enough and it
// is asked for, a case is split further by the values of a group: whatever is a sum is known then.
//
// Cost: propagation once for each case, and a look at each group that depends on the moves.

#pragma once

#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "scsp/filter.hpp"

namespace zermelo::scsp {

class MutexInduction {
public:
    // The groups may overlap. The first `proven` of them are known to hold and are not looked at. `by_value`: cases are
    // split further by values of groups where nothing else helps.
    MutexInduction(const gdl::Network& network, const MutexGroups& assumed, std::size_t proven,
                   const MutexGroupsOptions& options, bool by_value = false);

    // Looks at all cases. False where the limits end it.
    bool run();

    using Pair = std::pair<std::uint32_t, std::uint32_t>;  // fluents, the smaller one first
    // Of each group: the pairs that were not refuted, and whether exactly one fluent holds after the turn.
    [[nodiscard]] const std::vector<std::set<Pair>>& unproven() const { return unproven_; }
    [[nodiscard]] const std::vector<bool>& exact() const { return exact_; }
    [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

private:
    using Open = std::vector<std::uint32_t>;  // groups

    bool split(const Open& open);
    bool split_by_value(std::uint32_t group, const Open& open);
    [[nodiscard]] std::optional<std::uint32_t> next_group(const Open& open);
    void find_roles();
    void find_parts();
    [[nodiscard]] std::optional<std::size_t> next_role(const Open& open) const;
    [[nodiscard]] bool probe();
    [[nodiscard]] Open settle(const Open& open);
    void give_up(std::uint32_t group);
    [[nodiscard]] bool search(std::uint32_t group);
    [[nodiscard]] bool is_asked(std::uint32_t group, const Pair& pair) const;
    [[nodiscard]] bool is_settled(std::uint32_t group);
    [[nodiscard]] bool one_holds();
    [[nodiscard]] bool exclusive(gdl::Signal a, gdl::Signal b);
    [[nodiscard]] bool exclusive(gdl::Signal a, gdl::Signal b, int depth);
    [[nodiscard]] bool parts_exclude(gdl::Signal a, gdl::Signal b, int depth);
    [[nodiscard]] std::optional<std::uint32_t> member_of(gdl::Signal s) const;
    [[nodiscard]] bool in_one_group(std::uint32_t f, std::uint32_t g) const;
    void look_at(std::uint32_t group);
    [[nodiscard]] bool is_superfluous(std::uint32_t group) const;
    [[nodiscard]] bool refutes(const std::vector<gdl::Signal>& together);
    void collect_inputs(const std::vector<gdl::Signal>& signals);
    [[nodiscard]] bool none_from_here();

    const gdl::Network& network_;
    const MutexGroups& assumed_;
    const std::size_t proven_;
    const MutexGroupsOptions& options_;
    const bool by_value_;
    Turn turn_;
    Filter filter_;
    std::vector<std::vector<std::uint32_t>> groups_of_;            // by fluent and condition
    std::unordered_map<std::uint32_t, std::uint32_t> conditions_;  // by code of the signal that they hold
    std::vector<std::uint64_t> roles_of_;                          // by group
    std::vector<bool> is_part_;                                    // by group: of another one
    std::vector<std::set<Pair>> unproven_;                         // by group
    std::vector<std::set<Pair>> failed_;                           // by group: in the last search
    std::vector<std::set<Pair>> asked_;  // by group: those that the values are told apart for
    std::vector<bool> one_found_;        // by group: in the last search, one fluent of it was shown to hold
    std::vector<bool> exact_;            // by group
    std::vector<std::uint32_t> probed_;  // groups
    std::vector<bool> given_up_;         // by group: it fails, and others have its fluents
    // By group: what its members were equal to in cases that were settled.
    std::vector<std::unordered_set<std::uint64_t>> known_;

    std::vector<std::uint64_t> group_nodes_;  // by group: of its searches

    std::vector<gdl::Signal> equal_;  // the members of the group at hand that may hold, and what they equal
    std::vector<std::uint32_t> members_;
    bool certain_ = false;  // one of them holds
    std::uint64_t key_ = 0;
    std::unordered_map<std::uint64_t, bool> compared_;  // pairs of signals, in the case at hand
    int comparisons_ = 0;                               // that are left for the two signals at hand
    bool cut_short_ = false;                            // some of them were left out
    std::uint64_t work_ = 0;                            // all comparisons

    std::vector<std::uint32_t> inputs_;
    std::vector<std::uint32_t> todo_;
    std::vector<std::uint32_t> seen_;  // by node
    std::uint32_t stamp_ = 0;
    std::uint64_t left_ = 0;
    std::uint64_t cases_ = 0;
    std::uint64_t value_cases_ = 0;
    std::size_t combinations_ = 1;  // of the values that are told apart
    std::uint64_t nodes_ = 0;
    std::uint32_t group_ = 0;  // that is searched for
};

}  // namespace zermelo::scsp
