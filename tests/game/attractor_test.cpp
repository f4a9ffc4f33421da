#include "game/graph/attractor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "game/alice_and_bob.hpp"
#include "game/shipped_graph.hpp"
#include "support/random_graph.hpp"

namespace zermelo::game {
namespace {

StateId state(const Graph& graph, const std::string& name) {
    const auto found = std::find(graph.names.begin(), graph.names.end(), name);
    EXPECT_NE(found, graph.names.end()) << name;
    return static_cast<StateId>(found - graph.names.begin());
}

Attractor attractor_of(const Graph& graph, Player player, unsigned threads = 0) {
    return attractor(graph, Predecessors(graph, threads), player, wins_of(graph, player), {}, threads);
}

std::vector<Rank> ranks(const Attractor& attractor) { return {attractor.rank.begin(), attractor.rank.end()}; }

// A graph for Alice and Bob without names. Labels: 'A' and 'B' move, 'a' and 'b' have won, '=' is a draw.
Graph graph_of(const std::string& labels, const std::vector<std::vector<StateId>>& moves) {
    const std::map<char, Graph::Label> label{
        {'A', alice}, {'B', bob}, {'=', Graph::ended}, {'a', Graph::ended + 1}, {'b', Graph::ended + 2}};
    Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{50, 50}, {100, 0}, {0, 100}};
    graph.start.push_back(0);
    for (std::size_t s = 0; s < labels.size(); ++s) {
        graph.label.push_back(label.at(labels[s]));
        graph.to.insert(graph.to.end(), moves[s].begin(), moves[s].end());
        graph.start.push_back(graph.to.size());
    }
    return graph;
}

// By hand: with n matches left, the one who moves loses exactly when n is 1 more than a multiple of 4. Each
// multiple of four takes two rounds.
struct ByHand {
    Player winner;
    Rank rank;
};
ByHand subtraction_by_hand(Player mover, Rank matches) {
    const Rank fours = (matches - 1) / 4;
    if (matches % 4 == 1) return {static_cast<Player>(1 - mover), 2 * fours};
    return {mover, 2 * fours + 1};
}

TEST(Attractor, IsRightInEveryStateOfTheSubtractionGameWithThirteenMatches) {
    const Graph graph = shipped_graph("subtraction-13.json");
    EXPECT_EQ(graph.states(), 24U);
    const Attractor of[] = {attractor_of(graph, alice), attractor_of(graph, bob)};
    for (StateId s = 0; s < graph.states(); ++s) {
        const std::string& name = graph.names[s];
        const Player mover = name[0] == 'A' ? alice : bob;
        const ByHand expected = subtraction_by_hand(mover, static_cast<Rank>(std::stoul(name.substr(1))));
        EXPECT_EQ(of[expected.winner].rank[s], expected.rank) << name;
        EXPECT_EQ(of[1 - expected.winner].rank[s], outside()) << name;
    }
    EXPECT_TRUE(of[bob].contains(graph.initial)) << "Bob wins with thirteen matches";
}

TEST(Attractor, DerivedStrategyOfTheSubtractionGameLeavesNineFiveAndOne) {
    const Graph graph = shipped_graph("subtraction-13.json");
    for (const Player player : {alice, bob}) {
        const auto moves = derived_strategy(graph, attractor_of(graph, player), player);
        for (StateId s = 0; s < graph.states(); ++s) {
            const std::string& name = graph.names[s];
            const auto matches = std::stoul(name.substr(1));
            const bool ours = (name[0] == 'A') == (player == alice);
            if (!ours || matches % 4 == 1) {
                EXPECT_EQ(moves[s], no_move()) << name;
            } else {
                ASSERT_NE(moves[s], no_move()) << name;
                EXPECT_EQ(graph.move_name(graph.start[s] + moves[s]),
                          "take " + std::to_string((matches - 1) % 4))
                    << name;
            }
        }
    }
}

TEST(Attractor, StayingInsideWithoutRanksCanGoOnForEver) {
    const Graph graph = shipped_graph("cycle.json");
    const Attractor ours = attractor_of(graph, alice);
    // Alice takes her first move that stays inside; Bob his first.
    StateId s = graph.initial;
    std::set<StateId> seen;
    while (!graph.over(s) && seen.insert(s).second) {
        const auto successors = graph.successors(s);
        s = *std::find_if(successors.begin(), successors.end(), [&](StateId t) { return ours.contains(t); });
        ASSERT_TRUE(ours.contains(s));
    }
    EXPECT_FALSE(graph.over(s)) << "the play came back to " << graph.name(s) << " and so never ends";
}

TEST(Attractor, DerivedStrategyEndsForAllRepliesWhereThereIsACircuit) {
    const Graph graph = shipped_graph("cycle.json");
    const Attractor ours = attractor_of(graph, alice);
    const std::map<std::string, Rank> expected{
        {"goal", 0}, {"near", 1}, {"gate", 2}, {"start", 3}, {"detour", 4}};
    for (const auto& [name, rank] : expected) EXPECT_EQ(ours.rank[state(graph, name)], rank) << name;

    const auto moves = derived_strategy(graph, ours, alice);
    const std::function<void(StateId, std::size_t)> play = [&](StateId s, std::size_t depth) {
        ASSERT_LE(depth, graph.states()) << "a state came back";
        if (graph.over(s)) {
            EXPECT_EQ(graph.payoffs(s)[alice], win);
            return;
        }
        for (std::uint32_t move = 0; move < graph.successors(s).size(); ++move) {
            if (graph.label[s] == bob || move == moves[s]) play(graph.successors(s)[move], depth + 1);
        }
    };
    for (StateId s = 0; s < graph.states(); ++s) play(s, 0);
}

TEST(Attractor, NobodyWinsWhereACircuitOrADeadEndSavesBoth) {
    for (const char* file : {"drawn-by-circuit.json", "drawn-by-dead-end.json"}) {
        const Graph graph = shipped_graph(file);
        EXPECT_FALSE(attractor_of(graph, alice).contains(graph.initial)) << file;
        EXPECT_FALSE(attractor_of(graph, bob).contains(graph.initial)) << file;
    }
}

TEST(Attractor, CountsTwoMovesToTheSameState) {
    // Bob has two moves to Alice's goal, and in the second graph one more to a draw.
    EXPECT_EQ(ranks(attractor_of(graph_of("Ba", {{1, 1}, {}}), alice)), (std::vector<Rank>{1, 0}));
    EXPECT_EQ(ranks(attractor_of(graph_of("Ba=", {{1, 1, 2}, {}, {}}), alice)),
              (std::vector<Rank>{outside(), 0, outside()}));
}

TEST(Attractor, IsNotEnteredByGoingRound) {
    EXPECT_EQ(ranks(attractor_of(graph_of("Ba", {{0, 1}, {}}), alice)), (std::vector<Rank>{outside(), 0}));
    EXPECT_EQ(ranks(attractor_of(graph_of("Aa", {{0, 1}, {}}), alice)), (std::vector<Rank>{1, 0}));
}

TEST(Attractor, OfNoObjectivesAndOfNoStatesIsEmpty) {
    EXPECT_EQ(ranks(attractor_of(graph_of("AB=", {{1, 2}, {0}, {}}), alice)),
              (std::vector<Rank>(3, outside())));
    EXPECT_TRUE(ranks(attractor_of(graph_of("", {}), alice)).empty());
}

TEST(Attractor, HasOneRoundAStepOnALongWay) {
    const StateId length = 300'000;
    Graph graph = graph_of("a", {{}});
    for (StateId s = 1; s <= length; ++s) {
        graph.label.push_back(s % 2 == 0 ? alice : bob);
        graph.to.push_back(s - 1);
        graph.start.push_back(graph.to.size());
    }
    const Attractor ours = attractor_of(graph, alice);
    for (StateId s = 0; s <= length; ++s) ASSERT_EQ(ours.rank[s], s);
}

TEST(Attractor, EqualsTheDefinitionOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        const std::size_t players = 1 + seed % 3;
        const Graph graph = random_graph(seed, players);
        for (Player player = 0; player < players; ++player) {
            const auto expected = naive_attractor(graph, player, wins_of(graph, player));
            for (const unsigned threads : {1U, 2U}) {
                ASSERT_EQ(ranks(attractor_of(graph, player, threads)), expected)
                    << "seed " << seed << ", player " << int{player} << ", threads " << threads;
            }
        }
    }
}

TEST(Attractor, EqualsTheDefinitionOnAGraphOfManyBlocks) {
    Random random(1);
    Graph graph = graph_of("", {});
    const std::size_t states = 200'000;
    for (std::size_t s = 0; s < states; ++s) {
        const bool over = random.chance(0.03);
        graph.label.push_back(
            static_cast<Graph::Label>(over ? Graph::ended + random.below(3) : random.below(2)));
        for (int i = 0; i < 4 && !over; ++i) graph.to.push_back(static_cast<StateId>(random.below(states)));
        graph.start.push_back(graph.to.size());
    }
    const auto expected = naive_attractor(graph, bob, wins_of(graph, bob));
    EXPECT_GT(std::count(expected.begin(), expected.end(), outside()), 1000);
    for (const unsigned threads : {1U, 2U, 3U}) {
        EXPECT_EQ(ranks(attractor_of(graph, bob, threads)), expected) << threads << " threads";
    }
}

TEST(Attractor, RefusesChanceAndSimultaneousMoves) {
    for (const Graph::Label label : {Graph::chance, Graph::simultaneous}) {
        Graph graph = graph_of("Aa", {{1}, {}});
        graph.label[0] = label;
        EXPECT_THROW((void)attractor_of(graph, alice), Error);
    }
}

TEST(Attractor, StopsWhenTheTimeIsOver) {
    const Graph graph = shipped_graph("cycle.json");
    const Predecessors predecessors(graph);
    EXPECT_THROW(
        (void)attractor(graph, predecessors, alice, wins_of(graph, alice), Limits(0.0, std::nullopt)),
        LimitReached);
}

// By source and target, with how often.
using EdgeCounts = std::map<std::pair<StateId, StateId>, int>;

TEST(Predecessors, AreTheEdgesTurnedRound) {
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        const Graph graph = random_graph(seed);
        Random random(seed);
        std::vector<std::uint64_t> among(graph.states() / 64 + 1);
        for (std::uint64_t& word : among) word = random.next();
        for (const bool all : {true, false}) {
            EdgeCounts forwards;
            EdgeCounts backwards;
            const auto wanted = [&](StateId s) { return all || (among[s / 64] >> (s % 64) & 1) != 0; };
            const Predecessors predecessors(graph, 1U + static_cast<unsigned>(seed % 3), {},
                                            all ? std::vector<std::uint64_t>() : among);
            for (StateId s = 0; s < graph.states(); ++s) {
                for (const StateId t : graph.successors(s)) {
                    if (wanted(s) && wanted(t)) ++forwards[{s, t}];
                }
                StateId last = 0;
                predecessors.for_each(s, [&](StateId source) {
                    EXPECT_GE(source, last);
                    last = source;
                    ++backwards[{source, s}];
                });
            }
            ASSERT_EQ(forwards, backwards) << "seed " << seed << (all ? "" : ", among some");
        }
    }
}

}  // namespace
}  // namespace zermelo::game
