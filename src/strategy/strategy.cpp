// Hash consing of strategy nodes: equal nodes are made once, as in a decision diagram's unique table.
//
// Children are always older than their parents, so that one pass over the ids, downwards to mark and upwards
// to compact, is enough to collect what cannot be reached. No recursion: strategies can be millions of nodes
// deep and wide.

#include "strategy/strategy.hpp"

#include <algorithm>
#include <stdexcept>

namespace zermelo::strategy {

namespace {

std::uint64_t hash_of(model::VarId variable, const std::vector<Edge>& edges) {
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(variable));
    for (const Edge& edge : edges) {
        hasher.add(static_cast<std::uint64_t>(edge.to));
        hasher.add(edge.values.size());
        for (const model::Value value : edge.values) hasher.add(static_cast<std::uint64_t>(value));
    }
    return hasher.value().low;
}

// Edges to the same child become one; values ascend, and edges ascend by their smallest value.
void normalise(std::vector<Edge>& edges) {
    if (edges.size() > 1) {
        std::stable_sort(edges.begin(), edges.end(),
                         [](const Edge& a, const Edge& b) { return a.to < b.to; });
        std::size_t last = 0;
        for (std::size_t i = 1; i < edges.size(); ++i) {
            if (edges[i].to == edges[last].to) {
                auto& values = edges[last].values;
                values.insert(values.end(), edges[i].values.begin(), edges[i].values.end());
            } else if (++last != i) {
                edges[last] = std::move(edges[i]);
            }
        }
        edges.resize(last + 1);
    }
    for (Edge& edge : edges) {
        if (edge.values.empty()) throw std::logic_error("a strategy edge without values");
        std::sort(edge.values.begin(), edge.values.end());
        edge.values.erase(std::unique(edge.values.begin(), edge.values.end()), edge.values.end());
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.values.front() < b.values.front(); });
}

constexpr NodeId unreached = -1;

// The new number of every node that can be reached from a marked one; `unreached` for the others.
std::vector<NodeId> renumber(const std::vector<StrategyNode>& nodes, std::vector<bool>& marked) {
    marked[decided] = true;
    for (std::size_t id = nodes.size(); id-- > 0;) {
        if (!marked[id]) continue;
        for (const Edge& edge : nodes[id].edges) marked[static_cast<std::size_t>(edge.to)] = true;
    }
    std::vector<NodeId> number(nodes.size(), unreached);
    NodeId next = 0;
    for (std::size_t id = 0; id < nodes.size(); ++id) {
        if (marked[id]) number[id] = next++;
    }
    return number;
}

}  // namespace

NodeId StrategyBuilder::node(model::VarId variable, std::vector<Edge> edges) {
    if (edges.empty()) throw std::logic_error("a strategy node without edges");
    normalise(edges);
    const std::uint64_t hash = hash_of(variable, edges);
    for (auto [at, end] = index_.equal_range(hash); at != end; ++at) {
        const StrategyNode& known = nodes_[static_cast<std::size_t>(at->second)];
        if (known.variable == variable && known.edges == edges) return at->second;
    }
    const auto id = static_cast<NodeId>(nodes_.size());
    for (Edge& edge : edges) {
        if (edge.to < 0 || edge.to >= id)
            throw std::logic_error("a strategy edge to a node that does not exist yet");
        edge.values.shrink_to_fit();
    }
    edges.shrink_to_fit();
    nodes_.push_back({variable, std::move(edges)});
    index_.emplace(hash, id);
    return id;
}

Strategy StrategyBuilder::extract(NodeId root, model::Quantifier owner) const {
    std::vector<bool> marked(nodes_.size(), false);
    marked[static_cast<std::size_t>(root)] = true;
    const std::vector<NodeId> number = renumber(nodes_, marked);
    Strategy strategy;
    strategy.owner = owner;
    strategy.root = number[static_cast<std::size_t>(root)];
    for (std::size_t id = 1; id < nodes_.size(); ++id) {
        if (number[id] == unreached) continue;
        StrategyNode& node = strategy.nodes.emplace_back(nodes_[id]);
        for (Edge& edge : node.edges) edge.to = number[static_cast<std::size_t>(edge.to)];
    }
    return strategy;
}

void StrategyBuilder::collect(const std::vector<NodeId*>& roots) {
    std::vector<bool> marked(nodes_.size(), false);
    for (const NodeId* root : roots) marked[static_cast<std::size_t>(*root)] = true;
    const std::vector<NodeId> number = renumber(nodes_, marked);
    for (NodeId* root : roots) *root = number[static_cast<std::size_t>(*root)];

    index_.clear();
    std::size_t kept = 1;
    for (std::size_t id = 1; id < nodes_.size(); ++id) {
        if (number[id] == unreached) continue;
        if (kept != id) nodes_[kept] = std::move(nodes_[id]);
        StrategyNode& node = nodes_[kept];
        for (Edge& edge : node.edges) edge.to = number[static_cast<std::size_t>(edge.to)];
        index_.emplace(hash_of(node.variable, node.edges), static_cast<NodeId>(kept));
        ++kept;
    }
    nodes_.resize(kept);
}

}  // namespace zermelo::strategy
