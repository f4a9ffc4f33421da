// What the files of the tree search share: the state of a thread, and the small functions of its inner loops.

#pragma once

#include "play/mcts/mcts.hpp"

namespace zermelo::play {

inline constexpr float tolerance = 1e-5F;  // between bounds that are taken to be equal

struct Mcts::Worker {
    InfoState info_state;
    Playouts playouts;
    Random random;
    std::vector<Descent> descents;
    std::size_t used = 0;  // of them
    std::vector<Playouts::Exit> exits;
    std::vector<Playouts::Look> looks;
    std::vector<Playouts::Result> results;
    std::unique_ptr<learn::Judge> judge;  // where there is a network
    std::vector<const State*> judged;
    std::vector<std::uint32_t> ties;
    std::vector<Turn> turns;  // since the node whose counts are used

    Worker(const GameContext& rules, std::uint64_t seed)
        : info_state(rules), playouts(rules, seed ^ 0xB0A7), random(seed) {}
    [[nodiscard]] std::span<Descent> in_use() { return std::span(descents).first(used); }
};

inline Mcts::NodeId Mcts::child(const Node& parent, std::uint32_t edge) const {
    if (edge >= parent.edges.size()) return none;
    const Edge& to = parent.edges[edge];
    return to.node != none && node(to.node).generation == to.generation ? to.node : none;
}

inline Mcts::Bounds Mcts::known(const Node& at, std::uint32_t edge, std::size_t role) const {
    const NodeId to = child(at, edge);
    return to == none ? Bounds() : node(to).bounds[role];
}

// There are at most two bandits.
inline Mcts::Bounds Mcts::known_of_arm(const Node& at, std::size_t which, std::uint32_t arm) const {
    return at.bandits.size() == 1 ? known(at, arm, at.bandits[which].role)
                                  : known_against_all(at, which, arm);
}

inline bool Mcts::certain(const Node& of) const {
    for (const std::size_t r : rules_.seats()) {
        if (of.bounds[r].high - of.bounds[r].low > tolerance) return false;
    }
    return true;
}

}  // namespace zermelo::play
