#include "scsp/mutex/induction.hpp"

#include <algorithm>
#include <map>

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;
using gdl::Truth;

namespace {

constexpr int most_depth = 10;                  // of gates that are taken apart to compare two signals
constexpr std::size_t most_probed = 8;          // fluents of a group that are tried in each case
constexpr int most_comparisons = 300;           // of their parts
constexpr std::uint64_t most_work = 3'000'000;  // comparisons in a round

}  // namespace

MutexInduction::MutexInduction(const Network& network, const MutexGroups& assumed, std::size_t proven,
                               const MutexGroupsOptions& options)
    : network_(network),
      assumed_(assumed),
      proven_(proven),
      options_(options),
      turn_(network, assumed, {.next_outcome = false, .next_groups = false}),
      filter_(turn_),
      groups_of_(network.fluents.size()),
      roles_of_(assumed.groups.size(), 0),
      unproven_(assumed.groups.size()),
      given_up_(assumed.groups.size(), false),
      known_(assumed.groups.size()),
      group_nodes_(assumed.groups.size(), 0),
      seen_(turn_.nodes, 0) {
    for (std::uint32_t g = 0; g < assumed.groups.size(); ++g) {
        for (const std::uint32_t f : assumed.groups[g].fluents) groups_of_[f].push_back(g);
        exact_.push_back(assumed.groups[g].exact);
        if (exact_[g] && assumed.groups[g].fluents.size() <= most_probed) probed_.push_back(g);
    }
    find_roles();
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
        settle(left);
        return options_.limits.reached() == Stop::none;
    }
    // What does not depend on the moves of this role is looked at without them.
    const auto others = std::ranges::stable_partition(
        left, [&](std::uint32_t g) { return (roles_of_[g] >> *role % 64 & 1) != 0; });
    const Open rest(others.begin(), others.end());
    left.erase(others.begin(), others.end());
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
        for (const std::uint32_t f : assumed_.groups[g].fluents)
            roles_of_[g] |= roles[network_.next[f].node()];
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
            const Signal holds(1 + f, false);
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
        const Signal next = filter_.resolve(network_.next[f]);
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
// What is equal to fluents does not depend on the case, so it is remembered.
bool MutexInduction::is_settled(std::uint32_t group) {
    look_at(group);
    if (known_[group].contains(key_)) return true;
    for (std::size_t i = 0; i < equal_.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!exclusive(equal_[i], equal_[j])) return false;
        }
    }
    if (exact_[group] && !one_holds()) return false;
    if (std::ranges::all_of(equal_, [&](Signal s) { return s.node() < network_.first_move; }))
        known_[group].insert(key_);
    return true;
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
            return entry.second.contains(f) || filter_.truth(Signal(1 + f, false)) == Truth::no;
        });
    });
}

bool MutexInduction::exclusive_fluents(std::uint32_t f, std::uint32_t g) const {
    return f != g && std::ranges::any_of(groups_of_[f], [&](std::uint32_t group) {
               return std::ranges::find(groups_of_[g], group) != groups_of_[g].end();
           });
}

bool MutexInduction::exclusive(Signal a, Signal b) {
    comparisons_ = most_comparisons;
    return exclusive(a, b, most_depth);
}

// Whether the two cannot both hold: a disjunction if none of its parts can, a conjunction if one of its parts
// cannot. The answers are kept while the case is the same.
bool MutexInduction::exclusive(Signal a, Signal b, int depth) {
    a = filter_.resolve(a);
    b = filter_.resolve(b);
    if (filter_.truth(a) == Truth::no || filter_.truth(b) == Truth::no || a == !b) return true;
    if (a == b) return false;
    const auto is_gate = [&](Signal s) {
        return s.node() >= network_.first_gate && filter_.truth(s) == Truth::unknown;
    };
    if (!is_gate(a) && !is_gate(b)) {
        const auto is_fluent = [&](Signal s) { return s.node() > 0 && s.node() < network_.first_move; };
        if (a.negated() || b.negated() || !is_fluent(a) || !is_fluent(b)) return false;
        return exclusive_fluents(a.node() - 1, b.node() - 1);
    }
    if (depth == 0 || comparisons_ == 0 || work_ > most_work) return false;
    --comparisons_;
    ++work_;
    const std::uint64_t key =
        std::uint64_t{std::min(a.code(), b.code())} << 32 | std::max(a.code(), b.code());
    if (const auto [known, added] = compared_.try_emplace(key, false); !added) return known->second;
    const bool result = parts_exclude(a, b, depth);
    if (result) compared_[key] = true;
    return result;
}

bool MutexInduction::parts_exclude(Signal a, Signal b, int depth) {
    // First what can be seen at once: two conjunctions with an input and its negation.
    if (!a.negated() && !b.negated() && a.node() >= network_.first_gate && b.node() >= network_.first_gate) {
        for (const Signal s : turn_.inputs_of(a.node())) {
            for (const Signal t : turn_.inputs_of(b.node())) {
                if (s == !t) return true;
            }
        }
    }
    for (const bool disjunction : {true, false}) {
        for (const auto& [whole, other] : {std::pair(a, b), std::pair(b, a)}) {
            if (whole.node() < network_.first_gate || filter_.truth(whole) != Truth::unknown ||
                whole.negated() != disjunction)
                continue;
            const auto inputs = turn_.inputs_of(whole.node());
            const auto part_is = [&](Signal s) { return exclusive(disjunction ? !s : s, other, depth - 1); };
            if (disjunction) return std::ranges::all_of(inputs, part_is);
            if (std::ranges::any_of(inputs, part_is)) return true;
        }
    }
    return false;
}

// The last resort: a search for each pair.
void MutexInduction::settle(const Open& open) {
    for (const std::uint32_t group : open) {
        if (given_up_[group]) continue;
        group_ = group;
        look_at(group);
        const std::vector<Signal> equal = equal_;
        const std::vector<std::uint32_t> members = members_;
        const bool certain = certain_;
        for (std::size_t i = 0; i < equal.size() && !given_up_[group]; ++i) {
            for (std::size_t j = 0; j < i && !given_up_[group]; ++j) {
                const Pair pair = std::minmax(members[i], members[j]);
                if (unproven_[group].contains(pair) || exclusive(equal[i], equal[j])) continue;
                if (refutes({equal[i], equal[j]})) continue;
                unproven_[group].insert(pair);
                given_up_[group] = is_superfluous(group);
            }
        }
        equal_ = equal;
        certain_ = certain;
        if (given_up_[group] || !exact_[group] || one_holds()) continue;
        std::vector<Signal> none;
        for (const Signal s : equal) none.push_back(!s);
        exact_[group] = refutes(none);
    }
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
    if (possible) {
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
        std::ranges::stable_partition(inputs_, [&](std::uint32_t n) { return n >= network_.first_move; });
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
