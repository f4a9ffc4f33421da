#include "cluster/retrograde/solve.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "cluster/processes.hpp"
#include "game/explore/explore.hpp"
#include "game/solve-inl.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/quotient_game.hpp"
#include "support/random_graph.hpp"
#include "support/shipped.hpp"

namespace zermelo::cluster {
namespace {

namespace fs = std::filesystem;
using Row = std::vector<std::uint64_t>;

struct Found {
    std::vector<int> payoffs;
    game::Rank rank;
    friend bool operator==(const Found&, const Found&) = default;
};
using Region = std::map<Row, Found>;

void PrintTo(const Found& found, std::ostream* out) {
    for (const int payoff : found.payoffs) *out << payoff << ' ';
    *out << "rank " << found.rank;
}

// What one process finds by game/explore and game/values.
template <game::RowGame G>
Region by_one_process(G& game) {
    game::ExploreOptions options;
    options.threads = 1;
    const game::Exploration explored = game::explore(game, options);
    const game::Graph& graph = explored.graph;
    const game::Values values = game::find_values(graph, {}, 1);
    std::vector<Row> rows(graph.states(), Row(game.row_words()));
    game.pack(game.initial(), rows[0]);
    Region region;
    typename G::State state;
    typename G::State next;
    for (game::StateId s = 0; s < graph.states(); ++s) {
        region[rows[s]] = {values.payoffs(s), values.rank[s]};
        game.unpack(rows[s], state);
        game.look(state);
        for (std::size_t m = 0; m < game.moves(); ++m) {
            game.successor(m, next);
            game.pack(next, rows[graph.successors(s)[m]]);
        }
    }
    return region;
}

// What all processes find, put together in each of them.
template <game::RowGame G>
Region by_all(G& game, const ExploreOptions& exploring, const RetrogradeOptions& backward = {}) {
    Comm& comm = processes();
    Explored explored = Explorer<G>(game, comm, exploring, game.players() > 2).run();
    if (explored.needs_moves) explored = Explorer<G>(game, comm, exploring, true).run();
    EXPECT_TRUE(explored.contents.explored);
    if (!explored.contents.explored) return {};
    const Values values = find_values(explored, comm, backward);
    Bytes mine;
    const auto put = [&](const auto& value) {
        const auto bytes = std::as_bytes(std::span(&value, 1));
        mine.insert(mine.end(), bytes.begin(), bytes.end());
    };
    for_each_state(explored, values, comm.rank(), [&](auto row, const auto& payoffs, game::Rank rank) {
        for (const std::uint64_t word : row) put(word);
        for (const int payoff : payoffs) put(payoff);
        put(rank);
    });
    Region region;
    std::size_t states = 0;
    for (const Bytes& bytes : comm.gather(mine)) {
        std::span<const std::byte> rest = bytes;
        while (!rest.empty()) {
            Row row(game.row_words());
            for (std::uint64_t& word : row) word = take<std::uint64_t>(rest);
            Found& found = region[row];
            for (std::size_t p = 0; p < game.players(); ++p) found.payoffs.push_back(take<int>(rest));
            found.rank = take<game::Rank>(rest);
            ++states;
        }
    }
    EXPECT_EQ(states, region.size()) << "a state is held twice";
    EXPECT_EQ(states, explored.states());
    return region;
}

// Random graphs whose payoffs are anything, and that end: moves lead to later states only.
game::Graph random_general_game(std::uint64_t seed) {
    Random random(seed);
    game::Graph graph;
    const std::size_t players = 2 + random.below(2);
    for (std::size_t p = 0; p < players; ++p) graph.players.push_back("P" + std::to_string(p));
    for (int o = 0; o < 5; ++o) {
        auto& payoffs = graph.outcomes.emplace_back();
        for (std::size_t p = 0; p < players; ++p) payoffs.push_back(static_cast<int>(10 * random.below(6)));
        for (int earlier = 0; earlier < o; ++earlier) {
            if (graph.outcomes[static_cast<std::size_t>(earlier)] == payoffs) payoffs[0] += 1 + o;
        }
    }
    const std::size_t states = 2 + random.below(60);
    graph.start.push_back(0);
    for (std::size_t s = 0; s < states; ++s) {
        if (s + 1 == states || random.chance(0.2)) {
            graph.label.push_back(static_cast<game::Graph::Label>(game::Graph::ended + random.below(5)));
        } else {
            graph.label.push_back(static_cast<game::Graph::Label>(random.below(players)));
            for (std::uint64_t move = 1 + random.below(4); move > 0; --move) {
                graph.to.push_back(static_cast<game::StateId>(s + 1 + random.below(states - s - 1)));
            }
        }
        graph.start.push_back(graph.to.size());
    }
    return graph;
}

// Random graphs for two players whose payoffs are opposed, and whose moves lead to the next level.
game::Graph random_layered_game(std::uint64_t seed) {
    Random random(seed);
    game::Graph graph;
    graph.players = {"P0", "P1"};
    const std::size_t outcomes = 2 + random.below(6);
    const auto ended = [&] {
        return static_cast<game::Graph::Label>(game::Graph::ended + random.below(outcomes));
    };
    for (std::size_t o = 0; o < outcomes; ++o) {
        const int payoff = static_cast<int>(100 * o / (outcomes - 1));
        graph.outcomes.push_back({payoff, 100 - payoff});
    }
    graph.start.push_back(0);
    const std::size_t levels = 2 + random.below(8);
    std::size_t width = 1;
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t next = 1 + random.below(12);
        const std::size_t next_begin = graph.label.size() + width;
        for (; width > 0; --width) {
            if (level + 1 == levels || (level > 0 && random.chance(0.1))) {
                graph.label.push_back(ended());
            } else {
                graph.label.push_back(static_cast<game::Graph::Label>(random.below(2)));
                for (std::uint64_t move = 1 + random.below(4); move > 0; --move)
                    graph.to.push_back(static_cast<game::StateId>(next_begin + random.below(next)));
            }
            graph.start.push_back(graph.to.size());
        }
        width = next;
    }
    return graph;
}

// All processes have to agree on a folder.
class DistributedSolve : public testing::Test {
protected:
    DistributedSolve() {
        const auto number = gather_all(processes(), static_cast<std::uint64_t>(getpid())).front();
        folder_ = (fs::temp_directory_path() / ("zermelo-cluster-" + std::to_string(number))).string();
    }
    ~DistributedSolve() override {
        barrier(processes());
        if (processes().first()) fs::remove_all(folder_);
    }
    [[nodiscard]] std::string folder(const std::string& name) const { return folder_ + "/" + name; }

    std::string folder_;
};

// What is taken already is so much that tables hardly add to it, and the budget is `times` as much: below 2
// memory is short at once, below 1.4 even while a level is expanded.
Limits small_budget(double times = 1.9) {
    static const std::vector<char> ballast(std::size_t{160} << 20, 1);
    EXPECT_EQ(ballast.back(), 1);
    return Limits(std::nullopt, static_cast<std::size_t>(times * static_cast<double>(resident_bytes())));
}

struct Folded {
    gdl::Game rules;
    game::QuotientGame game;
    explicit Folded(const std::string& name, bool symmetry = true)
        : rules(shipped_game(name)),
          game(rules, symmetry
                          ? std::make_shared<const symmetry::Canonical>(rules.machine().network(), Limits())
                          : std::make_shared<const symmetry::Canonical>()) {}
};

TEST_F(DistributedSolve, RandomGraphsComeOutAsInOneProcess) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const game::Graph graph = game::random_graph(seed, seed % 5 == 0 ? 1 : 2);
        game::GraphGame game(graph);
        const Region expected = by_one_process(game);
        ASSERT_EQ(by_all(game, {}), expected) << "seed " << seed << " with counters";
        ASSERT_EQ(by_all(game, {}, {.counters = false}), expected) << "seed " << seed << " without counters";
    }
}

TEST_F(DistributedSolve, GamesOfAnyInterestsComeOutAsInOneProcess) {
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const game::Graph graph = random_general_game(seed);
        game::GraphGame game(graph);
        ASSERT_EQ(by_all(game, {}), by_one_process(game)) << "seed " << seed;
    }
}

TEST_F(DistributedSolve, LayersComeOutAsInOneProcess) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const game::Graph graph = random_layered_game(seed);
        game::GraphGame game(graph);
        ASSERT_EQ(by_all(game, {}), by_one_process(game)) << "seed " << seed;
    }
}

TEST_F(DistributedSolve, ShippedGamesComeOutAsInOneProcess) {
    for (const char* name : {"tic-tac-toe", "nim", "subtraction", "eight-puzzle"}) {
        for (const bool symmetry : {true, false}) {
            if (!symmetry && std::string(name) == "eight-puzzle") continue;
            SCOPED_TRACE(name);
            Folded folded(name, symmetry);
            ASSERT_EQ(by_all(folded.game, {}), by_one_process(folded.game)) << symmetry;
        }
    }
}

TEST_F(DistributedSolve, CyclesThatNobodyMayHaveAreRefused) {
    game::Graph graph;
    graph.players = {"P0", "P1", "P2"};
    graph.outcomes = {{100, 0, 0}};
    graph.label = {0, 1, game::Graph::ended};
    graph.start = {0, 1, 3, 3};
    graph.to = {1, 0, 2};
    game::GraphGame game(graph);
    EXPECT_THROW((void)by_all(game, {}), Error);
}

// With a small budget, everything that can go to the folder does.
TEST_F(DistributedSolve, WhatDoesNotFitIntoMemoryIsReadAgain) {
    ExploreOptions options;
    options.limits = small_budget();
    for (const char* name : {"tic-tac-toe", "nim", "subtraction"}) {
        SCOPED_TRACE(name);
        Folded folded(name);
        options.folder = folder(name);
        ASSERT_EQ(by_all(folded.game, options), by_one_process(folded.game));
    }
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const game::Graph graph = game::random_graph(seed);
        game::GraphGame game(graph);
        options.folder = folder(std::to_string(seed));
        ASSERT_EQ(by_all(game, options), by_one_process(game)) << "seed " << seed;
    }
}

// A level whose moves are written in pieces, in games with a clock and in graphs with cycles.
TEST_F(DistributedSolve, MovesOfALevelMayBeInManyFiles) {
    ExploreOptions options;
    options.limits = small_budget(1.35);
    options.piece_bytes = 1;
    Folded folded("tic-tac-toe", false);
    options.folder = folder("pieces");
    ASSERT_EQ(by_all(folded.game, options), by_one_process(folded.game));
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const game::Graph graph = game::random_graph(seed);
        game::GraphGame game(graph);
        options.folder = folder(std::to_string(seed));
        ASSERT_EQ(by_all(game, options), by_one_process(game)) << "seed " << seed;
    }
}

// Cut off after some levels, of which the older ones have left memory.
TEST_F(DistributedSolve, AForgetfulExplorationGoesOn) {
    Folded folded("tic-tac-toe", false);
    const Region expected = by_one_process(folded.game);
    std::atomic<bool> enough = false;
    const Cancellable scope(enough);
    ExploreOptions options;
    options.limits = small_budget();
    options.folder = folder("forgetful");
    options.keep = true;
    options.seconds_between_saves = 0;
    options.between_levels = [&](std::size_t level) { enough = level >= 5; };
    const Explored cut = Explorer<game::QuotientGame>(folded.game, processes(), options, false).run();
    EXPECT_EQ(cut.stop, Stop::interrupted);
    EXPECT_TRUE(cut.contents.forgotten);
    EXPECT_GE(cut.contents.levels.size(), 6U);
    enough = false;
    ExploreOptions anew = options;
    anew.limits = small_budget();
    anew.between_levels = {};
    EXPECT_EQ(by_all(folded.game, anew), expected);
}

TEST_F(DistributedSolve, StatesWithAClockLeaveMemoryLevelByLevel) {
    Folded folded("tic-tac-toe", false);
    ExploreOptions options;
    options.limits = small_budget();
    options.folder = folder("clock");
    const Explored explored = Explorer<game::QuotientGame>(folded.game, processes(), options, false).run();
    EXPECT_TRUE(explored.contents.explored);
    EXPECT_TRUE(explored.contents.forgotten);
    EXPECT_TRUE(explored.contents.layered);
    EXPECT_EQ(explored.states(), 5478U);
    std::size_t in_memory = 0;
    for (const Shard& shard : explored.shards) in_memory += shard.table.size();
    EXPECT_EQ(in_memory, 0U) << "the last level is empty";
}

TEST_F(DistributedSolve, AFinishedExplorationIsTakenFromItsFolder) {
    Folded folded("tic-tac-toe", false);
    ExploreOptions options;
    options.folder = folder("kept");
    options.keep = true;
    const Region first = by_all(folded.game, options);
    const Explored again = Explorer<game::QuotientGame>(folded.game, processes(), options, false).run();
    EXPECT_TRUE(again.continued);
    EXPECT_TRUE(again.contents.explored);
    EXPECT_EQ(by_all(folded.game, options), first);
    Folded other("nim");
    EXPECT_THROW((void)by_all(other.game, options), Error) << "other rules";
}

// Small levels share a file; it is read again for each of them where its moves are too many to be kept.
TEST_F(DistributedSolve, LevelsOfOneFileMayBeReadOneByOne) {
    ExploreOptions options;
    options.keep = true;
    Folded folded("tic-tac-toe");
    options.folder = folder("one-by-one");
    ASSERT_EQ(by_all(folded.game, options, {.most_loaded = 0}), by_one_process(folded.game));
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
        const game::Graph graph = game::random_graph(seed);
        game::GraphGame game(graph);
        options.folder = folder(std::to_string(seed));
        ASSERT_EQ(by_all(game, options, {.most_loaded = 0}), by_one_process(game)) << "seed " << seed;
    }
}

TEST_F(DistributedSolve, AnExplorationThatWasCutOffGoesOn) {
    Folded folded("tic-tac-toe", false);
    const Region expected = by_one_process(folded.game);
    std::atomic<bool> enough = false;
    const Cancellable scope(enough);
    ExploreOptions options;
    options.folder = folder("cut");
    options.keep = true;
    enough = true;
    const Explored cut = Explorer<game::QuotientGame>(folded.game, processes(), options, false).run();
    EXPECT_EQ(cut.stop, Stop::interrupted);
    EXPECT_FALSE(cut.contents.explored);
    enough = false;
    const ExploreOptions anew{.limits = {}, .shards = 0, .folder = options.folder, .keep = true};
    EXPECT_EQ(by_all(folded.game, anew), expected);
}

// That interests are not opposite is found out late, and then the work that was kept so far is of no use.
TEST_F(DistributedSolve, WhatWasKeptWithoutMovesIsLeftWhereTheyAreNeeded) {
    game::Graph graph;
    graph.players = {"P0", "P1"};
    graph.outcomes = {{100, 0}, {60, 60}};
    graph.label = {0, 1, game::Graph::ended, 0, game::Graph::ended + 1};
    graph.start = {0, 2, 4, 4, 6, 6};
    graph.to = {1, 2, 2, 3, 2, 4};
    game::GraphGame game(graph);
    ExploreOptions options;
    options.folder = folder("late");
    options.keep = true;
    options.seconds_between_saves = 0;
    const Region expected = by_one_process(game);
    EXPECT_EQ(by_all(game, options), expected);
    // The next one begins without moves, too, and takes what was kept with them.
    EXPECT_TRUE(Explorer<game::GraphGame>(game, processes(), options, false).run().continued);
    EXPECT_EQ(by_all(game, options), expected);
}

// The plans of the first process, checked by the rules alone.
TEST_F(DistributedSolve, PlansKeepWhatTheyPromise) {
    for (const char* name : {"tic-tac-toe", "nim", "subtraction"}) {
        SCOPED_TRACE(name);
        const gdl::Game rules = shipped_game(name);
        const LevelsSolution solved = solve_levels(rules, processes());
        const game::Solution alone = game::solve(rules);
        EXPECT_EQ(solved.digest, solve_levels(rules, processes()).digest);
        if (!processes().first()) continue;
        ASSERT_TRUE(solved.solution.solved);
        EXPECT_EQ(solved.solution.values, alone.values);
        EXPECT_EQ(solved.solution.rank, alone.rank);
        std::vector<std::string> moves;
        for (const auto& move : solved.solution.moves) moves.push_back(move.move);
        std::vector<std::string> expected;
        for (const auto& move : alone.moves) expected.push_back(move.move);
        EXPECT_EQ(moves, expected);
        ASSERT_EQ(solved.solution.plans.size(), alone.plans.size());
        for (const game::Plan& plan : solved.solution.plans) {
            game::GdlGame game(rules);
            EXPECT_TRUE(game::verify_plan(game, plan).valid);
        }
    }
}

TEST_F(DistributedSolve, GamesOfChanceAreRefused) {
    const gdl::Game rules = shipped_game("dice-race");
    EXPECT_THROW((void)solve_levels(rules, processes()), Error);
}

}  // namespace
}  // namespace zermelo::cluster
