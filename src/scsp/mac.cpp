#include "scsp/mac.hpp"

#include <algorithm>

#include "scsp/micro_scsp.hpp"
#include "scsp/refutation.hpp"

namespace zermelo::scsp {

using gdl::MoveId;
using gdl::Signal;
using gdl::Truth;

namespace {

constexpr int highest_goal = 100;
constexpr std::uint64_t most_nodes = 10'000;  // of the search for one percept and two players

}  // namespace

Mac::Mac(Filter& filter, MacOptions options)
    : filter_(filter),
      options_(std::move(options)),
      joint_(filter.turn().network.roles.size(), 0),
      assigned_(joint_.size(), false),
      moves_(joint_.size() + 1) {}

bool Mac::solve(const gdl::State& state, const Visit& visit) {
    if (!filter_.load(state)) return true;
    std::fill(assigned_.begin(), assigned_.end(), false);
    bool possible = true;
    if (options_.chance) assigned_[*options_.chance] = true;
    if (!options_.chance || filter_.count_possible(*options_.chance) == 1) {
        for (std::size_t r = 0; r < options_.thresholds.size() && possible; ++r) {
            if (options_.thresholds[r] > 0)
                possible = filter_.post(filter_.turn().at_least(r, options_.thresholds[r]).tolerable);
        }
    }
    const bool all = !possible || assign(0, visit);
    filter_.undo(0);
    return all;
}

bool Mac::assign(std::size_t depth, const Visit& visit) {
    std::size_t role = assigned_.size();
    for (std::size_t r = 0; r < assigned_.size(); ++r) {
        if (assigned_[r]) continue;
        if (role == assigned_.size() || filter_.count_possible(r) < filter_.count_possible(role)) role = r;
    }
    if (role == assigned_.size()) return join(visit);
    std::vector<MoveId>& moves = moves_[depth];
    filter_.possible(role, moves);
    if (options_.order) options_.order(role, moves);
    assigned_[role] = true;
    const std::size_t level = filter_.level();
    bool more = true;
    for (std::size_t i = 0; i < moves.size() && more; ++i) {
        ++counts_.nodes;
        joint_[role] = moves[i];
        if (filter_.assume(Signal(filter_.turn().network.moves[role][moves[i]].node, false))) {
            more = assign(depth + 1, visit);
        } else {
            ++counts_.failures;
        }
        filter_.undo(level);
    }
    assigned_[role] = false;
    return more;
}

// All players have their moves: what can chance make of them?
bool Mac::join(const Visit& visit) {
    std::size_t count = 0;
    const auto next_outcome = [&]() -> Outcome& {
        if (outcomes_.size() == count) outcomes_.emplace_back();
        return outcomes_[count++];
    };
    bool good = true;
    if (options_.chance) {
        std::vector<MoveId>& moves = moves_.back();
        filter_.possible(*options_.chance, moves);
        const std::size_t level = filter_.level();
        for (std::size_t i = 0; i < moves.size() && good; ++i) {
            const Signal made(filter_.turn().network.moves[*options_.chance][moves[i]].node, false);
            if (filter_.assume(made)) {
                Outcome& outcome = next_outcome();
                outcome.chance = moves[i];
                read(outcome);
                good = good_enough(count, moves.size());
            }
            filter_.undo(level);
        }
    } else {
        read(next_outcome());
        good = good_enough(1, 1);
    }
    if (!good) {
        ++counts_.rejected;
        return true;
    }
    ++counts_.solutions;
    return visit(joint_, {outcomes_.data(), count});
}

void Mac::read(Outcome& outcome) const {
    const Turn& turn = filter_.turn();
    filter_.next(outcome.next);
    outcome.over = turn.has_next_outcome && filter_.truth(turn.next_terminal) == Truth::yes;
    outcome.goals.assign(joint_.size(), -1);
    if (!outcome.over) return;
    for (std::size_t r = 0; r < joint_.size(); ++r) {
        for (const auto& [value, holds] : turn.next_goals[r]) {
            if (filter_.truth(holds) != Truth::yes) continue;
            outcome.goals[r] = value;
            break;
        }
    }
}

bool Mac::good_enough(std::size_t tried, std::size_t all) const {
    for (std::size_t r = 0; r < options_.thresholds.size(); ++r) {
        if (options_.thresholds[r] <= 0) continue;
        std::size_t sum = (all - tried) * highest_goal;
        for (std::size_t i = 0; i < tried; ++i) {
            const int goal = outcomes_[i].over ? std::max(outcomes_[i].goals[r], 0) : highest_goal;
            sum += static_cast<std::size_t>(goal);
        }
        if (sum < static_cast<std::size_t>(options_.thresholds[r]) * all) return false;
    }
    return true;
}

SharedInformation shared_information(const gdl::Network& network, const MutexGroups& mutex_groups,
                                     const Limits& limits) {
    const auto chance = chance_role(network);
    const Turn turn(network, mutex_groups, {.next_outcome = false});
    std::optional<Refutation> refutation;
    for (std::uint32_t seer = 0; seer < network.roles.size(); ++seer) {
        for (std::uint32_t other = 0; other < network.roles.size(); ++other) {
            if (seer == other || seer == chance || other == chance) continue;
            for (const auto& percept : network.sees[seer]) {
                const auto same = std::ranges::find_if(
                    network.sees[other], [&](const auto& its) { return its.term == percept.term; });
                const Signal seen = same == network.sees[other].end() ? gdl::Network::never : same->seen;
                if (seen == percept.seen || percept.seen == gdl::Network::never) continue;
                if (!refutation) refutation.emplace(turn, most_nodes, limits);
                if (!refutation->refutes({percept.seen, !seen})) return {false, seer, other, percept.term};
            }
        }
    }
    return {};
}

}  // namespace zermelo::scsp
