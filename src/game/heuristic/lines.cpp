#include "game/heuristic/lines.hpp"

#include <algorithm>

namespace zermelo::game {

namespace {

using gdl::Network;
using gdl::Signal;

// Numbers of ways grow without bound in games that are not about lines; beyond this they are as good as
// equal.
constexpr double most_ways = 1e100;
// The largest weight: sums of weights stay within a score.
constexpr double largest_weight = 1e5;

double bounded(double ways) { return std::min(ways, most_ways); }

class Ways {
public:
    explicit Ways(const Network& network)
        : network_(network),
          positive_(2 * std::size_t{network.nodes}, false),
          ways_(positive_.size(), 1),
          share_(positive_.size(), 0) {}

    std::vector<double> through_fluents(Signal goal) {
        count_ways();
        share_[goal.code()] = 1;
        for (std::uint32_t gate = network_.first_late; gate-- > network_.first_gate;) pass_down(gate);
        std::vector<double> weights;
        for (std::uint32_t i = 0; i < network_.fluents.size(); ++i) {
            weights.push_back(share_[Signal(1 + i, false).code()]);
        }
        return weights;
    }

private:
    void count_ways() {
        ways_[Network::never.code()] = 0;
        for (std::uint32_t i = 0; i < network_.fluents.size(); ++i)
            positive_[Signal(1 + i, false).code()] = true;
        for (std::size_t i = 0; i < network_.early_stretches; ++i) {
            const auto& stretch = network_.stretches[i];
            if (stretch.loop) continue;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate) pass_up(gate);
        }
    }

    // The gate is the conjunction of its inputs, its negation the disjunction of their negations.
    void pass_up(std::uint32_t gate) {
        const Signal all(gate, false);
        double product = 1;
        double sum = 0;
        for (const Signal s : network_.inputs_of(gate)) {
            product = bounded(product * ways_[s.code()]);
            sum = bounded(sum + ways_[(!s).code()]);
            if (positive_[s.code()]) positive_[all.code()] = true;
            if (positive_[(!s).code()]) positive_[(!all).code()] = true;
        }
        if (positive_[all.code()]) ways_[all.code()] = product;
        if (positive_[(!all).code()]) ways_[(!all).code()] = sum;
    }

    void pass_down(std::uint32_t gate) {
        const Signal all(gate, false);
        const auto inputs = network_.inputs_of(gate);
        if (const double share = share_[(!all).code()]; share > 0 && positive_[(!all).code()]) {
            for (const Signal s : inputs) add_share(!s, share);
        }
        if (const double share = share_[all.code()]; share > 0 && positive_[all.code()]) {
            // The product of the others: those before times those after.
            std::vector<double> after(inputs.size() + 1, 1);
            for (std::size_t i = inputs.size(); i-- > 0;) {
                after[i] = bounded(after[i + 1] * ways_[inputs[i].code()]);
            }
            double before = share;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                add_share(inputs[i], bounded(before * after[i + 1]));
                before = bounded(before * ways_[inputs[i].code()]);
            }
        }
    }

    void add_share(Signal s, double share) { share_[s.code()] = bounded(share_[s.code()] + share); }

    const Network& network_;
    std::vector<bool> positive_;  // by signal: it asks for a fluent to hold
    std::vector<double> ways_;    // by signal: to make it hold
    std::vector<double> share_;   // by signal: the ways of the goal in which it takes part
};

}  // namespace

std::vector<double> ways_to_win(const Network& network, std::size_t role) {
    const Network::Goal* best = nullptr;
    for (const Network::Goal& goal : network.goals[role]) {
        if (goal.holds != Network::never && (best == nullptr || goal.value > best->value)) best = &goal;
    }
    if (best == nullptr) return std::vector<double>(network.fluents.size(), 0);
    return Ways(network).through_fluents(best->holds);
}

Linear lines_heuristic(const gdl::Machine& machine) {
    const Network& network = machine.network();
    std::vector<std::vector<double>> ways;
    double largest = 0;
    for (std::size_t role = 0; role < network.roles.size(); ++role) {
        if (network.terms.symbol(network.roles[role]) == gdl::kw_random) continue;
        ways.push_back(ways_to_win(network, role));
        for (const double w : ways.back()) largest = std::max(largest, w);
    }
    const double unit = largest > largest_weight ? largest_weight / largest : 1;
    Linear heuristic;
    for (std::size_t player = 0; player < ways.size(); ++player) {
        Weights weights{0, std::vector<double>(network.fluents.size(), 0)};
        for (std::size_t other = 0; other < ways.size(); ++other) {
            const double sign = other == player ? unit : -unit;
            for (std::size_t f = 0; f < weights.of_fluent.size(); ++f) {
                weights.of_fluent[f] += sign * ways[other][f];
            }
        }
        heuristic.of_player.push_back(std::move(weights));
    }
    return heuristic;
}

}  // namespace zermelo::game
