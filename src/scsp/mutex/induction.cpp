#include "scsp/mutex/induction.hpp"

#include <algorithm>
#include <map>

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;
using gdl::Truth;

namespace {

constexpr std::size_t most_probed = 8;            // fluents of a group that are tried in each case
constexpr std::uint64_t most_value_cases = 1000;  // of groups in a round
constexpr std::size_t most_combinations = 150;    // of values for the same moves
constexpr std::uint64_t nodes_of_value_case = 50;

}  // namespace

MutexInduction::MutexInduction(const Network& network, const MutexGroups& assumed, std::size_t proven,
                               const MutexGroupsOptions& options, bool by_value)
    : network_(network),
      assumed_(assumed),
      proven_(proven),
      options_(options),
      by_value_(by_value),
      turn_(network, assumed, {.next_outcome = false, .next_groups = false}),
      filter_(turn_),
      groups_of_(network.fluents.size() + assumed.conditions.size()),
      roles_of_(assumed.groups.size(), 0),
      unproven_(assumed.groups.size()),
      failed_(assumed.groups.size()),
      asked_(assumed.groups.size()),
      one_found_(assumed.groups.size(), true),
      given_up_(assumed.groups.size(), false),
      known_(assumed.groups.size()),
      group_nodes_(assumed.groups.size(), 0),
      seen_(turn_.nodes, 0) {
    for (std::uint32_t g = 0; g < assumed.groups.size(); ++g) {
        for (const std::uint32_t f : assumed.groups[g].fluents) {
            groups_of_[f].push_back(g);
            if (f >= network.fluents.size()) conditions_.emplace(turn_.now(f).code(), f);
        }
        exact_.push_back(assumed.groups[g].exact);
        if (exact_[g] && assumed.groups[g].fluents.size() <= most_probed) probed_.push_back(g);
    }
    find_roles();
    find_parts();
}

bool MutexInduction::run() {
    Open all;
    for (auto g = static_cast<std::uint32_t>(proven_); g < assumed_.groups.size(); ++g) all.push_back(g);
    filter_.push();
    const bool done = !filter_.consistent() || split(all);
    filter_.undo(0);
    return done;
}

// Cases of the moves that are still possible.
bool MutexInduction::split(const Open& open) {
    if (options_.limits.reached() != Stop::none) return false;
    compared_.clear();
    Open left;
    for (const std::uint32_t g : open) {
        if (!given_up_[g] && !is_settled(g)) left.push_back(g);
    }
    if (left.empty()) return true;
    const auto role = next_role(left);
    if (!role || cases_ > options_.most_cases) {
        const Open failed = settle(left);
        if (failed.empty()) return options_.limits.reached() == Stop::none;
        const auto group = by_value_ && value_cases_ < most_value_cases ? next_group(failed) : std::nullopt;
        if (group) return split_by_value(*group, failed);
        for (const std::uint32_t g : failed) give_up(g);
        return options_.limits.reached() == Stop::none;
    }
    // What does not depend on the moves of this role is looked at without them.
    const auto others = std::stable_partition(
        left.begin(), left.end(), [&](std::uint32_t g) { return (roles_of_[g] >> *role % 64 & 1) != 0; });
    const Open rest(others, left.end());
    left.erase(others, left.end());
    std::vector<gdl::MoveId> moves;
    filter_.possible(*role, moves);
    const std::size_t level = filter_.level();
    bool more = true;
    for (std::size_t i = 0; i < moves.size() && more; ++i) {
        ++cases_;
        if (filter_.assume(Signal(network_.moves[*role][moves[i]].node, false)) && probe())
            more = split(left);
        filter_.undo(level);
    }
    return more && (rest.empty() || split(rest));
}

// Cases of what the group's variable is now: with the moves known, the others are often equal to one fluent each then,
// as a sum is once one summand is known. Only what failed without this is looked at.
bool MutexInduction::split_by_value(std::uint32_t group, const Open& open) {
    const auto& fluents = assumed_.groups[group].fluents;
    const std::size_t before = combinations_;
    combinations_ *= fluents.size();
    std::vector<std::set<Pair>> asked;
    std::vector<std::set<Pair>> failed;
    for (const std::uint32_t g : open) {
        asked.push_back(std::move(asked_[g]));
        failed.push_back(failed_[g]);
    }
    const auto go_on = [&] {
        ++value_cases_;
        for (std::size_t i = 0; i < open.size(); ++i) {
            asked_[open[i]] = failed[i];
            auto& nodes = group_nodes_[open[i]];
            nodes = std::min(nodes, options_.most_nodes - std::min(options_.most_nodes, nodes_of_value_case));
        }
        return split(open);
    };
    const std::size_t level = filter_.level();
    std::vector<Signal> none;
    bool more = true;
    for (const std::uint32_t f : fluents) {
        const Signal held = turn_.now(f);
        none.push_back(!held);
        if (!more || filter_.truth(held) != Truth::unknown) continue;
        if (filter_.assume(held)) more = go_on();
        filter_.undo(level);
    }
    filter_.push();
    if (more && !assumed_.groups[group].exact && filter_.post(none)) more = go_on();
    filter_.undo(level);
    for (std::size_t i = 0; i < open.size(); ++i) asked_[open[i]] = std::move(asked[i]);
    combinations_ = before;
    return more;
}

// The group whose values the most open gates read, for each of its values, among those that the open groups depend on.
std::optional<std::uint32_t> MutexInduction::next_group(const Open& open) {
    ++stamp_;
    std::vector<std::uint64_t> reads(assumed_.groups.size(), 0);
    const auto read = [&](Signal s) {
        s = filter_.resolve(s);
        if (filter_.truth(s) != Truth::unknown) return;
        if (s.node() >= network_.first_gate) {
            if (seen_[s.node()] == stamp_) return;
            seen_[s.node()] = stamp_;
            todo_.push_back(s.node());
        } else if (s.node() < network_.first_move) {
            for (const std::uint32_t g : groups_of_[s.node() - 1]) ++reads[g];
        }
    };
    for (const std::uint32_t g : open) {
        for (const std::uint32_t f : assumed_.groups[g].fluents) read(turn_.next(f));
    }
    while (!todo_.empty()) {
        const std::uint32_t gate = todo_.back();
        todo_.pop_back();
        for (const Signal s : turn_.inputs_of(gate)) read(s);
    }
    std::optional<std::uint32_t> best;
    double most = 0;
    for (std::uint32_t g = 0; g < reads.size(); ++g) {
        const double each =
            static_cast<double>(reads[g]) / static_cast<double>(assumed_.groups[g].fluents.size());
        if (each <= most || is_part_[g]) continue;
        if (combinations_ * assumed_.groups[g].fluents.size() > most_combinations) continue;
        best = g;
        most = each;
    }
    return best;
}

// The role with the fewest moves, but more than one, among those that most groups depend on.
std::optional<std::size_t> MutexInduction::next_role(const Open& open) const {
    std::optional<std::size_t> best;
    std::pair<std::size_t, std::size_t> best_score;
    for (std::size_t r = 0; r < network_.roles.size(); ++r) {
        if (filter_.count_possible(r) < 2) continue;
        const auto dependent = static_cast<std::size_t>(
            std::ranges::count_if(open, [&](std::uint32_t g) { return (roles_of_[g] >> r % 64 & 1) != 0; }));
        if (dependent == 0) continue;
        const std::pair score(dependent, ~filter_.count_possible(r));
        if (best && score <= best_score) continue;
        best = r;
        best_score = score;
    }
    return best;
}

// Groups that are part of another one.
void MutexInduction::find_parts() {
    is_part_.assign(assumed_.groups.size(), false);
    for (std::uint32_t g = 0; g < assumed_.groups.size(); ++g) {
        const auto& fluents = assumed_.groups[g].fluents;
        if (fluents.empty()) continue;
        for (const std::uint32_t other : groups_of_[fluents.front()]) {
            const auto& larger = assumed_.groups[other].fluents;
            is_part_[g] =
                is_part_[g] || (larger.size() > fluents.size() && std::ranges::includes(larger, fluents));
        }
    }
}

// By group: the roles, as bits, whose moves its fluents depend on.
void MutexInduction::find_roles() {
    std::vector<std::uint64_t> roles(network_.nodes, 0);
    for (std::size_t r = 0; r < network_.roles.size(); ++r) {
        for (const auto& move : network_.moves[r]) roles[move.node] |= std::uint64_t{1} << r % 64;
    }
    for (const auto& stretch : network_.stretches) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) {
                const std::uint64_t before = roles[gate];
                for (const Signal s : network_.inputs_of(gate)) roles[gate] |= roles[s.node()];
                changed = changed || (stretch.loop && roles[gate] != before);
            }
        }
    }
    for (std::size_t g = 0; g < assumed_.groups.size(); ++g) {
        for (const std::uint32_t f : assumed_.groups[g].fluents) {
            if (f < network_.fluents.size()) {
                roles_of_[g] |= roles[network_.next[f].node()];
                continue;
            }
            for (const Signal s : assumed_.conditions[f - network_.fluents.size()])
                roles_of_[g] |= roles[network_.next[s.node() - 1].node()];
        }
    }
}

// Singleton consistency of the small groups of which one fluent holds, such as whose turn it is. That a move
// is legal often implies one of them in each of several ways, which propagation alone does not see. False on
// a conflict.
bool MutexInduction::probe() {
    const auto choosing = [&] {
        for (std::size_t r = 0; r < network_.roles.size(); ++r) {
            if (filter_.count_possible(r) > 1) return true;
        }
        return false;
    };
    for (const std::uint32_t group : probed_) {
        if (!choosing()) return true;
        for (const std::uint32_t f : assumed_.groups[group].fluents) {
            const Signal holds = turn_.now(f);
            if (filter_.truth(holds) != Truth::unknown) continue;
            const std::size_t level = filter_.level();
            const bool fits = filter_.assume(holds);
            filter_.undo(level);
            if (!fits && !filter_.post(!holds)) return false;
        }
    }
    return true;
}

// What the members of the group are next: those that may hold, each with the signal that it is equal to.
void MutexInduction::look_at(std::uint32_t group) {
    equal_.clear();
    members_.clear();
    certain_ = false;
    Hasher hasher;
    for (const std::uint32_t f : assumed_.groups[group].fluents) {
        const Signal next = filter_.resolve(turn_.next(f));
        const Truth truth = filter_.truth(next);
        hasher.add(truth == Truth::no ? Network::never.code() : next.code());
        if (truth == Truth::no) continue;
        certain_ = certain_ || truth == Truth::yes;
        equal_.push_back(next);
        members_.push_back(f);
    }
    key_ = hasher.value().low;
}

// Whether the group is respected next in all cases below this one, as far as can be seen without a search.
// Which fluents exclude each other does not depend on the case, so it is remembered; that one of them holds may.
bool MutexInduction::is_settled(std::uint32_t group) {
    look_at(group);
    if (!known_[group].contains(key_)) {
        bool every = true;
        for (std::size_t i = 0; i < equal_.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!is_asked(group, std::minmax(members_[i], members_[j]))) {
                    every = false;
                } else if (!exclusive(equal_[i], equal_[j])) {
                    return false;
                }
            }
        }
        if (every && std::ranges::all_of(equal_, [&](Signal s) { return s.node() < network_.first_move; }))
            known_[group].insert(key_);
    }
    return !exact_[group] || one_holds();
}

// One member is known to hold, or they are equal to all of a group now of which one holds.
bool MutexInduction::one_holds() {
    if (certain_) return true;
    std::map<std::uint32_t, std::set<std::uint32_t>> now;
    for (const Signal s : equal_) {
        if (s.negated() || s.node() >= network_.first_move || s.node() == 0) continue;
        const std::uint32_t f = s.node() - 1;
        for (const std::uint32_t g : groups_of_[f]) {
            if (assumed_.groups[g].exact) now[g].insert(f);
        }
    }
    return std::ranges::any_of(now, [&](const auto& entry) {
        return std::ranges::all_of(assumed_.groups[entry.first].fluents, [&](std::uint32_t f) {
            return entry.second.contains(f) || filter_.truth(turn_.now(f)) == Truth::no;
        });
    });
}

// The last resort: a search for each pair. Tells the groups for which it was in vain.
MutexInduction::Open MutexInduction::settle(const Open& open) {
    Open failed;
    for (const std::uint32_t group : open) {
        if (!given_up_[group] && !search(group)) failed.push_back(group);
    }
    return failed;
}

// What failed in this case is not proven.
void MutexInduction::give_up(std::uint32_t group) {
    unproven_[group].insert(failed_[group].begin(), failed_[group].end());
    given_up_[group] = !failed_[group].empty() && is_superfluous(group);
    if (!one_found_[group]) exact_[group] = false;
}

bool MutexInduction::search(std::uint32_t group) {
    group_ = group;
    failed_[group].clear();
    one_found_[group] = true;
    look_at(group);
    const std::vector<Signal> equal = equal_;
    const std::vector<std::uint32_t> members = members_;
    const bool certain = certain_;
    for (std::size_t i = 0; i < equal.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Pair pair = std::minmax(members[i], members[j]);
            if (!is_asked(group, pair) || exclusive(equal[i], equal[j])) continue;
            if (refutes({equal[i], equal[j]})) continue;
            failed_[group].insert(pair);
            if (!by_value_ && is_superfluous(group)) return false;
        }
    }
    equal_ = equal;
    certain_ = certain;
    if (exact_[group] && !one_holds()) {
        std::vector<Signal> none;
        for (const Signal s : equal) none.push_back(!s);
        one_found_[group] = refutes(none);
    }
    return failed_[group].empty() && one_found_[group];
}

// Pairs that are not known to be unproven and, where values are told apart, that failed before.
bool MutexInduction::is_asked(std::uint32_t group, const Pair& pair) const {
    return !unproven_[group].contains(pair) && (combinations_ == 1 || asked_[group].contains(pair));
}

// Other groups have its fluents, too: then it is not worth while to find out which part of it holds.
bool MutexInduction::is_superfluous(std::uint32_t group) const {
    return std::ranges::all_of(assumed_.groups[group].fluents, [&](std::uint32_t f) {
        return std::ranges::any_of(groups_of_[f], [&](std::uint32_t g) {
            return g != group && !given_up_[g] && unproven_[g].empty();
        });
    });
}

bool MutexInduction::refutes(const std::vector<Signal>& together) {
    left_ = options_.most_nodes_a_pair;
    const std::size_t level = filter_.level();
    filter_.push();
    const bool possible = filter_.post(together);
    bool refuted = !possible;
    if (possible && group_nodes_[group_] <= options_.most_nodes) {
        collect_inputs(together);
        refuted = none_from_here();
    }
    filter_.undo(level);
    return refuted;
}

// What to decide: the open moves and fluents that the signals depend on, then those that the legality of the
// moves depends on. Moves decide most.
void MutexInduction::collect_inputs(const std::vector<Signal>& signals) {
    ++stamp_;
    inputs_.clear();
    const auto meet = [&](std::uint32_t node) {
        if (node == 0 || seen_[node] == stamp_) return;
        seen_[node] = stamp_;
        if (node >= network_.first_gate) {
            todo_.push_back(node);
        } else if (filter_.truth(Signal(node, false)) == Truth::unknown) {
            inputs_.push_back(node);
        }
    };
    const auto follow = [&] {
        while (!todo_.empty()) {
            const std::uint32_t gate = todo_.back();
            todo_.pop_back();
            for (const Signal s : turn_.inputs_of(gate)) meet(s.node());
        }
    };
    for (const Signal s : signals) meet(s.node());
    follow();
    const auto first_fluent = [&] {
        std::stable_partition(inputs_.begin(), inputs_.end(),
                              [&](std::uint32_t n) { return n >= network_.first_move; });
    };
    first_fluent();
    for (std::size_t r = 0; r < network_.roles.size(); ++r) {
        for (const auto& move : network_.moves[r]) {
            const bool relevant =
                filter_.truth(Signal(move.node, false)) == Truth::yes || seen_[move.node] == stamp_;
            if (relevant) meet(move.legal.node());
        }
    }
    follow();
}

bool MutexInduction::none_from_here() {
    ++nodes_;
    ++group_nodes_[group_];
    if (left_ == 0 || group_nodes_[group_] > options_.most_nodes || options_.limits.reached() != Stop::none)
        return false;
    --left_;
    const auto open = std::ranges::find_if(
        inputs_, [&](std::uint32_t node) { return filter_.truth(Signal(node, false)) == Truth::unknown; });
    if (open == inputs_.end()) return false;
    const Signal decided(*open, false);
    const std::size_t level = filter_.level();
    for (const Signal s : {decided, !decided}) {
        const bool fails = !filter_.assume(s) || none_from_here();
        filter_.undo(level);
        if (!fails) return false;
    }
    return true;
}

}  // namespace zermelo::scsp
