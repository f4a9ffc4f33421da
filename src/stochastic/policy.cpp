#include "stochastic/policy.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::stochastic {

namespace {

void add_text(Hasher& hasher, const std::string& text) {
    hasher.add(text.size());
    hasher.add(text);
}

void join_edges(std::vector<PolicyEdge>& edges) {
    std::vector<PolicyEdge> joined;
    for (PolicyEdge& edge : edges) {
        const auto same =
            std::find_if(joined.begin(), joined.end(), [&](const PolicyEdge& e) { return e.to == edge.to; });
        if (same == joined.end()) {
            joined.push_back(std::move(edge));
        } else {
            same->values.insert(same->values.end(), edge.values.begin(), edge.values.end());
            same->probability += edge.probability;
        }
    }
    for (PolicyEdge& edge : joined) std::sort(edge.values.begin(), edge.values.end());
    std::sort(joined.begin(), joined.end(),
              [](const PolicyEdge& a, const PolicyEdge& b) { return a.values.front() < b.values.front(); });
    edges = std::move(joined);
}

}  // namespace

NodeId PolicyBuilder::node(model::VarId variable, std::vector<PolicyEdge> edges) {
    join_edges(edges);
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(variable));
    for (const PolicyEdge& edge : edges) {
        hasher.add(static_cast<std::uint64_t>(edge.to));
        for (const model::Value value : edge.values) hasher.add(static_cast<std::uint64_t>(value));
    }
    const std::uint64_t key = hasher.value().low;
    const auto [first, last] = index_.equal_range(key);
    for (auto at = first; at != last; ++at) {
        const PolicyNode& known = nodes_[static_cast<std::size_t>(at->second)];
        if (known.variable == variable && known.edges == edges) return at->second;
    }
    const auto id = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({variable, std::move(edges)});
    index_.emplace(key, id);
    return id;
}

Policy PolicyBuilder::extract(NodeId root, Rationals utilities) const {
    std::vector<bool> reached(nodes_.size(), false);
    reached[static_cast<std::size_t>(root)] = true;
    for (std::size_t id = nodes_.size(); id-- > 1;) {
        if (!reached[id]) continue;
        for (const PolicyEdge& edge : nodes_[id].edges) reached[static_cast<std::size_t>(edge.to)] = true;
    }
    Policy policy;
    policy.utilities = std::move(utilities);
    std::vector<NodeId> renumbered(nodes_.size(), leaf);
    for (std::size_t id = 1; id < nodes_.size(); ++id) {
        if (!reached[id]) continue;
        renumbered[id] = static_cast<NodeId>(policy.nodes.size());
        policy.nodes.push_back(nodes_[id]);
        for (PolicyEdge& edge : policy.nodes.back().edges)
            edge.to = renumbered[static_cast<std::size_t>(edge.to)];
    }
    policy.root = renumbered[static_cast<std::size_t>(root)];
    return policy;
}

std::string fingerprint(const StochasticModel& model, const Policy& policy) {
    std::vector<Hash128> hashes(policy.nodes.size());
    for (std::size_t id = 1; id < policy.nodes.size(); ++id) {
        const PolicyNode& node = policy.nodes[id];
        Hasher hasher;
        add_text(hasher, model.model.name_of(node.variable));
        for (const PolicyEdge& edge : node.edges) {
            hasher.add(edge.values.size());
            for (const model::Value value : edge.values) hasher.add(static_cast<std::uint64_t>(value));
            add_text(hasher, text(edge.probability));
            hasher.add(hashes[static_cast<std::size_t>(edge.to)]);
        }
        hashes[id] = hasher.value();
    }
    Hasher hasher;
    hasher.add(hashes[static_cast<std::size_t>(policy.root)]);
    for (const Rational& utility : policy.utilities) add_text(hasher, text(utility));
    return hex(hasher.value());
}

}  // namespace zermelo::stochastic
