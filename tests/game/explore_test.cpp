// Exploration: every state once, in the right order, whoever does the work and however often it is
// interrupted.

#include "game/explore/explore.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/random.hpp"
#include "game/views/gdl_game.hpp"
#include "gdl/perft.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

// Any graph, with states that nobody reaches.
Graph any_graph(std::uint64_t seed) {
    Random random(seed);
    Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{0, 100}, {100, 0}, {50, 50}};
    const std::size_t states = 1 + random.below(3000);
    graph.initial = static_cast<StateId>(random.below(states));
    graph.start = {0};
    for (std::size_t s = 0; s < states; ++s) {
        const bool over = random.chance(0.2);
        graph.label.push_back(
            static_cast<Graph::Label>(over ? Graph::ended + random.below(3) : random.below(2)));
        for (std::uint64_t m = over ? 0 : random.between(1, 3); m > 0; --m) {
            graph.to.push_back(static_cast<StateId>(random.below(states)));
        }
        graph.start.push_back(graph.to.size());
    }
    return graph;
}

// The states in the order in which a queue meets them.
std::vector<StateId> breadth_first(const Graph& graph) {
    std::vector<StateId> order = {graph.initial};
    std::vector<bool> met(graph.states(), false);
    met[graph.initial] = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const StateId next : graph.successors(order[i])) {
            if (!met[next]) order.push_back(next);
            met[next] = true;
        }
    }
    return order;
}

void expect_equal(const Graph& a, const Graph& b, const std::string& what) {
    EXPECT_EQ(a.players, b.players) << what;
    EXPECT_EQ(a.outcomes, b.outcomes) << what;
    EXPECT_EQ(a.label, b.label) << what;
    EXPECT_EQ(a.start, b.start) << what;
    EXPECT_EQ(a.to, b.to) << what;
    EXPECT_EQ(a.names, b.names) << what;
    EXPECT_EQ(a.move_names, b.move_names) << what;
}

TEST(Explore, NumbersStatesBreadthFirstWhateverTheNumberOfThreads) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Graph graph = any_graph(seed);
        const auto order = breadth_first(graph);
        GraphGame game(graph);
        for (const unsigned threads : {1U, 2U, 5U}) {
            ExploreOptions options;
            options.threads = threads;
            const Exploration explored = explore(game, options);
            ASSERT_TRUE(explored.complete);
            ASSERT_EQ(explored.graph.states(), order.size()) << "seed " << seed;
            for (StateId s = 0; s < order.size(); ++s) {
                const auto is = explored.graph.successors(s);
                const auto should_be = graph.successors(order[s]);
                ASSERT_EQ(is.size(), should_be.size()) << "seed " << seed;
                for (std::size_t m = 0; m < is.size(); ++m) {
                    ASSERT_EQ(order[is[m]], should_be[m]) << "seed " << seed << ", threads " << threads;
                }
                ASSERT_EQ(explored.graph.over(s), graph.over(order[s])) << "seed " << seed;
                if (graph.over(order[s])) {
                    ASSERT_EQ(explored.graph.payoffs(s), graph.payoffs(order[s])) << "seed " << seed;
                } else {
                    ASSERT_EQ(explored.graph.label[s], graph.label[order[s]]) << "seed " << seed;
                }
            }
        }
    }
}

TEST(Explore, TicTacToeHas5478States) {
    const gdl::Game description(shipped("tic-tac-toe"));
    GdlGame game(description);
    const Exploration explored = explore(game);
    EXPECT_TRUE(explored.complete);
    EXPECT_EQ(explored.counted.states, 5478U);
    EXPECT_EQ(explored.levels, (std::vector<std::size_t>{1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78}));
}

TEST(Explore, GivesTheMachineAndTheReasonerTheSameGraph) {
    for (const std::string name : {"tic-tac-toe-2x2", "nim", "subtraction", "dice-race", "guess-dice",
                                   "rock-paper-scissors", "monty-hall"}) {
        const gdl::Game description(shipped(name));
        gdl::Reasoner reasoner(description.description());
        GdlGame fast(description);
        ReasonerGame slow(description.description(), reasoner);
        ExploreOptions options;
        options.names = true;
        options.most_states = 20'000;
        const Exploration one = explore(fast, options);
        ASSERT_TRUE(one.complete) << name;
        expect_equal(one.graph, explore(slow, options).graph, name);
    }
}

TEST(Explore, CountsTheStatesOfPerft) {
    const gdl::Game description(shipped("eight-puzzle"));
    GdlGame game(description);
    const Exploration explored = explore(game);
    ASSERT_TRUE(explored.complete);
    EXPECT_EQ(explored.counted.states, gdl::perft(description.machine(), 100).distinct);
    EXPECT_EQ(std::accumulate(explored.levels.begin(), explored.levels.end(), std::size_t{0}),
              explored.counted.states);
}

TEST(Explore, StopsAtTheFirstStateTooMany) {
    const gdl::Game description(shipped("breakthrough-small"));
    GdlGame game(description);
    ExploreOptions options;
    options.most_states = 12'345;
    for (const unsigned threads : {1U, 2U}) {
        options.threads = threads;
        const Exploration explored = explore(game, options);
        EXPECT_FALSE(explored.complete);
        EXPECT_EQ(explored.stop, Stop::none);
        EXPECT_EQ(explored.counted.states, 12'346U);
        EXPECT_EQ(std::accumulate(explored.levels.begin(), explored.levels.end(), std::size_t{0}), 12'346U);
        EXPECT_GT(explored.bytes_per_state(), 8);
    }
}

TEST(Explore, StopsAtLimits) {
    const gdl::Game description(shipped("breakthrough"));
    GdlGame game(description);
    ExploreOptions options;
    options.limits = Limits(0.1, std::nullopt);
    const Exploration late = explore(game, options);
    EXPECT_FALSE(late.complete);
    EXPECT_EQ(late.stop, Stop::time);
    options.limits = Limits(std::nullopt, resident_bytes() + 20'000'000);
    const Exploration large = explore(game, options);
    EXPECT_FALSE(large.complete);
    EXPECT_EQ(large.stop, Stop::memory);
}

TEST(Explore, GoesOnFromACheckpointAsIfNothingHadHappened) {
    const TemporaryDirectory folder;
    const gdl::Game description(shipped("tic-tac-toe"));
    GdlGame game(description);
    const Exploration whole = explore(game);
    ExploreOptions options;
    options.checkpoint = folder.path("work");
    int interruptions = 0;
    for (options.most_states = 0;; options.most_states += 777) {
        const Exploration part = explore(game, options);
        EXPECT_EQ(part.continued, interruptions > 0);
        if (part.complete) {
            expect_equal(part.graph, whole.graph, "continued");
            EXPECT_EQ(part.levels, whole.levels);
            break;
        }
        ++interruptions;
    }
    EXPECT_EQ(interruptions, 8);
}

TEST(Explore, SavesNowAndThen) {
    const TemporaryDirectory folder;
    const gdl::Game description(shipped("tic-tac-toe"));
    GdlGame game(description);
    ExploreOptions options;
    options.checkpoint = folder.path("work");
    options.seconds_between_saves = 0;
    expect_equal(explore(game, options).graph, explore(game).graph, "saved often");
}

TEST(Explore, RefusesTheCheckpointOfAnotherGame) {
    const TemporaryDirectory folder;
    ExploreOptions options;
    options.checkpoint = folder.path("work");
    const gdl::Game nim(shipped("nim"));
    GdlGame nim_game(nim);
    ASSERT_TRUE(explore(nim_game, options).complete);
    const gdl::Game other(shipped("subtraction"));
    GdlGame other_game(other);
    EXPECT_THROW((void)explore(other_game, options), Error);
}

TEST(Explore, ABrokenGameIsReportedOnceAndInOrder) {
    const TemporaryDirectory folder;
    const gdl::Game description(folder.write("game.kif", R"(
        (role white) (init (at 0)) (successor 0 1) (successor 1 2) (successor 2 3)
        (<= (legal white go) (true (at ?n)) (successor ?n ?m))
        (<= (next (at ?m)) (true (at ?n)) (successor ?n ?m))
        (<= terminal (true (at 4))) (goal white 100))"));
    GdlGame game(description);
    try {
        (void)explore(game);
        FAIL() << "a state without legal moves was accepted";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("white has no legal move in the state (at 3)"),
                  std::string::npos);
    }
}

}  // namespace
}  // namespace zermelo::game
