#include "scsp/refutation.hpp"

#include <algorithm>
#include <tuple>

namespace zermelo::scsp {

using gdl::Signal;

Refutation::Refutation(const Turn& turn, std::uint64_t most_nodes, const Limits& limits)
    : turn_(turn),
      filter_(turn),
      most_nodes_(most_nodes),
      limits_(limits),
      readers_(turn.nodes, 0),
      seen_(turn.nodes, 0) {
    const gdl::Network& network = turn.network;
    for (const Signal s : turn.inputs) ++readers_[s.node()];
    legal_.resize(network.first_gate - network.first_move);
    for (const auto& moves : network.moves) {
        for (const auto& move : moves) legal_[move.node - network.first_move] = move.legal;
    }
}

bool Refutation::refutes(const std::vector<Signal>& together) {
    collect_inputs(together);
    filter_.focus([&](std::uint32_t node) { return seen_[node] == stamp_; });
    const bool refuted = contradict(together);
    filter_.widen();
    return refuted || (left_ > 0 && contradict(together));
}

bool Refutation::contradict(const std::vector<Signal>& together) {
    left_ = most_nodes_;
    filter_.push();
    bool possible = filter_.consistent();
    for (const Signal s : together) possible = possible && filter_.post(s);
    const bool refuted = !possible || none_from_here();
    filter_.undo(0);
    return refuted;
}

// What to decide: the moves and fluents that the signals depend on, then what the legality of these moves
// depends on.
void Refutation::collect_inputs(const std::vector<Signal>& signals) {
    ++stamp_;
    inputs_.clear();
    add_inputs(signals);
    std::vector<Signal> legal;
    const std::uint32_t first_move = turn_.network.first_move;
    for (const std::uint32_t node : inputs_) {
        if (node >= first_move) legal.push_back(legal_[node - first_move]);
    }
    add_inputs(legal);
}

// Moves decide most and so come first, then fluents that many gates read.
void Refutation::add_inputs(const std::vector<Signal>& signals) {
    const auto before = static_cast<std::ptrdiff_t>(inputs_.size());
    const auto meet = [&](std::uint32_t node) {
        if (node == 0 || seen_[node] == stamp_) return;
        seen_[node] = stamp_;
        (node < turn_.network.first_gate ? inputs_ : todo_).push_back(node);
    };
    for (const Signal s : signals) meet(s.node());
    while (!todo_.empty()) {
        const std::uint32_t gate = todo_.back();
        todo_.pop_back();
        for (const Signal s : turn_.inputs_of(gate)) meet(s.node());
    }
    const std::uint32_t first_move = turn_.network.first_move;
    std::sort(inputs_.begin() + before, inputs_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(a < first_move, readers_[b], a) < std::tuple(b < first_move, readers_[a], b);
    });
}

bool Refutation::none_from_here() {
    if (left_ == 0 || ((++nodes_ & 255) == 0 && limits_.reached() != Stop::none)) return false;
    --left_;
    const auto open = std::ranges::find_if(inputs_, [&](std::uint32_t node) {
        return filter_.truth(Signal(node, false)) == gdl::Truth::unknown;
    });
    if (open == inputs_.end()) return false;
    const std::size_t level = filter_.level();
    for (const bool negated : {false, true}) {
        const bool fails = !filter_.assume(Signal(*open, negated)) || none_from_here();
        filter_.undo(level);
        if (!fails) return false;
    }
    return true;
}

}  // namespace zermelo::scsp
