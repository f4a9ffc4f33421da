// Strategies damaged in one place, for checkers that are compared with brute force.

#pragma once

#include "core/random.hpp"
#include "model/structure.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {

// One change that leaves the strategy well formed and its nodes in the order of the prefix.
template <class Reference>
bool damage(strategy::Strategy& strategy, const model::Model& model, const model::Structure& structure,
            const Reference& reference, Random& random) {
    if (strategy.size() == 0) return false;
    const auto id = 1 + random.below(strategy.size());
    strategy::StrategyNode& node = strategy.nodes[id];
    const auto block = static_cast<std::size_t>(structure.block_of[static_cast<std::size_t>(node.variable)]);
    const bool own = structure.prefix[block].quantifier == strategy.owner;
    strategy::Edge& edge = node.edges[random.below(node.edges.size())];
    if (random.chance(0.3)) {  // another child
        const auto to = random.below(id);
        if (to != strategy::decided &&
            reference.position(strategy.nodes[to].variable) <= reference.position(node.variable))
            return false;
        edge.to = static_cast<strategy::NodeId>(to);
    } else if (own) {  // another move
        const auto values = model.domain(node.variable).values();
        edge.values = {values[random.below(values.size())]};
    } else {  // a value less
        edge.values.erase(edge.values.begin() +
                          static_cast<std::ptrdiff_t>(random.below(edge.values.size())));
        if (edge.values.empty()) {
            if (node.edges.size() == 1) return false;
            node.edges.erase(node.edges.begin() + (&edge - node.edges.data()));
        }
    }
    return true;
}

}  // namespace zermelo
