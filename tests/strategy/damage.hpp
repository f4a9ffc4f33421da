// Strategies damaged in one place, for checkers that are compared with brute force.

#pragma once

#include <gtest/gtest.h>

#include "model/structure.hpp"
#include "strategy/strategy.hpp"
#include "support/random_model.hpp"

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

struct Tally {
    int exists = 0;
    int forall = 0;
    int rejected = 0;
    int harmless = 0;
};

// Both players' strategies, harmless and harmful damages must all be common among the models.
template <class Compare>
void compare_many(std::size_t models, Compare compare_one) {
    Tally total;
    for (const auto seed : seeds(models)) {
        const Tally tally = compare_one(seed);
        if (::testing::Test::HasFailure()) return;
        total.exists += tally.exists;
        total.forall += tally.forall;
        total.rejected += tally.rejected;
        total.harmless += tally.harmless;
    }
    const auto enough = static_cast<int>(models) / 10;
    EXPECT_GT(total.exists, enough);
    EXPECT_GT(total.forall, enough);
    EXPECT_GT(total.rejected, enough);
    EXPECT_GT(total.harmless, enough);
}

}  // namespace zermelo
