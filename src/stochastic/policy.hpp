// Policy tree (Walsh 2002) as a directed acyclic graph: a decision for every outcome of chance.
//
// A node names a variable of the order, its children the next one. A decision has one edge with one value. A
// chance variable has edges for all values of positive probability; values after which the policy goes on in
// the same way share an edge, with their total probability. Equal nodes are one node, and there is one leaf.

#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/hash.hpp"
#include "stochastic/model.hpp"

namespace zermelo::stochastic {

using NodeId = std::int32_t;
inline constexpr NodeId leaf = 0;

struct PolicyEdge {
    std::vector<model::Value> values;  // ascending, not empty
    Rational probability = 1;          // of all of them together; 1 for a decision
    NodeId to = leaf;
    friend bool operator==(const PolicyEdge&, const PolicyEdge&) = default;
};

struct PolicyNode {
    model::VarId variable = -1;  // -1 for the leaf
    std::vector<PolicyEdge> edges;
};

struct Policy {
    std::vector<PolicyNode> nodes = {PolicyNode{}};  // nodes[leaf] is the leaf; children come first
    NodeId root = leaf;
    Rationals utilities;  // what it claims: the expected utility of each player

    [[nodiscard]] std::size_t size() const { return nodes.size() - 1; }  // without the leaf
    [[nodiscard]] const PolicyNode& at(NodeId id) const { return nodes[static_cast<std::size_t>(id)]; }
};

// Builds nodes so that equal ones are made once. Children must exist before their parents.
class PolicyBuilder {
public:
    NodeId decision(model::VarId variable, model::Value value, NodeId to) {
        return node(variable, {{{value}, 1, to}});
    }
    // Edges with the same child are joined and sorted; `edges` must not be empty.
    NodeId node(model::VarId variable, std::vector<PolicyEdge> edges);

    [[nodiscard]] Policy extract(NodeId root, Rationals utilities) const;  // what is reachable from root

private:
    std::vector<PolicyNode> nodes_ = {PolicyNode{}};
    std::unordered_multimap<std::uint64_t, NodeId> index_;
};

// 32 hexadecimal digits that name the policy: variables by name, decisions, probabilities. Independent of
// node numbers.
[[nodiscard]] std::string fingerprint(const StochasticModel& model, const Policy& policy);

}  // namespace zermelo::stochastic
