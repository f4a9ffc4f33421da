// Values: what attractors and backward induction say is what brute force says, and `choose` keeps its
// promise.

#include "game/graph/values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "core/random.hpp"
#include "game/explore/explore.hpp"
#include "game/strategy/build.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/gdl_game.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

struct GraphShape {
    std::size_t players = 2;
    bool zero_sum = true;
    bool cycles = true;
};

Graph shaped_graph(std::uint64_t seed, const GraphShape& shape) {
    Random random(seed);
    Graph graph;
    for (std::size_t p = 0; p < shape.players; ++p) graph.players.push_back("player " + std::to_string(p));
    for (auto n = random.between(1, 6); n > 0; --n) {
        std::vector<int> payoffs;
        for (std::size_t p = 0; p < shape.players; ++p)
            payoffs.push_back(static_cast<int>(random.between(0, 4) * 25));
        if (shape.zero_sum && shape.players == 2) payoffs[1] = 100 - payoffs[0];
        graph.outcomes.push_back(payoffs);  // perhaps twice the same
    }
    const std::size_t states = 1 + random.below(40);
    const double ending = 0.1 + 0.1 * static_cast<double>(random.below(5));
    graph.start = {0};
    for (std::size_t s = 0; s < states; ++s) {
        const bool over = random.chance(ending) || (s + 1 == states && !shape.cycles);
        graph.label.push_back(static_cast<Graph::Label>(
            over ? Graph::ended + random.below(graph.outcomes.size()) : random.below(shape.players)));
        for (std::uint64_t m = over ? 0 : random.between(1, 4); m > 0; --m) {
            const std::uint64_t from = shape.cycles ? 0 : s + 1;
            graph.to.push_back(static_cast<StateId>(from + random.below(states - from)));
        }
        graph.start.push_back(graph.to.size());
    }
    return graph;
}

// Which states are worth at least `threshold` to player 0? Endless play is worth `endless`. By sweeps over
// all states until nothing changes: from below where endless play is too little, from above where it is
// enough.
std::vector<bool> worth_at_least(const Graph& graph, int threshold, int endless) {
    const bool optimistic = endless >= threshold;
    std::vector<bool> in(graph.states(), optimistic);
    for (bool changed = true; changed;) {
        changed = false;
        for (StateId s = 0; s < graph.states(); ++s) {
            const auto next = graph.successors(s);
            const auto inside = std::count_if(next.begin(), next.end(), [&](StateId t) { return in[t]; });
            bool now = graph.label[s] == 0 ? inside > 0 : inside == static_cast<std::ptrdiff_t>(next.size());
            if (graph.over(s)) now = graph.payoffs(s)[0] >= threshold;
            changed |= now != in[s];
            in[s] = now;
        }
    }
    return in;
}

// What player 0 gets in each state.
std::vector<int> brute_force(const Graph& graph) {
    const int endless = endless_payoff(graph.players.size());
    std::set<int> payoffs = {endless};
    for (const auto& outcome : graph.outcomes) payoffs.insert(outcome[0]);
    std::vector<int> value(graph.states(), *payoffs.begin());
    for (const int threshold : payoffs) {
        const auto in = worth_at_least(graph, threshold, endless);
        for (StateId s = 0; s < graph.states(); ++s) {
            if (in[s]) value[s] = threshold;
        }
    }
    return value;
}

// In how many moves can `player` force at least `threshold`? Round by round, from the definition.
std::vector<Rank> forced_within(const Graph& graph, Player player, int threshold) {
    std::vector<Rank> rank(graph.states(), outside());
    for (Rank round = 0; round <= graph.states(); ++round) {
        const auto before = rank;
        for (StateId s = 0; s < graph.states(); ++s) {
            if (before[s] != outside()) continue;
            const auto next = graph.successors(s);
            const auto in = [&](StateId t) { return before[t] < round; };
            const bool joins = graph.over(s)              ? graph.payoffs(s)[player] >= threshold
                               : graph.label[s] == player ? std::any_of(next.begin(), next.end(), in)
                                                          : std::all_of(next.begin(), next.end(), in);
            if (joins) rank[s] = round;
        }
    }
    return rank;
}

TEST(Values, AreThoseOfBruteForceOnRandomGraphsForTwo) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        const Graph graph = shaped_graph(seed, {});
        const Values values = find_values(graph, {}, 1);
        ASSERT_EQ(values.method, Method::attractors);
        const auto expected = brute_force(graph);
        for (StateId s = 0; s < graph.states(); ++s) {
            ASSERT_EQ(values.payoffs(s), (std::vector<int>{expected[s], 100 - expected[s]}))
                << "seed " << seed << ", state " << s;
        }
    }
}

TEST(Values, AreThoseOfBruteForceOnRandomGraphsForOne) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const Graph graph = shaped_graph(seed, {.players = 1});
        const Values values = find_values(graph, {}, 1);
        const auto expected = brute_force(graph);
        for (StateId s = 0; s < graph.states(); ++s) {
            ASSERT_EQ(values.payoffs(s), std::vector<int>{expected[s]}) << "seed " << seed << ", state " << s;
        }
    }
}

TEST(Values, RanksAreTheRoundsInWhichTheValueIsForced) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const GraphShape shape = {.players = 1 + seed % 2};
        const Graph graph = shaped_graph(seed, shape);
        const Values values = find_values(graph, {}, 1);
        const int endless = endless_payoff(shape.players);
        for (StateId s = 0; s < graph.states(); ++s) {
            const auto& payoffs = values.payoffs(s);
            const auto winner = std::max_element(payoffs.begin(), payoffs.end());
            Rank expected = graph.over(s) ? 0 : outside();
            if (*winner > endless) {
                expected = forced_within(graph, static_cast<Player>(winner - payoffs.begin()), *winner)[s];
            }
            ASSERT_EQ(values.rank[s], expected) << "seed " << seed << ", state " << s;
        }
    }
}

// The graph in which `owner` always plays `choose`; others may do what they like.
Graph restricted(const Graph& graph, const Values& values, Player owner) {
    Graph result = graph;
    result.start = {0};
    result.to.clear();
    for (StateId s = 0; s < graph.states(); ++s) {
        const auto next = graph.successors(s);
        if (graph.label[s] == owner) {
            result.to.push_back(next[choose(graph, values, s)]);
        } else {
            result.to.insert(result.to.end(), next.begin(), next.end());
        }
        result.start.push_back(result.to.size());
    }
    return result;
}

TEST(Values, WhoeverPlaysByChooseGetsTheValueOfEveryState) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const Graph graph = shaped_graph(seed, {.players = 1 + seed % 2});
        const Values values = find_values(graph, {}, 1);
        for (std::size_t p = 0; p < graph.players.size(); ++p) {
            const Graph plan = restricted(graph, values, static_cast<Player>(p));
            const auto kept = brute_force(plan);
            for (StateId s = 0; s < graph.states(); ++s) {
                ASSERT_EQ(p == 0 ? kept[s] : 100 - kept[s], values.payoffs(s)[p])
                    << "seed " << seed << ", player " << p << ", state " << s;
            }
        }
    }
}

TEST(Values, ChooseIsOneOfTheBestMovesAndTheseAreTheOnesThatKeepTheValue) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        const Graph graph = shaped_graph(seed, {});
        const Values values = find_values(graph, {}, 1);
        for (StateId s = 0; s < graph.states(); ++s) {
            const auto best = best_moves(graph, values, s);
            std::vector<std::size_t> keep;
            for (std::size_t m = 0; m < graph.successors(s).size(); ++m) {
                if (values.payoffs(graph.successors(s)[m]) == values.payoffs(s)) keep.push_back(m);
            }
            ASSERT_EQ(best, keep) << "seed " << seed << ", state " << s;
            if (graph.over(s)) continue;
            ASSERT_EQ(std::count(best.begin(), best.end(), choose(graph, values, s)), 1)
                << "seed " << seed << ", state " << s;
        }
    }
}

// The definition of backward induction, read aloud.
struct Result {
    std::vector<int> payoffs;
    Rank moves;
};
Result naive(const Graph& graph, StateId state) {
    if (graph.over(state)) return {graph.payoffs(state), 0};
    const auto player = graph.label[state];
    std::optional<Result> best;
    for (const StateId next : graph.successors(state)) {
        Result result = naive(graph, next);
        ++result.moves;
        const auto others = [&](const Result& r) {
            return std::accumulate(r.payoffs.begin(), r.payoffs.end(), 0) - r.payoffs[player];
        };
        const bool better =
            !best || result.payoffs[player] > best->payoffs[player] ||
            (result.payoffs[player] == best->payoffs[player] && others(result) < others(*best));
        if (better) best = result;
    }
    return *best;
}

TEST(Values, OfManyPlayersAreThoseOfNaiveBackwardInduction) {
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        const Graph graph = shaped_graph(seed, {.players = 2 + seed % 3, .zero_sum = false, .cycles = false});
        const Values values = find_values(graph, {}, 1);
        for (StateId s = graph.states() > 14 ? static_cast<StateId>(graph.states()) - 14 : 0;
             s < graph.states(); ++s) {
            const Result expected = naive(graph, s);
            ASSERT_EQ(values.payoffs(s), expected.payoffs) << "seed " << seed << ", state " << s;
            if (values.method == Method::attractors) continue;
            ASSERT_EQ(values.rank[s], expected.moves) << "seed " << seed << ", state " << s;
            if (graph.over(s)) continue;
            const StateId next = graph.successors(s)[choose(graph, values, s)];
            ASSERT_EQ(values.payoffs(next), expected.payoffs) << "seed " << seed << ", state " << s;
            ASSERT_EQ(values.rank[next] + 1, expected.moves) << "seed " << seed << ", state " << s;
        }
    }
}

TEST(Values, OfACyclicGameForThreeAreRefused) {
    Graph graph;
    graph.players = {"a", "b", "c"};
    graph.outcomes = {{1, 2, 3}};
    graph.label = {0, 1, Graph::ended};
    graph.start = {0, 1, 3, 3};
    graph.to = {1, 0, 2};
    try {
        (void)find_values(graph);
        FAIL() << "a cycle was accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("can come back"), std::string::npos) << error.what();
    }
}

TEST(Values, WhereChanceMovesAreRefused) {
    for (const Graph::Label label : {Graph::chance, Graph::simultaneous}) {
        Graph graph;
        graph.players = {"a", "b"};
        graph.outcomes = {{100, 0}};
        graph.label = {label, Graph::ended};
        graph.start = {0, 1, 1};
        graph.to = {1};
        EXPECT_THROW((void)find_values(graph), Error);
    }
}

struct Known {
    std::vector<int> payoffs;
    Rank rank;
};
Known value_of(const std::string& file) {
    const gdl::Game description(file);
    GdlGame game(description);
    const Exploration explored = explore(game);
    EXPECT_TRUE(explored.complete);
    const Values values = find_values(explored.graph);
    return {values.payoffs(explored.graph.initial), values.rank[explored.graph.initial]};
}

TEST(Values, TicTacToeIsADraw) {
    EXPECT_EQ(value_of(shipped("tic-tac-toe")).payoffs, (std::vector<int>{50, 50}));
}

TEST(Values, NimOnThreeFourAndFiveIsWonByTheFirstPlayer) {
    EXPECT_EQ(value_of(shipped("nim")).payoffs, (std::vector<int>{100, 0}));
}

TEST(Values, ThirteenMatchesAreWonByTheSecondPlayer) {
    EXPECT_EQ(value_of(shipped("subtraction")).payoffs, (std::vector<int>{0, 100}));
}

TEST(Values, AGameAgainstChanceIsRefused) { EXPECT_THROW((void)value_of(shipped("tic-tac-toe-2x2")), Error); }

TEST(Values, TheEightPuzzleTakesTenMoves) {
    const Known known = value_of(shipped("eight-puzzle"));
    EXPECT_EQ(known.payoffs, std::vector<int>{100});
    EXPECT_EQ(known.rank, 10U);
}

TEST(Values, ConnectFourOnFourByFourIsADraw) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("connect-four.kif");
    const Ran generated = run(ZERMELO_BINARY " generate connect-four --columns 4 --rows 4 -o " + file);
    ASSERT_EQ(generated.code, 0) << generated.err;
    EXPECT_EQ(value_of(file).payoffs, (std::vector<int>{50, 50}));
}

// Built on the graph, checked on the rules: states are listed in the order of the moves.
TEST(Values, APlanByChooseKeepsItsPromiseUnderTheRules) {
    for (const std::string name : {"tic-tac-toe", "nim", "subtraction"}) {
        const gdl::Game description(shipped(name));
        GdlGame game(description);
        const Graph graph = explore(game).graph;
        const Values values = find_values(graph);
        for (const Player owner : {Player{0}, Player{1}}) {
            GraphGame listed(graph);
            Walker walk(listed);
            const Plan plan = build_plan(walk, owner, values.payoffs(graph.initial)[owner],
                                         [&](const auto& at) { return choose(graph, values, at.state()); });
            EXPECT_TRUE(verify_plan(game, plan).valid) << name << ", player " << int{owner};
        }
    }
}

}  // namespace
}  // namespace zermelo::game
