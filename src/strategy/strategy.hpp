// Strategy: how the winner plays, as a directed acyclic graph (Barichard and Stéphan 2017, section 7.1).
//
// A node names a variable of the prefix. At a variable of the strategy's owner it has one edge with one
// value: the move. At a variable of the opponent it has edges for all legal values; values that lead to the
// same child share one edge (`1//2//3` in that paper). Equal nodes are one node, as in a decision diagram
// (Bryant 1986). A node may skip variables: the claim then holds whatever values they take. The leaf
// `decided` claims that the owner has won whatever follows, with every remaining choice of both players
// within the rules.
//
// The owner of a winning strategy is ∃; a lost verdict carries the counter-strategy, owned by ∀.

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/hash.hpp"
#include "model/model.hpp"

namespace zermelo::strategy {

using NodeId = std::int32_t;
inline constexpr NodeId decided = 0;  // the leaf

struct Edge {
    std::vector<model::Value> values;  // ascending, not empty
    NodeId to;
    friend bool operator==(const Edge&, const Edge&) = default;
};

struct StrategyNode {
    model::VarId variable = -1;  // -1 for the leaf
    std::vector<Edge> edges;
};

struct Strategy {
    model::Quantifier owner = model::Quantifier::exists;
    std::vector<StrategyNode> nodes = {StrategyNode{}};  // nodes[decided] is the leaf; children come first
    NodeId root = decided;

    [[nodiscard]] std::size_t size() const { return nodes.size() - 1; }  // without the leaf
};

// Builds nodes so that equal ones are made once. Children must exist before their parents.
class StrategyBuilder {
public:
    // Edges with the same child are joined and sorted; `edges` must not be empty.
    NodeId node(model::VarId variable, std::vector<Edge> edges);
    NodeId node(model::VarId variable, model::Value value, NodeId to) {
        return node(variable, {Edge{{value}, to}});
    }

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const StrategyNode& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
    [[nodiscard]] Strategy extract(NodeId root,
                                   model::Quantifier owner) const;  // what is reachable from root

    // Forgets every node that cannot be reached from `roots`, and renumbers the ids in place.
    void collect(const std::vector<NodeId*>& roots);

private:
    std::vector<StrategyNode> nodes_ = {StrategyNode{}};
    std::unordered_multimap<std::uint64_t, NodeId> index_;
};

// The strategy over *every* variable and *every* value, as in the figures of Barichard and Stéphan (2017): skipped variables get
// nodes, the owner's free choices take the smallest value that the rules allow, illegal values of the
// opponent are treated as if they were legal. The leaf then stands only behind the last variable.
[[nodiscard]] Strategy completed(const model::Model& model, const Strategy& strategy);

}  // namespace zermelo::strategy
