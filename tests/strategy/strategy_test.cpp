#include "strategy/strategy.hpp"

#include <gtest/gtest.h>

#include "games.hpp"
#include "strategy/json.hpp"
#include "strategy/verify.hpp"

namespace zermelo {

namespace {

TEST(StrategyBuilder, MakesEqualNodesOnce) {
    StrategyBuilder builder;
    const NodeId a = builder.node(3, {{{2, 1}, decided}});
    const NodeId b = builder.node(3, {{{1}, decided}, {{2}, decided}});
    EXPECT_EQ(a, b);
    EXPECT_NE(a, builder.node(4, {{{1, 2}, decided}}));
    EXPECT_EQ(builder.size(), 3u);
}

TEST(StrategyBuilder, JoinsEdgesToOneChildAndSortsThem) {
    StrategyBuilder builder;
    const NodeId x = builder.node(1, 7, decided);
    const NodeId y = builder.node(0, {{{5}, x}, {{4}, decided}, {{1}, x}, {{3}, x}});
    const Strategy strategy = builder.extract(y, Quantifier::exists);
    ASSERT_EQ(strategy.size(), 2u);
    const std::vector<Edge> expected{{{1, 3, 5}, 1}, {{4}, decided}};
    EXPECT_EQ(strategy.nodes[2].edges, expected);
}

TEST(StrategyBuilder, ExtractTakesOnlyWhatTheRootReaches) {
    StrategyBuilder builder;
    const NodeId wanted = builder.node(1, 1, decided);
    builder.node(1, 2, decided);
    const NodeId root = builder.node(0, 3, wanted);
    builder.node(0, 4, root);
    const Strategy strategy = builder.extract(root, Quantifier::forall);
    EXPECT_EQ(strategy.size(), 2u);
    EXPECT_EQ(strategy.root, 2);
    EXPECT_EQ(strategy.owner, Quantifier::forall);
}

TEST(StrategyBuilder, CollectForgetsTheRestAndRenumbersTheRoots) {
    StrategyBuilder builder;
    for (Value garbage = 0; garbage < 100; ++garbage) builder.node(5, garbage, decided);
    const NodeId leafward = builder.node(1, 1, decided);
    NodeId root = builder.node(0, {{{1}, leafward}, {{2}, decided}});
    NodeId other = builder.node(7, 1, decided);
    NodeId leaf = decided;
    const Strategy before = builder.extract(root, Quantifier::exists);
    builder.collect({&root, &other, &leaf});
    EXPECT_EQ(builder.size(), 4u);
    EXPECT_EQ(leaf, decided);
    EXPECT_EQ(builder.node(7, 1, decided), other);  // still shared
    EXPECT_EQ(builder.extract(root, Quantifier::exists).nodes[2].edges, before.nodes[2].edges);
    EXPECT_EQ(builder.size(), 4u);
}

TEST(Completed, NimWithFourMatchesIsTheGraphOfSectionSeven) {
    const Model nim = fibonacci_nim_4();
    StrategyBuilder builder;
    const NodeId y2 = builder.node(variable(nim, "y2"), {{{1, 2, 3}, decided}});
    const NodeId x2a = builder.node(variable(nim, "x2"), 2, y2);
    const NodeId x2b = builder.node(variable(nim, "x2"), 1, y2);
    const NodeId y1 = builder.node(variable(nim, "y1"), {{{1}, x2a}, {{2, 3}, x2b}});
    const Strategy figure = builder.extract(builder.node(variable(nim, "x1"), 1, y1), Quantifier::exists);

    const Strategy result = completed(nim, compact_nim_strategy(nim));
    EXPECT_EQ(result.size(), 5u);
    EXPECT_EQ(fingerprint(nim, result), fingerprint(nim, figure));
    EXPECT_EQ(scenarios(result), "9");
    EXPECT_TRUE(verify(nim, result).valid);
    EXPECT_EQ(fingerprint(nim, completed(nim, result)), fingerprint(nim, result));
}

TEST(Completed, FreeChoicesKeepTheRules) {
    ModelBuilder game("free");
    const auto y = game.forall("y", 1, 3);
    const auto x = game.exists("x", 1, 3);
    game.rule(x >= y);
    game.win(true);
    const Model model = game.build();
    const Strategy result = completed(model, Strategy{});  // the bare leaf: everything wins
    ASSERT_EQ(result.size(), 4u);
    for (const StrategyNode& node : result.nodes) {
        if (node.variable != variable(model, "y")) continue;
        for (const Edge& edge : node.edges) {
            EXPECT_EQ(edge.values, result.nodes[static_cast<std::size_t>(edge.to)].edges.front().values);
        }
    }
    EXPECT_TRUE(verify(model, result).valid);
}

TEST(Completed, BringsTheVariablesOfABlockIntoTheirOrder) {
    ModelBuilder game("order");
    const auto y1 = game.forall("y1", 0, 1);
    const auto y2 = game.also("y2", 0, 1);
    const auto x1 = game.exists("x1", 0, 1);
    const auto x2 = game.also("x2", 0, 1);
    game.win(x1 == y1 && x2 == y2);
    const Model model = game.build();
    StrategyBuilder builder;
    std::vector<Edge> outer;
    for (const Value b : {0, 1}) {
        std::vector<Edge> inner;
        for (const Value a : {0, 1}) {
            const NodeId first = builder.node(variable(model, "x1"), a, decided);
            inner.push_back({{a}, builder.node(variable(model, "x2"), b, first)});
        }
        outer.push_back({{b}, builder.node(variable(model, "y1"), inner)});
    }
    const Strategy strategy = builder.extract(builder.node(variable(model, "y2"), outer), Quantifier::exists);
    ASSERT_TRUE(verify(model, strategy).valid);
    const Strategy result = completed(model, strategy);
    EXPECT_TRUE(verify(model, result).valid);
    EXPECT_EQ(result.nodes[static_cast<std::size_t>(result.root)].variable, variable(model, "y1"));
    EXPECT_EQ(result.size(), 1u + 2u + 2u + 4u);  // the x2 nodes of equal values are shared
}

}  // namespace

}  // namespace zermelo
