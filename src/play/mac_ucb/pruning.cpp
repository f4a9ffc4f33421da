// Thresholds, and the two prunings: turns are resolved again as θ rises.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/clock.hpp"
#include "play/mac_ucb/mac_ucb_search.hpp"

namespace zermelo::play {

namespace {

constexpr std::uint64_t visits_between_prunings = 16;
constexpr double less = 1e-9;  // of utilities

}  // namespace

// The best expected utility known of a solution: exact, or the mean of the one that was sampled most.
double MacUcbSearch::threshold_of(const MicroNode& node) const {
    const double certain = certain_of(node);
    if (options_.pruning < 2) return certain;
    const auto& arms = node.choosers.front().arms;
    return std::max(certain, std::ranges::max_element(arms, {}, &MicroNode::Arm::visits)->mean());
}

double MacUcbSearch::certain_of(const MicroNode& node) const {
    if (!node.certain) return 0;
    return tree_.exact_value(node, node.solutions[*node.certain], node.choosers.front().seat);
}

double MacUcbSearch::threshold() const {
    const MicroNode& node = tree_[root_];
    if (node.exact) return node.value[rules_.seat_of(settings_.role)];
    return node.choosers.size() == 1 ? threshold_of(node) : 0;
}

// How much a player may still get from a micro-SCSP on: its value where it is exact. Elsewhere anything is possible, and
// no more than the upper confidence bound is likely.
double MacUcbSearch::bound(const MicroNode& node, std::size_t seat, std::optional<double> log_visits) const {
    if (node.exact) return node.value[seat];
    if (!log_visits || node.visits == 0) return 1;
    return std::min(1.0, node.mean(seat) + options_.exploration *
                                               std::sqrt(*log_visits / static_cast<double>(node.visits)));
}

double MacUcbSearch::bound(const MicroNode& node, const MicroNode::Solution& solution, std::size_t seat,
                           std::optional<double> log_visits) const {
    double result = 0;
    for (const auto& outcome : node.outcomes_of(solution))
        result += outcome.probability * bound(tree_[outcome.child], seat, log_visits);
    return result;
}

// By solution, whether it can reach the threshold. Where states are hidden, outcomes are beliefs; P″ has states, so the
// solutions in the cache are looked at instead.
std::vector<bool> MacUcbSearch::left_in_cs(const MicroNode& node, double threshold,
                                           std::optional<double> log_visits) {
    const std::size_t seat = node.choosers.front().seat;
    std::vector<bool> left;
    if (rules_.hidden()) {
        for (const auto& solution : node.solutions)
            left.push_back(!solution.refuted && bound(node, solution, seat, log_visits) >= threshold - less);
        return left;
    }
    const auto known = [&](const State& next) {
        const auto met = met_before(next);
        return met ? bound(tree_[*met], seat, log_visits) : 1;
    };
    std::vector<bool> removed;
    for (std::uint32_t i = 0; i < node.solutions.size(); ++i)
        removed.push_back(node.solutions[i].refuted || node.solutions[i].twin_of != i);
    const auto begun = Deadline::Clock::now();
    left = resolution_.resolve_again(node, {threshold, known, std::move(removed)});
    spent_.resolution += seconds_since(begun);
    for (std::uint32_t i = 0; i < node.solutions.size(); ++i) left[i] = left[node.solutions[i].twin_of];
    return left;
}

// The certain pruning. Nothing is worth less than 0, so at first there is nothing to do.
void MacUcbSearch::refute(MicroNode& node) {
    const double certain = certain_of(node);
    if (certain <= less) return;
    const std::size_t seat = node.choosers.front().seat;
    std::vector<std::uint32_t> refuted;
    const std::vector<bool> left = left_in_cs(node, certain, {});
    for (std::uint32_t i = 0; i < left.size(); ++i) {
        const auto& solution = node.solutions[i];
        if (!left[i] || (solution.exact && tree_.exact_value(node, solution, seat) < certain - less))
            refuted.push_back(i);
    }
    tree_.refute(node, refuted);
}

// The certain pruning compares with what is certain; what it removes does not come back. The probable one compares with
// estimates.
void MacUcbSearch::prune(MicroNode& node) {
    node.next_pruning = node.visits + visits_between_prunings;
    refute(node);
    const double threshold = threshold_of(node);
    std::vector<bool> left(node.solutions.size(), true);
    if (options_.pruning > 1 && threshold > less && !node.exact)
        left = left_in_cs(node, threshold, std::log(std::max<double>(1, static_cast<double>(node.visits))));
    for (std::uint32_t i = 0; i < left.size(); ++i) {
        auto& solution = node.solutions[i];
        const bool before =
            std::exchange(solution.removed, solution.refuted || (!solution.exact && !left[i]));
        counts_.nogoods += (solution.removed ? 1 : 0) - (before ? 1 : 0);
    }
}

}  // namespace zermelo::play
