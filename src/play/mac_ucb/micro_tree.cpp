#include "play/mac_ucb/micro_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace zermelo::play {

namespace {

constexpr std::size_t bytes_of_key = 64;  // in the map, with what the map needs itself
constexpr double same_utility = 1e-9;     // of utilities

}  // namespace

Hash128 weighed(const Hash128& key, double probability) {
    constexpr double precision = 1e9;
    return mixed(key.low ^ key.high, static_cast<std::uint64_t>(probability * precision + 0.5));
}

Hash128 key_of(const std::vector<MicroNode::Possible>& states, bool hidden) {
    if (states.size() == 1 && !hidden) return gdl::hash(states.front().state);
    Hash128 sum;
    for (const auto& one : states) sum = sum + weighed(gdl::hash(one.state), one.probability);
    return sum;
}

std::optional<MicroId> MicroTree::find(const Hash128& key) const {
    const auto at = by_state_.find(key);
    return at == by_state_.end() ? std::nullopt : std::optional(at->second);
}

MicroId MicroTree::add(const Hash128& key, MicroNode node) {
    const auto id = static_cast<MicroId>(nodes_.size());
    bytes_ += bytes_of(node);
    nodes_.push_back(std::make_unique<MicroNode>(std::move(node)));
    by_state_[key] = id;
    return id;
}

std::size_t MicroTree::bytes_of(const MicroNode& node) {
    std::size_t result = sizeof(MicroNode) + bytes_of_key + node.sum.size() * sizeof(double);
    for (const auto& possible : node.states)
        result += sizeof(possible) + possible.state.size() * sizeof(possible.state[0]);
    return result + bytes_of_solutions(node);
}

std::size_t MicroTree::bytes_of_solutions(const MicroNode& node) {
    std::size_t result = node.solutions.size() * sizeof(MicroNode::Solution) +
                         node.outcomes.size() * sizeof(MicroNode::Outcome);
    for (const auto& chooser : node.choosers)
        result += sizeof(chooser) + chooser.arms.size() * sizeof(MicroNode::Arm);
    return result;
}

MicroId MicroTree::keep_below(MicroId root) {
    constexpr MicroId none = ~MicroId{0};
    std::vector<MicroId> renamed(nodes_.size(), none);
    std::vector<MicroId> order = {root};
    renamed[root] = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const auto& outcome : (*this)[order[i]].outcomes) {
            if (renamed[outcome.child] != none) continue;
            renamed[outcome.child] = static_cast<MicroId>(order.size());
            order.push_back(outcome.child);
        }
    }
    std::vector<std::unique_ptr<MicroNode>> kept;
    bytes_ = 0;
    for (const MicroId id : order) {
        for (auto& outcome : (*this)[id].outcomes) outcome.child = renamed[outcome.child];
        bytes_ += bytes_of((*this)[id]);
        kept.push_back(std::move(nodes_[id]));
    }
    nodes_ = std::move(kept);
    std::erase_if(by_state_, [&](const auto& entry) { return renamed[entry.second] == none; });
    for (auto& [key, id] : by_state_) id = renamed[id];
    if (by_state_.size() > nodes_.size()) bytes_ += bytes_of_key * (by_state_.size() - nodes_.size());
    return 0;
}

double MicroTree::exact_value(const MicroNode& node, const MicroNode::Solution& solution,
                              std::size_t seat) const {
    double result = 0;
    for (const auto& outcome : node.outcomes_of(solution))
        result += outcome.probability * (*this)[outcome.child].value[seat];
    return result;
}

bool MicroTree::all_exact(const MicroNode& node, const MicroNode::Solution& solution) const {
    return std::ranges::all_of(node.outcomes_of(solution), [&](const MicroNode::Outcome& outcome) {
        return (*this)[outcome.child].exact;
    });
}

void MicroTree::settle(MicroNode& node, std::size_t solution) {
    auto& mine = node.solutions[solution];
    if (node.exact || mine.exact || !all_exact(node, mine)) return;
    mine.exact = true;
    if (node.choosers.size() == 1) {
        for (auto& other : node.solutions) other.exact = other.exact || other.twin_of == solution;
    }
    settle_node(node);
}

void MicroTree::settle_all(MicroNode& node) {
    std::unordered_map<Hash128, std::uint32_t, LowBitsHash> known;
    bool some = false;
    for (std::uint32_t i = 0; i < node.solutions.size(); ++i) {
        auto& solution = node.solutions[i];
        solution.twin_of = i;
        solution.exact = all_exact(node, solution);
        some = some || solution.exact;
        if (node.choosers.size() != 1) continue;
        Hash128 same;  // whatever their order
        for (const auto& outcome : node.outcomes_of(solution))
            same = same + mixed(outcome.child, std::bit_cast<std::uint64_t>(outcome.probability));
        solution.twin_of = known.try_emplace(same, i).first->second;
    }
    if (some) settle_node(node);
}

void MicroTree::refute(MicroNode& node, const std::vector<std::uint32_t>& solutions) {
    for (const std::uint32_t i : solutions) node.solutions[i].refuted = node.solutions[i].removed = true;
    if (!node.exact) settle_node(node);
}

void MicroTree::set_value(MicroNode& node, const MicroNode::Solution& solution) {
    node.exact = true;
    node.value.resize(node.sum.size());
    for (std::size_t seat = 0; seat < node.value.size(); ++seat)
        node.value[seat] = exact_value(node, solution, seat);
}

void MicroTree::settle_node(MicroNode& node) {
    if (node.choosers.size() == 1) {
        // The best solution for the player who chooses, once all are exact or worse, or one that cannot be better.
        const std::size_t seat = node.choosers.front().seat;
        double worth = -1;
        bool all = true;
        for (std::uint32_t i = 0; i < node.solutions.size(); ++i) {
            all = all && (node.solutions[i].exact || node.solutions[i].refuted);
            if (!node.solutions[i].exact) continue;
            const double value = exact_value(node, node.solutions[i], seat);
            if (value <= worth + same_utility) continue;
            node.certain = i;
            worth = value;
        }
        if (all || worth >= 1 - same_utility) set_value(node, node.solutions[*node.certain]);
        return;
    }
    if (node.solutions.empty()) return;
    // Nobody chooses, or several do: then only if it does not matter what they choose.
    const auto& first = node.solutions.front();
    for (const auto& solution : node.solutions) {
        if (!solution.exact) return;
        for (std::size_t seat = 0; seat < node.sum.size(); ++seat) {
            if (std::abs(exact_value(node, solution, seat) - exact_value(node, first, seat)) > same_utility)
                return;
        }
    }
    set_value(node, first);
}

}  // namespace zermelo::play
