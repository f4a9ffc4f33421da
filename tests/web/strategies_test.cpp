#include "web/session/strategy_store.hpp"

#include <gtest/gtest.h>

#include "game/solve.hpp"
#include "gdl/syntax/parse.hpp"
#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

using Id = StrategyGraph::Id;

// x; then y, of which 1, 2, 3 and 7 lead to the same, and 5 to another x.
struct Small {
    model::Model model;
    strategy::Strategy strategy;

    Small() {
        const model::VarId x = model.add_variable("x", model::Domain(1, 3));
        const model::VarId y = model.add_variable("y", model::Domain(1, 9));
        const model::VarId z = model.add_variable("z", model::Domain(1, 3));
        model.prefix = {{model::Quantifier::exists, {x}, {}},
                        {model::Quantifier::forall, {y}, {}},
                        {model::Quantifier::exists, {z}, {}}};
        strategy::StrategyBuilder builder;
        const strategy::NodeId last = builder.node(z, 2, strategy::decided);
        const strategy::NodeId other = builder.node(z, 3, strategy::decided);
        const strategy::NodeId theirs = builder.node(y, {{{1, 2, 3, 7}, last}, {{5}, other}});
        strategy = builder.extract(builder.node(x, 1, theirs), model::Quantifier::exists);
    }
    [[nodiscard]] StrategyGraph graph() const { return graph_of(model, strategy, {}); }
};

TEST(StrategyGraph, BranchesToTheSameNodeAreOneEdgeOfRanges) {
    const StrategyGraph graph = Small().graph();
    ASSERT_EQ(graph.size(), 5);
    EXPECT_EQ(graph.layers(), (std::vector<std::size_t>{1, 1, 2, 1}));
    const json theirs = graph.to_json(1, nullptr);
    EXPECT_EQ(theirs["kind"], "other");
    EXPECT_EQ(theirs["label"], "y");
    ASSERT_EQ(theirs["edges"].size(), 2);
    EXPECT_EQ(theirs["edges"][0]["labels"], json({"1..3", "7"}));
    EXPECT_EQ(theirs["edges"][1]["labels"], json({"5"}));
    EXPECT_EQ(graph.to_json(4, nullptr)["kind"], "end");
    EXPECT_EQ(graph.to_json(4, nullptr)["payoff"], 100);
    EXPECT_EQ(graph.opening(), (std::vector<std::pair<std::string, std::string>>{{"x", "1"}}));
}

TEST(StrategyGraph, FollowsValuesInRangesAndSkipsVariablesThatItDoesNotAskFor) {
    const StrategyGraph graph = Small().graph();
    EXPECT_EQ(graph.follow({"1", "2"}), (std::vector<Id>{0, 1, 2}));
    EXPECT_EQ(graph.follow({"x = 1", "w = 8", "y = 5", "z=3"}), (std::vector<Id>{0, 1, 3, 4}));
    EXPECT_EQ(graph.follow({"x = 1", "y = 4"}), (std::vector<Id>{0, 1}));
    EXPECT_EQ(graph.follow({"x = 2", "y = 5"}), (std::vector<Id>{0}));
    EXPECT_EQ(graph.follow({3, "y = 5"}), (std::vector<Id>{0}));
}

TEST(StrategyGraph, FindsLabelsAndMovesWhateverTheirCase) {
    const StrategyGraph graph = Small().graph();
    const auto found = graph.find("Z", 1, nullptr, {});
    EXPECT_EQ(found.total, 2);
    EXPECT_EQ(found.ids, (std::vector<Id>{2}));
    EXPECT_EQ(graph.find("z, 3", 9, nullptr, {}).ids, (std::vector<Id>{3}));
    EXPECT_EQ(graph.path(3), (std::vector<std::string>{"1", "5"}));
    EXPECT_EQ(graph.find("  ", 9, nullptr, {}).total, 0);
}

TEST(StrategyGraph, OpensNearestFirstAndNoFurtherThanAskedFor) {
    const StrategyGraph graph = Small().graph();
    EXPECT_EQ(graph.around(0, 0, 100), (std::vector<Id>{0}));
    EXPECT_EQ(graph.around(0, 2, 100), (std::vector<Id>{0, 1, 2, 3}));
    EXPECT_EQ(graph.around(0, 100, 3), (std::vector<Id>{0, 1, 2}));
    EXPECT_EQ(graph.around(1, 100, 100), (std::vector<Id>{1, 2, 3, 4}));
}

TEST(StrategyGraph, NobodyWaitsWhereTheOtherHasTheOnlyMove) {
    const gdl::Game nim(gdl::parse(shipped_games().find("gdl/nim")->text, "nim.kif"));
    const game::Solution solution = game::solve(nim, {.threads = 1});
    ASSERT_FALSE(solution.plans.empty());
    const StrategyGraph graph = graph_of(nim, solution.plans[0], {}, {});
    std::size_t forced = 0;
    for (Id id = 0; id < graph.size(); ++id) {
        const json node = graph.to_json(id, nullptr);
        for (const json& edge : node["edges"]) {
            EXPECT_NE(edge["labels"][0], "wait") << node;
            forced += edge["labels"][0] == "(leave c 0)" && node["label"] == "bob" ? 1 : 0;
        }
    }
    EXPECT_GT(forced, 0U) << "bob is left one match";
}

// Bob chooses one of 300 doors, Alice goes through it, and behind it Bob chooses one of 500 ends.
game::Graph house() {
    constexpr game::StateId doors = 300;
    constexpr game::StateId ends = 500;
    game::Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{100, 0}};
    graph.start = {0};
    const auto state = [&](game::Graph::Label label, game::StateId first, game::StateId count) {
        graph.label.push_back(label);
        for (game::StateId i = 0; i < count; ++i) graph.to.push_back(first + i);
        graph.start.push_back(graph.to.size());
    };
    state(1, 1, doors);
    for (game::StateId door = 0; door < doors; ++door) state(0, 1 + doors + door, 1);
    for (game::StateId door = 0; door < doors; ++door) state(1, 1 + 2 * doors + door * ends, ends);
    for (game::StateId end = 0; end < doors * ends; ++end) state(game::Graph::ended, 0, 0);
    return graph;
}

TEST(StrategyGraph, ALargePlanKeepsItsFirstLayersWithinTheBounds) {
    const game::Graph graph = house();
    const game::Solution solution = game::solve(graph, {.threads = 1});
    ASSERT_EQ(solution.plans.size(), 1);
    const StrategyGraph whole = graph_of(graph, solution.plans[0], {}, {});
    EXPECT_EQ(whole.layers(), (std::vector<std::size_t>{1, 300, 300, 150'000}));
    EXPECT_FALSE(whole.truncated());
    EXPECT_LT(whole.bytes(), std::size_t{24} << 20);
    EXPECT_EQ(whole.path(150'600).size(), 3);

    const StrategyGraph part = graph_of(graph, solution.plans[0], {.nodes = 500}, {});
    EXPECT_TRUE(part.truncated());
    EXPECT_EQ(part.layers(), (std::vector<std::size_t>{1, 300, 199}));
    const json last = part.to_json(static_cast<Id>(part.size() - 1), nullptr);
    EXPECT_TRUE(last["cut"]);
    EXPECT_TRUE(last["edges"].empty());

    const StrategyGraph light = graph_of(graph, solution.plans[0], {.bytes = 100'000}, {});
    EXPECT_TRUE(light.truncated());
    EXPECT_LT(light.bytes(), 300'000);
}

TEST(StrategyGraph, SpellingOutEndsWithTheLimits) {
    const game::Graph graph = house();
    const game::Solution solution = game::solve(graph, {.threads = 1});
    EXPECT_THROW((void)graph_of(graph, solution.plans[0], {}, Limits(0.0, std::nullopt)), LimitReached);
}

std::shared_ptr<const StoredStrategy> strategy_called(const std::string& id, std::size_t bytes = 1000) {
    return std::make_shared<const StoredStrategy>(StoredStrategy{
        .id = id, .owner = "∃", .check = {}, .graph = Small().graph(), .file = {}, .other_bytes = bytes});
}

TEST(StrategyStore, WhatNobodyAskedForLongestGoesFirst) {
    StrategyStore strategies(3);
    const std::size_t plenty = std::size_t{1} << 30;
    for (const char* id : {"a", "b", "c"}) strategies.keep(strategy_called(id), plenty);
    EXPECT_NE(strategies.find("a"), nullptr);
    strategies.keep(strategy_called("d"), plenty);
    EXPECT_EQ(strategies.size(), 3);
    EXPECT_EQ(strategies.find("b"), nullptr);
    for (const char* id : {"a", "c", "d"}) EXPECT_NE(strategies.find(id), nullptr) << id;
}

TEST(StrategyStore, StayWithinTheirBytesAndKeepTheNewestInAnyCase) {
    StrategyStore strategies;
    for (const char* id : {"a", "b", "c", "d"}) strategies.keep(strategy_called(id, 100'000), 250'000);
    EXPECT_EQ(strategies.size(), 2);
    EXPECT_LE(strategies.bytes(), 250'000);
    strategies.keep(strategy_called("e", 1'000'000), 250'000);
    EXPECT_EQ(strategies.size(), 1);
    EXPECT_NE(strategies.find("e"), nullptr);
}

TEST(StrategyStore, TheSameIsKeptOnce) {
    StrategyStore strategies;
    strategies.keep(strategy_called("a"), 1 << 20);
    strategies.keep(strategy_called("a"), 1 << 20);
    EXPECT_EQ(strategies.size(), 1);
}

}  // namespace
}  // namespace zermelo::web
