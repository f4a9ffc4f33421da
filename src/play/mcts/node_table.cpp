// Transposition table of the tree (Childs, Brodeur and Kocsis 2008): nodes by the hash of their state.
//
// When memory is used up, a clock hand goes round and frees nodes that the last two searches did not visit
// (second-chance replacement).

#include <algorithm>

#include "play/mcts/mcts_internal.hpp"

namespace zermelo::play {

namespace {

constexpr std::size_t nodes_looked_at = 256;  // for one that can go

}  // namespace

Mcts::NodeId Mcts::find(const Hash128& key) const {
    for (NodeId id = bucket_[key.low % buckets]; id != none; id = node(id).next) {
        if (node(id).key == key) return id;
    }
    return none;
}

void Mcts::unlink(NodeId id) {
    NodeId* at = &bucket_[node(id).key.low % buckets];
    while (*at != id) at = &node(*at).next;
    *at = node(id).next;
}

std::size_t Mcts::bytes_of(const Node& node) const {
    std::size_t bytes = sizeof(Node) + node.state.capacity() * sizeof(std::uint64_t) +
                        node.bounds.capacity() * sizeof(Bounds) + node.forced.capacity() * sizeof(MoveId) +
                        node.bandits.capacity() * sizeof(Bandit) + node.edges.capacity() * sizeof(Edge) +
                        node.counts.capacity() * sizeof(Count);
    for (const Bandit& bandit : node.bandits) bytes += bandit.arms.capacity() * sizeof(Arm);
    return bytes;
}

// A free place. When memory is used up, nodes that nobody visited lately go.
Mcts::NodeId Mcts::room(bool anyway) {
    for (std::size_t i = 0; bytes_ >= most_bytes_ && i < std::min(nodes_looked_at, used_); ++i) {
        hand_ = hand_ + 1 < used_ ? hand_ + 1 : 0;
        Node& old = node(hand_);
        if (old.state.empty() || old.era + 1 >= era_ || old.pending > 0) continue;
        unlink(hand_);
        bytes_ -= bytes_of(old);
        const std::uint32_t generation = old.generation + 1;
        old = Node();
        old.generation = generation;
        free_.push_back(hand_);
    }
    if (bytes_ >= most_bytes_ && !anyway) return none;
    if (!free_.empty()) {
        const NodeId id = free_.back();
        free_.pop_back();
        return id;
    }
    if (used_ == chunks_.size() * chunk_size) chunks_.push_back(std::make_unique<Node[]>(chunk_size));
    return static_cast<NodeId>(used_++);
}

Mcts::NodeId Mcts::insert(const Hash128& key, const Playouts::Look& look, bool anyway) {
    const NodeId id = room(anyway);
    if (id == none) return none;
    Node& fresh = node(id);
    fresh.key = key;
    fresh.state = look.state;
    fresh.era = era_;
    fresh.terminal = look.terminal;
    fresh.bounds.assign(rules_.roles(), Bounds());
    if (look.terminal) {
        for (std::size_t r = 0; r < fresh.bounds.size(); ++r) {
            const float value = static_cast<float>(std::max(0, look.goals[r])) * 0.01F;
            fresh.bounds[r] = {value, value};
        }
    } else {
        fresh.forced.resize(rules_.roles());
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            const auto& legal = look.legal[r];
            if (legal.empty()) throw rules_.stuck(r);
            fresh.forced[r] = legal.front();
            if (legal.size() == 1) continue;
            Bandit& bandit = fresh.bandits.emplace_back();
            bandit.role = static_cast<std::uint32_t>(r);
            bandit.arms.reserve(legal.size());
            for (const MoveId move : legal) bandit.arms.push_back({.move = move});
        }
    }
    std::size_t joint = 1;
    for (const Bandit& bandit : fresh.bandits) {
        joint *= bandit.arms.size();
        if (joint > most_edges) break;
    }
    fresh.widely = joint > most_edges;
    if (!fresh.terminal && !fresh.widely) fresh.edges.resize(joint);
    NodeId& head = bucket_[fresh.key.low % buckets];
    fresh.next = head;
    head = id;
    bytes_ += bytes_of(fresh);
    return id;
}

}  // namespace zermelo::play
