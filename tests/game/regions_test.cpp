#include "game/graph/regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "game/shipped_graph.hpp"
#include "support/random_graph.hpp"

namespace zermelo::game {
namespace {

std::vector<Rank> ranks_for(const Graph& graph, const Regions& regions, Player player) {
    std::vector<Rank> ranks;
    for (StateId s = 0; s < graph.states(); ++s) ranks.push_back(regions.rank_for(player, s));
    return ranks;
}

void expect_both_attractors(const Graph& graph, unsigned threads, const std::string& which) {
    const Regions found = regions(graph, {}, threads);
    for (const Player player : {Player{0}, Player{1}}) {
        ASSERT_EQ(ranks_for(graph, found, player), naive_attractor(graph, player, wins_of(graph, player)))
            << which << ", player " << int{player} << ", threads " << threads;
    }
}

TEST(Regions, AreBothAttractorsOfTheDefinitionOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        const Graph graph = random_graph(seed);
        for (const unsigned threads : {1U, 2U}) {
            ASSERT_NO_FATAL_FAILURE(expect_both_attractors(graph, threads, "seed " + std::to_string(seed)));
        }
    }
}

// Some ways of a thousand steps into a goal, and edges that join them: few states join in a round, so that
// looking forwards stops to pay.
Graph graph_of_long_ways(std::uint64_t seed) {
    Random random(seed);
    Graph graph = random_graph(seed);
    const StateId ways = 20;
    const StateId length = 1000;
    graph.label.clear();
    graph.to.clear();
    graph.start.assign(1, 0);
    for (StateId s = 0; s < ways * length; ++s) {
        if (s % length == 0) {
            graph.label.push_back(static_cast<Graph::Label>(Graph::ended + random.below(3)));
        } else {
            graph.label.push_back(static_cast<Graph::Label>(random.below(2)));
            graph.to.push_back(s - 1);
            if (random.chance(0.01)) graph.to.push_back(static_cast<StateId>(random.below(ways * length)));
        }
        graph.start.push_back(graph.to.size());
    }
    graph.initial = 0;
    return graph;
}

TEST(Regions, AreBothAttractorsOfTheDefinitionOnLongWays) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Graph graph = graph_of_long_ways(seed);
        for (const unsigned threads : {1U, 2U}) {
            ASSERT_NO_FATAL_FAILURE(expect_both_attractors(graph, threads, "seed " + std::to_string(seed)));
        }
    }
}

TEST(Regions, AreThreeInTheShippedExample) {
    const Graph graph = shipped_graph("three-regions.dot");
    const Regions found = regions(graph);
    std::map<std::string, std::string> winner;
    for (StateId s = 0; s < graph.states(); ++s) {
        winner[graph.name(s)] = found.winner(s) ? graph.players[*found.winner(s)] : "nobody";
    }
    const std::map<std::string, std::string> expected{{"home", "nobody"},    {"crossroads", "nobody"},
                                                      {"pond", "nobody"},    {"bank", "nobody"},
                                                      {"bridge", "Alice"},   {"tower", "Alice"},
                                                      {"castle", "Alice"},   {"swamp", "Bob"},
                                                      {"swamp_edge", "Bob"}, {"pit", "Bob"}};
    EXPECT_EQ(winner, expected);
}

TEST(Regions, CoverEverythingWithoutCircuitsWhenEveryTerminalStateIsAnObjective) {
    const Graph graph = shipped_graph("subtraction-13.json");
    const Regions found = regions(graph);
    for (StateId s = 0; s < graph.states(); ++s) EXPECT_TRUE(found.winner(s)) << graph.name(s);
}

TEST(Regions, DoNotCoverEverythingWhenOneOfTheTwoHypothesesIsDropped) {
    for (const char* file : {"drawn-by-circuit.json", "drawn-by-dead-end.json"}) {
        const Graph graph = shipped_graph(file);
        EXPECT_FALSE(regions(graph).winner(graph.initial)) << file;
    }
}

TEST(Regions, DerivedMovesGoToSmallerRanksOfTheSamePlayer) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Graph graph = random_graph(seed);
        const Regions found = regions(graph);
        for (StateId s = 0; s < graph.states(); ++s) {
            const std::uint32_t move = derived_move(graph, found, s);
            const bool wins = !graph.over(s) && found.winner(s) == graph.label[s];
            ASSERT_EQ(move != no_move(), wins) << "seed " << seed << ", state " << s;
            if (!wins) continue;
            const StateId next = graph.successors(s)[move];
            ASSERT_EQ(found.winner(next), found.winner(s)) << "seed " << seed << ", state " << s;
            ASSERT_LT(found.rank[next], found.rank[s]) << "seed " << seed << ", state " << s;
        }
    }
}

TEST(Regions, AreWonByWhoeverIsPaidMore) {
    std::istringstream text(
        R"({"format": "zermelo-graph", "version": 1, "players": ["A", "B"], "initial": "s",
        "states": [{"name": "s", "player": "A", "moves": ["x", "y"]},
                   {"name": "x", "payoffs": [30, 70]}, {"name": "y", "payoffs": [60, 40]}]})");
    const Graph graph = read_graph_json(text, "text");
    EXPECT_EQ(regions(graph).winner(graph.initial), Player{0});
}

TEST(Regions, AreForTwoPlayersWhoTakeTurns) {
    EXPECT_THROW((void)regions(random_graph(1, 3)), Error);
    Graph graph = shipped_graph("cycle.json");
    graph.label[0] = Graph::chance;
    EXPECT_THROW((void)regions(graph), Error);
}

TEST(Regions, StopWhenTheTimeIsOver) {
    EXPECT_THROW((void)regions(shipped_graph("cycle.json"), Limits(0.0, std::nullopt)), LimitReached);
}

TEST(Regions, ArePicturesThatCanBeReadBack) {
    for (const char* file :
         {"subtraction-13.json", "cycle.json", "drawn-by-circuit.json", "three-regions.dot"}) {
        const Graph graph = shipped_graph(file);
        std::stringstream picture;
        write_regions_dot(picture, graph, regions(graph));
        EXPECT_EQ(read_graph_dot(picture, file), graph) << file;
    }
}

TEST(Regions, EmphasiseTheDerivedStrategiesAndShowRanks) {
    const Graph graph = shipped_graph("cycle.json");
    std::ostringstream picture;
    write_regions_dot(picture, graph, regions(graph));
    const std::string text = picture.str();
    EXPECT_NE(text.find("\"start\" -> \"gate\" [penwidth=3"), std::string::npos) << text;
    EXPECT_EQ(text.find("\"start\" -> \"detour\" [penwidth=3"), std::string::npos) << text;
    EXPECT_NE(text.find("\\N\\n4"), std::string::npos) << "the rank of detour; " << text;
}

}  // namespace
}  // namespace zermelo::game
