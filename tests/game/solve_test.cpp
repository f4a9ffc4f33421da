// Whole games: the engines agree with each other, with the quantified solver, and with what is known.

#include "game/solve.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "game/connect_four.hpp"
#include "game/strategy/verify.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/model_game.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/flatzinc/minizinc.hpp"
#include "quantified/solve.hpp"
#include "support/random_graph.hpp"
#include "support/random_model.hpp"
#include "support/rare_end.hpp"
#include "support/shipped.hpp"
#include "support/temporary_file.hpp"

namespace zermelo::game {
namespace {

const std::vector<Engine> engines = {Engine::attractors, Engine::alpha_beta, Engine::proof_number};

template <Game G>
void expect_valid(G& game, const Solution& solution) {
    for (const Plan& plan : solution.plans) {
        const PlanVerification check = verify_plan(game, plan);
        EXPECT_TRUE(check.valid) << name(solution.engine) << ", plan of " << solution.players[plan.owner]
                                 << ": " << (check.counterexample ? check.counterexample->reason : "");
        EXPECT_EQ(plan.promise, solution.values[plan.owner]);
    }
}

void expect_value(const gdl::Game& game, const std::vector<int>& values) {
    for (const Engine engine : engines) {
        SolveOptions options;
        options.engine = engine;
        const Solution solution = solve(game, options);
        ASSERT_TRUE(solution.solved) << name(engine);
        EXPECT_EQ(solution.values, values) << name(engine);
        EXPECT_FALSE(solution.plans.empty()) << name(engine);
        GdlGame checker(game);
        expect_valid(checker, solution);
    }
}

TEST(SolveGames, TicTacToeIsADraw) { expect_value(shipped_game("tic-tac-toe"), {50, 50}); }
TEST(SolveGames, ConnectFour4x4IsADraw) { expect_value(connect_four(4, 4), {50, 50}); }
TEST(SolveGames, NimIsWonByTheFirst) { expect_value(shipped_game("nim"), {100, 0}); }
TEST(SolveGames, SubtractionIsWonByTheSecond) { expect_value(shipped_game("subtraction"), {0, 100}); }

TEST(SolveGames, ConnectFourHasItsKnownValues) {
    const std::vector<std::pair<std::pair<int, int>, int>> known = {
        {{4, 5}, 50}, {{5, 4}, 50}, {{5, 5}, 50}, {{6, 4}, 0}};
    for (const auto& [size, value] : known) {
        const gdl::Game game = connect_four(size.first, size.second);
        const Solution solution = solve(game);
        EXPECT_EQ(solution.engine, Engine::alpha_beta);
        EXPECT_EQ(solution.values, (std::vector<int>{value, 100 - value}))
            << size.first << "x" << size.second;
        GdlGame checker(game);
        expect_valid(checker, solution);
    }
}

TEST(SolveGames, ConnectFourOfThirtyCellsIsADraw) {
    for (const auto& [columns, rows] : std::vector<std::pair<int, int>>{{5, 6}, {6, 5}, {7, 4}}) {
        SolveOptions options;
        options.plans = false;
        EXPECT_EQ(solve(connect_four(columns, rows), options).values, (std::vector<int>{50, 50}))
            << columns << "x" << rows;
    }
}

TEST(SolveGames, APuzzleForOneIsSolvedByAllEngines) { expect_value(shipped_game("eight-puzzle"), {100}); }

TEST(SolveGames, ARepetitionMakesAlphaBetaRefuseAndAttractorsAnswer) {
    const Graph graph = read_graph(ZERMELO_SOURCE_DIR "/games/graphs/drawn-by-circuit.json");
    SolveOptions options;
    options.engine = Engine::alpha_beta;
    EXPECT_THROW((void)solve(graph, options), Error);
    EXPECT_EQ(solve(graph).values, (std::vector<int>{50, 50}));
}

// Alice goes from a to b, Bob from b back or to the only end, which Alice wins: Bob goes back for ever.
TEST(SolveGames, ASingleOutcomeIsNotSureWhereThePlayNeedNotEnd) {
    Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{100, 0}};
    graph.label = {0, 1, Graph::ended};
    graph.start = {0, 1, 3, 3};
    graph.to = {1, 0, 2};
    EXPECT_EQ(solve(graph).values, (std::vector<int>{50, 50}));
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        SolveOptions options;
        options.engine = engine;
        EXPECT_THROW((void)solve(graph, options), Error) << name(engine);
    }
}

// Found by a campaign: bounds on the goals of one role decided before any end was seen.
TEST(SolveGames, GoalsThatDoNotAddUpAreRefusedByAlphaBeta) {
    const gdl::Game game(
        gdl::parse("(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)"
                   "(<= (legal ?r (act 1)) (role ?r)) (<= (legal a (act 2)) (true (step 0)))"
                   "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))"
                   "(<= terminal (true (step 2)))"
                   "(goal a 0) (goal b 70)",
                   "game.kif"));
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        SolveOptions options;
        options.engine = engine;
        EXPECT_THROW((void)solve(game, options), Error) << name(engine);
    }
    EXPECT_EQ(solve(game).values, (std::vector<int>{0, 70}));
}

// Few random plays come by the end that is good for both.
TEST(SolveGames, ARareEndThatIsGoodForBothIsNotOverlooked) {
    const gdl::Game game(gdl::parse(rare_end(100, 100), "rare.kif"));
    EXPECT_EQ(solve(game).values, (std::vector<int>{100, 100}));
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        SolveOptions options;
        options.engine = engine;
        try {
            const Solution solution = solve(game, options);
            EXPECT_FALSE(solution.opposed) << name(engine);
            EXPECT_EQ(solution.values, (std::vector<int>{40, 60})) << name(engine);  // alone
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("add up to 100"), std::string::npos) << error.what();
        }
    }
}

// Connectivity is recursive, so nothing is proven of it, and each player is asked for.
TEST(SolveGames, WhereInterestsAreNotProvenToBeOppositeEachPlayerIsAskedFor) {
    const gdl::Game game = shipped_game("hex-small");
    const std::vector<int> expected = solve(game).values;
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        SolveOptions options;
        options.engine = engine;
        const Solution solution = solve(game, options);
        EXPECT_FALSE(solution.opposed) << name(engine);
        EXPECT_EQ(solution.values, expected) << name(engine);
        for (const Plan& plan : solution.plans) {
            GdlGame checker(game);
            EXPECT_TRUE(verify_plan(checker, plan).valid) << name(engine);
        }
    }
    for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
        SolveOptions options;
        options.engine = engine;
        EXPECT_TRUE(solve(shipped_game("tic-tac-toe"), options).opposed) << name(engine);
    }
}

TEST(SolveGames, ChanceAndSimultaneousMovesAreRefused) {
    EXPECT_THROW((void)solve(shipped_game("dice-race")), Error);
    EXPECT_THROW((void)solve(shipped_game("rock-paper-scissors")), Error);
}

TEST(SolveGames, EveryMoveOfAPositionHasTheSameValueForAllEngines) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    std::vector<std::vector<std::vector<int>>> reports;
    for (const Engine engine : engines) {
        SolveOptions options;
        options.engine = engine;
        options.every_move = true;
        options.line = {"(mark 1 1)"};
        const Solution solution = solve(game, options);
        ASSERT_EQ(solution.moves.size(), 8U);
        auto& values = reports.emplace_back();
        for (const MoveReport& report : solution.moves) {
            values.push_back(report.values);
            EXPECT_EQ(report.best, report.move == "(mark 2 2)") << report.move;
        }
    }
    EXPECT_EQ(reports[0], reports[1]);
    EXPECT_EQ(reports[0], reports[2]);
}

TEST(SolveGames, WithoutSymmetryAndWithAnyNumberOfThreadsTheAnswerIsTheSame) {
    const gdl::Game game = connect_four(5, 4);
    for (const bool symmetry : {false, true}) {
        for (const unsigned threads : {1U, 2U, 3U}) {
            SolveOptions options;
            options.engine = Engine::alpha_beta;
            options.symmetry = symmetry;
            options.threads = threads;
            options.table_bytes = std::size_t{1} << 20;
            EXPECT_EQ(solve(game, options).values, (std::vector<int>{50, 50})) << symmetry << threads;
        }
    }
}

TEST(SolveGames, AStoppedSearchContinuesFromItsCheckpoint) {
    const TemporaryFile kept(".checkpoint");
    const std::string& file = kept.path();
    for (const Engine engine : {Engine::alpha_beta, Engine::attractors}) {
        const gdl::Game game = engine == Engine::alpha_beta ? connect_four(6, 5) : connect_four(5, 4);
        SolveOptions options;
        options.engine = engine;
        options.checkpoint = file;
        options.plans = false;
        // Set-up asks, too, and leaves no checkpoint.
        for (std::uint64_t questions = 500; !std::filesystem::exists(file); questions += questions / 2) {
            options.limits = Limits::after_questions(questions);
            ASSERT_EQ(solve(game, options).stop, Stop::time) << name(engine);
        }
        options.limits = {};
        const Solution finished = solve(game, options);
        EXPECT_TRUE(finished.continued);
        EXPECT_EQ(finished.values, (std::vector<int>{50, 50})) << name(engine);
        std::filesystem::remove(file);
    }
}

TEST(SolveGames, AContinuedSearchKnowsWhatItKnewBefore) {
    const TemporaryFile kept(".checkpoint");
    const std::string& file = kept.path();
    const gdl::Game game = connect_four(6, 5);
    SolveOptions options;
    options.engine = Engine::alpha_beta;
    options.threads = 1;
    options.checkpoint = file;
    options.plans = false;
    const Solution first = solve(game, options);
    const Solution again = solve(game, options);
    EXPECT_TRUE(again.continued);
    EXPECT_EQ(again.values, first.values);
    EXPECT_GE(again.statistics.table_entries * 100, first.statistics.table_entries * 99);
}

// The same verdicts, values, and proofs, whatever makes the moves.
TEST(SolveGames, CompiledMovesAndTheStepperFindTheSame) {
    std::vector<gdl::Game> games;
    for (const auto& [columns, rows] : std::vector<std::pair<int, int>>{{4, 4}, {4, 5}})
        games.push_back(connect_four(columns, rows));
    for (const char* name : {"tic-tac-toe", "nim", "subtraction", "eight-puzzle"})
        games.push_back(shipped_game(name));
    for (const gdl::Game& game : games) {
        for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
            SolveOptions options;
            options.engine = engine;
            options.threads = 1;
            const Solution compiled = solve(game, options);
            options.compiled = false;
            const Solution stepped = solve(game, options);
            const std::string what = game.description().file + ", " + name(engine);
            ASSERT_TRUE(compiled.solved && stepped.solved) << what;
            EXPECT_EQ(compiled.values, stepped.values) << what;
            GdlGame checker(game);
            expect_valid(checker, compiled);
            EXPECT_EQ(compiled.plans.size(), stepped.plans.size()) << what;
        }
    }
}

// Games without cycles, small enough for all.
TEST(SolveGames, AllEnginesAgreeWithTheQuantifiedSolverOnRandomModels) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const model::Model model =
            random_model(seed, seed % 2 == 0 ? Shape::plain() : Shape::with_rules()).build();
        const bool won = quantified::solve(model).verdict == quantified::Verdict::won;
        for (const Engine engine : engines) {
            SolveOptions options;
            options.engine = engine;
            const Solution solution = solve(model, options);
            ASSERT_EQ(solution.values.front(), won ? 100 : 0) << "seed " << seed << ", " << name(engine);
            ModelGame checker(model);
            expect_valid(checker, solution);
        }
    }
}

model::Model our_model(const std::string& file, std::vector<std::string> definitions) {
    model::MiniZincOptions options;
    options.definitions = std::move(definitions);
    options.library = ZERMELO_SOURCE_DIR "/share/minizinc/zermelo";
    return model::read_model(ZERMELO_SOURCE_DIR "/games/quantified/" + file, options);
}

TEST(SolveGames, AllEnginesAgreeWithTheQuantifiedSolverOnOurModels) {
    std::vector<std::pair<std::string, std::vector<std::string>>> models = {
        {"four-variables.mzn", {}}, {"subtraction.mzn", {"n=13"}}, {"subtraction.mzn", {"n=12"}}};
    for (const int n : {2, 3, 4, 5, 8, 9, 13}) {
        models.push_back({"nim-fibonacci.mzn", {fmt::format("n={}", n)}});
    }
    for (const auto& [file, definitions] : models) {
        const model::Model model = our_model(file, definitions);
        const bool won = quantified::solve(model).verdict == quantified::Verdict::won;
        for (const Engine engine : engines) {
            SolveOptions options;
            options.engine = engine;
            EXPECT_EQ(solve(model, options).values.front(), won ? 100 : 0)
                << file << " " << fmt::format("{}", fmt::join(definitions, " ")) << ", " << name(engine);
        }
    }
}

// The rules in GDL and the quantified model were written apart; ∃ wins the model if the first player forces a
// line.
TEST(SolveGames, TheGdlRulesAndTheQuantifiedModelOfConnectFourAgree) {
    for (const auto& [columns, rows, aligned] : std::vector<std::array<int, 3>>{{3, 3, 3},
                                                                                {4, 3, 3},
                                                                                {3, 4, 3},
                                                                                {4, 4, 3},
                                                                                {5, 3, 3},
                                                                                {3, 5, 3},
                                                                                {4, 4, 4},
                                                                                {4, 5, 4},
                                                                                {5, 4, 4}}) {
        const model::Model model =
            our_model("connect-four.mzn", {fmt::format("columns={}", columns), fmt::format("rows={}", rows),
                                           fmt::format("aligned={}", aligned)});
        const bool won = quantified::solve(model).verdict == quantified::Verdict::won;
        const gdl::Game game = connect_four(columns, rows, aligned);
        for (const Engine engine : {Engine::automatic, Engine::alpha_beta, Engine::proof_number}) {
            SolveOptions options;
            options.engine = engine;
            options.plans = false;
            EXPECT_EQ(solve(game, options).values.front() == 100, won)
                << columns << "x" << rows << ", " << aligned << ", " << name(engine);
        }
    }
}

// With cycles the others answer rightly or refuse.
TEST(SolveGames, AllEnginesAgreeOnRandomGraphs) {
    int answered = 0;
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        const Graph graph = random_graph(seed);
        const Solution attractors = solve(graph);
        ASSERT_TRUE(attractors.solved);
        GraphGame checker(graph);
        expect_valid(checker, attractors);
        for (const Engine engine : {Engine::alpha_beta, Engine::proof_number}) {
            SolveOptions options;
            options.engine = engine;
            options.threads = 1;
            try {
                const Solution solution = solve(graph, options);
                ASSERT_EQ(solution.values, attractors.values) << "seed " << seed << ", " << name(engine);
                expect_valid(checker, solution);
                ++answered;
            } catch (const Error&) {
            }
        }
    }
    EXPECT_GT(answered, 1000);
}

}  // namespace
}  // namespace zermelo::game
