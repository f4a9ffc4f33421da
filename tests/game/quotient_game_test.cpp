// Games with symmetric states as one: fewer states, and the same values, ranks and promises.

#include "game/views/quotient_game.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "game/connect_four.hpp"
#include "game/explore/explore.hpp"
#include "game/solve.hpp"
#include "game/strategy/verify.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"
#include "support/temporary_file.hpp"

namespace zermelo::game {
namespace {

// A hunter and a hare on a ring of cells, each one step or none at a time: plays can go on for ever. The hare
// is caught where both are on one cell. The cells `gaps` are closed to the hare.
gdl::Game ring(int cells, const std::string& gaps, int hare) {
    std::string text = "(role hunter) (role hare) (other hunter hare) (other hare hunter)\n";
    for (int i = 0; i < cells; ++i)
        text += fmt::format("(cell {}) (beside {} {}) (beside {} {}) (beside {} {})\n", i, i, (i + 1) % cells,
                            (i + 1) % cells, i, i, i);
    text += gaps + fmt::format("(init (at hunter 0)) (init (at hare {})) (init (control hunter))", hare);
    return gdl::Game(gdl::parse(text + R"(
        (<= (base (at ?p ?c)) (role ?p) (cell ?c)) (<= (base (control ?p)) (role ?p))
        (<= (input ?p (go ?c)) (role ?p) (cell ?c)) (<= (input ?p wait) (role ?p))
        (<= (legal ?p (go ?d)) (true (control ?p)) (true (at ?p ?c)) (beside ?c ?d) (not (closed ?p ?d)))
        (<= (closed hare ?c) (gap ?c))
        (<= (legal ?p wait) (true (control ?q)) (other ?q ?p))
        (<= (next (at ?p ?c)) (does ?p (go ?c)))
        (<= (next (at ?p ?c)) (true (at ?p ?c)) (does ?p wait))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= caught (true (at hunter ?c)) (true (at hare ?c)))
        (<= terminal caught)
        (<= (goal hunter 100) caught) (<= (goal hare 0) caught)
        (<= (goal hunter 0) (not caught)) (<= (goal hare 100) (not caught)))",
                                "ring.kif"));
}

std::size_t states(const gdl::Game& game, bool quotient) {
    const auto canonical = quotient ? std::make_shared<const symmetry::Canonical>(game.machine().network())
                                    : std::make_shared<const symmetry::Canonical>();
    QuotientGame walked(game, canonical);
    const Exploration explored = explore(walked);
    EXPECT_TRUE(explored.complete);
    return explored.counted.states;
}

TEST(QuotientGame, TicTacToeHas765StatesInsteadOf5478) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    EXPECT_EQ(states(game, false), 5478U);
    EXPECT_EQ(states(game, true), 765U);
}

TEST(QuotientGame, TheNumbersOfStatesDoNotDependOnThreads) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const auto canonical = std::make_shared<const symmetry::Canonical>(game.machine().network());
    std::vector<Graph> graphs;
    for (const unsigned threads : {1U, 2U, 3U}) {
        QuotientGame quotient(game, canonical);
        ExploreOptions options;
        options.threads = threads;
        graphs.push_back(explore(quotient, options).graph);
    }
    EXPECT_EQ(graphs[0], graphs[1]);
    EXPECT_EQ(graphs[0], graphs[2]);
}

// Solves with and without symmetry and compares; all plans are checked on the game as it is. Returns how
// many states are visited with symmetry, and without.
std::pair<std::uint64_t, std::uint64_t> expect_same(const gdl::Game& game, Engine engine,
                                                    const std::vector<std::string>& line = {}) {
    std::vector<Solution> solutions;
    for (const bool symmetry : {true, false}) {
        SolveOptions options;
        options.engine = engine;
        options.symmetry = symmetry;
        options.every_move = true;
        options.threads = 1;
        options.line = line;
        solutions.push_back(solve(game, options));
        EXPECT_TRUE(solutions.back().solved) << name(engine);
        GdlGame plain(game);
        for (const Plan& plan : solutions.back().plans) {
            const PlanVerification check = verify_plan(plain, plan);
            EXPECT_TRUE(check.valid) << name(engine) << (symmetry ? " with symmetry: " : ": ")
                                     << (check.counterexample ? check.counterexample->text() : "");
        }
    }
    const auto& [quotient, plain] = std::tie(solutions[0], solutions[1]);
    EXPECT_EQ(quotient.values, plain.values);
    EXPECT_EQ(quotient.rank, plain.rank);
    EXPECT_EQ(quotient.plans.size(), plain.plans.size());
    for (std::size_t p = 0; p < quotient.plans.size(); ++p)
        EXPECT_EQ(quotient.plans[p].promise, plain.plans[p].promise);
    EXPECT_EQ(quotient.moves.size(), plain.moves.size());
    for (std::size_t m = 0; m < quotient.moves.size(); ++m) {
        EXPECT_EQ(quotient.moves[m].move, plain.moves[m].move);
        EXPECT_EQ(quotient.moves[m].values, plain.moves[m].values) << quotient.moves[m].move;
        EXPECT_EQ(quotient.moves[m].rank, plain.moves[m].rank) << quotient.moves[m].move;
        EXPECT_EQ(quotient.moves[m].best, plain.moves[m].best) << quotient.moves[m].move;
    }
    EXPECT_EQ(plain.statistics.symmetries, 1U);
    return {quotient.statistics.nodes, plain.statistics.nodes};
}

TEST(QuotientGame, AllEnginesGiveTheSameAnswersInFewerStates) {
    std::vector<std::pair<std::string, gdl::Game>> games;
    games.emplace_back("tic-tac-toe", shipped_game("tic-tac-toe"));
    games.emplace_back("connect four 4 x 4", connect_four(4, 4, 3));
    games.emplace_back("connect four 5 x 3", connect_four(5, 3, 4));
    games.emplace_back("connect four 3 x 4", connect_four(3, 4, 3));
    for (const auto& [name, game] : games) {
        SCOPED_TRACE(name);
        for (const Engine engine : {Engine::attractors, Engine::alpha_beta, Engine::proof_number}) {
            const auto [quotient, plain] = expect_same(game, engine);
            EXPECT_LT(quotient, plain) << game::name(engine);
            // Half the states at most would be too much to ask: some are their own mirror images.
            if (engine == Engine::attractors) {
                EXPECT_LT(quotient, plain * 3 / 4);
            }
        }
    }
}

TEST(QuotientGame, GamesWithoutSymmetryAreAsBefore) {
    for (const char* name : {"nim", "subtraction"}) {
        SCOPED_TRACE(name);
        const auto [quotient, plain] = expect_same(shipped_game(name), Engine::attractors);
        EXPECT_EQ(quotient, plain);
    }
}

TEST(QuotientGame, PositionsWithinAPlayKeepTheNamesOfTheirMoves) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    for (const std::vector<std::string>& line : std::vector<std::vector<std::string>>{
             {"(mark 3 3)"}, {"(mark 3 2)", "(mark 1 1)"}, {"(mark 2 3)", "(mark 2 2)", "(mark 3 1)"}}) {
        for (const Engine engine : {Engine::attractors, Engine::alpha_beta, Engine::proof_number})
            (void)expect_same(game, engine, line);
    }
}

// The ring of even length has its mirror when the hare starts opposite the hunter.
TEST(QuotientGame, PlaysThatNeverEndAreDrawsWithSymmetryToo) {
    const gdl::Game open = ring(6, "", 3);
    const auto [quotient, plain] = expect_same(open, Engine::attractors);
    EXPECT_LT(quotient, plain);
    SolveOptions options;
    EXPECT_EQ(solve(open, options).values, (std::vector<int>{50, 50}));
    // A hare that cannot pass on either side is caught, wherever it runs.
    const gdl::Game closed = ring(8, "(gap 1) (gap 7)", 4);
    const auto [fewer, more] = expect_same(closed, Engine::attractors);
    EXPECT_LT(fewer, more);
    EXPECT_EQ(solve(closed, options).values, (std::vector<int>{100, 0}));
    EXPECT_EQ(solve(closed, options).statistics.symmetries, 2U);
}

TEST(QuotientGame, ACheckpointIsContinuedOnlyWithTheSameSymmetries) {
    const TemporaryFile kept(".checkpoint");
    const std::string& file = kept.path();
    const gdl::Game game = connect_four(5, 4, 4);
    SolveOptions options;
    options.engine = Engine::attractors;
    options.checkpoint = file;
    options.plans = false;
    options.limits = Limits(0.05, std::nullopt);
    EXPECT_EQ(solve(game, options).stop, Stop::time);
    options.limits = {};
    options.symmetry = false;
    EXPECT_THROW((void)solve(game, options), Error);
    options.symmetry = true;
    const Solution finished = solve(game, options);
    EXPECT_TRUE(finished.continued);
    EXPECT_EQ(finished.values, (std::vector<int>{50, 50}));
}

// Among three, the first of several moves that are worth the same to the mover is played, and who profits
// from it depends on the order: symmetries do not keep it.
TEST(QuotientGame, GamesOfThreeAreNotFolded) {
    const gdl::Game game(gdl::parse(R"(
        (role a) (role b) (role c) (side left) (side right) (init start)
        (<= (legal a (give ?s)) (side ?s)) (legal b wait) (legal c wait)
        (<= (base (given ?s)) (side ?s)) (base start)
        (<= (next (given ?s)) (does a (give ?s)))
        (<= terminal (true (given ?s)))
        (goal a 50)
        (<= (goal b 30) (true (given ?s))) (<= (goal c 30) (true (given ?s)))
        (<= (goal b 0) (true start)) (<= (goal c 0) (true start)))",
                                    "three.kif"));
    EXPECT_EQ(symmetry::Canonical(game.machine().network()).size(), 2U);
    const Solution solution = solve(game);
    EXPECT_TRUE(solution.solved);
    EXPECT_EQ(solution.statistics.symmetries, 1U);
    EXPECT_EQ(solution.statistics.nodes, 3U);
}

}  // namespace
}  // namespace zermelo::game
