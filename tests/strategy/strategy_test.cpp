#include "strategy/strategy.hpp"

#include <gtest/gtest.h>

#include "games.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"

namespace zermelo {

namespace {

TEST(StrategyBuilder, MakesEqualNodesOnce) {
    strategy::StrategyBuilder builder;
    const strategy::NodeId a = builder.node(3, {{{2, 1}, strategy::decided}});
    const strategy::NodeId b = builder.node(3, {{{1}, strategy::decided}, {{2}, strategy::decided}});
    EXPECT_EQ(a, b);
    EXPECT_NE(a, builder.node(4, {{{1, 2}, strategy::decided}}));
    EXPECT_EQ(builder.size(), 3u);
}

TEST(StrategyBuilder, JoinsEdgesToOneChildAndSortsThem) {
    strategy::StrategyBuilder builder;
    const strategy::NodeId x = builder.node(1, 7, strategy::decided);
    const strategy::NodeId y = builder.node(0, {{{5}, x}, {{4}, strategy::decided}, {{1}, x}, {{3}, x}});
    const strategy::Strategy strategy = builder.extract(y, model::Quantifier::exists);
    ASSERT_EQ(strategy.size(), 2u);
    const std::vector<strategy::Edge> expected{{{1, 3, 5}, 1}, {{4}, strategy::decided}};
    EXPECT_EQ(strategy.nodes[2].edges, expected);
}

TEST(StrategyBuilder, ExtractTakesOnlyWhatTheRootReaches) {
    strategy::StrategyBuilder builder;
    const strategy::NodeId wanted = builder.node(1, 1, strategy::decided);
    builder.node(1, 2, strategy::decided);
    const strategy::NodeId root = builder.node(0, 3, wanted);
    builder.node(0, 4, root);
    const strategy::Strategy strategy = builder.extract(root, model::Quantifier::forall);
    EXPECT_EQ(strategy.size(), 2u);
    EXPECT_EQ(strategy.root, 2);
    EXPECT_EQ(strategy.owner, model::Quantifier::forall);
}

TEST(StrategyBuilder, CollectForgetsTheRestAndRenumbersTheRoots) {
    strategy::StrategyBuilder builder;
    for (model::Value garbage = 0; garbage < 100; ++garbage) builder.node(5, garbage, strategy::decided);
    const strategy::NodeId leafward = builder.node(1, 1, strategy::decided);
    strategy::NodeId root = builder.node(0, {{{1}, leafward}, {{2}, strategy::decided}});
    strategy::NodeId other = builder.node(7, 1, strategy::decided);
    strategy::NodeId leaf = strategy::decided;
    const strategy::Strategy before = builder.extract(root, model::Quantifier::exists);
    builder.collect({&root, &other, &leaf});
    EXPECT_EQ(builder.size(), 4u);
    EXPECT_EQ(leaf, strategy::decided);
    EXPECT_EQ(builder.node(7, 1, strategy::decided), other);  // still shared
    EXPECT_EQ(builder.extract(root, model::Quantifier::exists).nodes[2].edges, before.nodes[2].edges);
    EXPECT_EQ(builder.size(), 4u);
}

TEST(Completed, NimWithFourMatchesIsTheGraphOfSectionSeven) {
    const model::Model nim = fibonacci_nim_4();
    strategy::StrategyBuilder builder;
    const strategy::NodeId y2 = builder.node(variable(nim, "y2"), {{{1, 2, 3}, strategy::decided}});
    const strategy::NodeId x2a = builder.node(variable(nim, "x2"), 2, y2);
    const strategy::NodeId x2b = builder.node(variable(nim, "x2"), 1, y2);
    const strategy::NodeId y1 = builder.node(variable(nim, "y1"), {{{1}, x2a}, {{2, 3}, x2b}});
    const strategy::Strategy figure =
        builder.extract(builder.node(variable(nim, "x1"), 1, y1), model::Quantifier::exists);

    const strategy::Strategy result = completed(nim, compact_nim_strategy(nim));
    EXPECT_EQ(result.size(), 5u);
    EXPECT_EQ(fingerprint(nim, result), fingerprint(nim, figure));
    EXPECT_EQ(scenarios(result), "9");
    EXPECT_TRUE(verify(nim, result).valid);
    EXPECT_EQ(fingerprint(nim, completed(nim, result)), fingerprint(nim, result));
}

TEST(Completed, FreeChoicesKeepTheRules) {
    model::ModelBuilder game("free");
    const auto y = game.forall("y", 1, 3);
    const auto x = game.exists("x", 1, 3);
    game.rule(x >= y);
    game.win(true);
    const model::Model model = game.build();
    const strategy::Strategy result =
        completed(model, strategy::Strategy{});  // the bare leaf: everything wins
    ASSERT_EQ(result.size(), 4u);
    for (const strategy::StrategyNode& node : result.nodes) {
        if (node.variable != variable(model, "y")) continue;
        for (const strategy::Edge& edge : node.edges) {
            EXPECT_EQ(edge.values, result.nodes[static_cast<std::size_t>(edge.to)].edges.front().values);
        }
    }
    EXPECT_TRUE(verify(model, result).valid);
}

TEST(Completed, BringsTheVariablesOfABlockIntoTheirOrder) {
    model::ModelBuilder game("order");
    const auto y1 = game.forall("y1", 0, 1);
    const auto y2 = game.also("y2", 0, 1);
    const auto x1 = game.exists("x1", 0, 1);
    const auto x2 = game.also("x2", 0, 1);
    game.win(x1 == y1 && x2 == y2);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    std::vector<strategy::Edge> outer;
    for (const model::Value b : {0, 1}) {
        std::vector<strategy::Edge> inner;
        for (const model::Value a : {0, 1}) {
            const strategy::NodeId first = builder.node(variable(model, "x1"), a, strategy::decided);
            inner.push_back({{a}, builder.node(variable(model, "x2"), b, first)});
        }
        outer.push_back({{b}, builder.node(variable(model, "y1"), inner)});
    }
    const strategy::Strategy strategy =
        builder.extract(builder.node(variable(model, "y2"), outer), model::Quantifier::exists);
    ASSERT_TRUE(verify(model, strategy).valid);
    const strategy::Strategy result = completed(model, strategy);
    EXPECT_TRUE(verify(model, result).valid);
    EXPECT_EQ(result.nodes[static_cast<std::size_t>(result.root)].variable, variable(model, "y1"));
    EXPECT_EQ(result.size(), 1u + 2u + 2u + 4u);  // the x2 nodes of equal values are shared
}

}  // namespace

}  // namespace zermelo
