// One way through: every kind of problem is read, solved, certified, saved, loaded and checked in the same way.

#include "solve/solve.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "model/builder.hpp"
#include "support/temporary_file.hpp"

namespace zermelo {
namespace {

namespace fs = std::filesystem;

const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/";
const std::string old_files = std::string(ZERMELO_SOURCE_DIR) + "/tests/solve/version_0_1/";

ReadOptions with(const std::vector<std::string>& definitions) {
    ReadOptions options;
    options.minizinc.definitions = definitions;
    options.minizinc.library = std::string(ZERMELO_SOURCE_DIR) + "/share/minizinc/zermelo";
    return options;
}

struct Case {
    std::string file;
    std::vector<std::string> definitions;
    Engine engine;
    Outcome outcome;
    std::string kind;
};

const std::vector<Case> cases = {
    {"quantified/nim-fibonacci.mzn", {"n=4"}, Engine::automatic, Outcome::won, "strategy"},
    {"quantified/nim-fibonacci.mzn", {"n=5"}, Engine::automatic, Outcome::lost, "counter-strategy"},
    {"graphs/subtraction-13.json", {}, Engine::automatic, Outcome::lost, "plan"},
    {"gdl/tic-tac-toe.kif", {}, Engine::attractors, Outcome::drawn, "plan"},
    {"gdl/tic-tac-toe.kif", {}, Engine::alpha_beta, Outcome::drawn, "plan"},
    {"gdl/nim.kif", {}, Engine::quantified, Outcome::won, "thresholds"},
    {"gdl/nim.kif", {}, Engine::strategic, Outcome::won, "thresholds"},
    {"gdl/matching-pennies.kif", {}, Engine::automatic, Outcome::drawn, "equilibrium"},
    {"gdl/kuhn-poker.kif", {}, Engine::equilibrium, Outcome::lost, "equilibrium"},
    {"stochastic/monty-hall.mzn", {}, Engine::automatic, Outcome::won, "policy"},
    {"stochastic/monty-hall.mzn", {}, Engine::forward_checking, Outcome::won, "policy"},
};

TEST(Solve, EveryKindOfProblemTakesTheSameWay) {
    for (const Case& one : cases) {
        SCOPED_TRACE(one.file + " by " + name(one.engine));
        const Problem problem = read(games + one.file, with(one.definitions));
        SolveOptions options;
        options.engine = one.engine;
        const Verdict verdict = solve(problem, options);
        EXPECT_EQ(verdict.outcome, one.outcome);
        EXPECT_EQ(verdict.stop, Stop::none);
        EXPECT_EQ(verdict.certificate.kind(), one.kind);
        EXPECT_GT(verdict.certificate.size(), 0U);
        EXPECT_GT(verdict.nodes, 0U);
        EXPECT_EQ(verdict.players.size(), verdict.values.size());

        const Report report = check(problem, verdict.certificate);
        EXPECT_TRUE(report.valid) << report.counterexample.value_or("");

        const TemporaryFile file(".json");
        save(file.path(), problem, verdict.certificate);
        EXPECT_EQ(certificate_kind(file.contents()), one.kind);
        const Certificate loaded = load(file.path(), problem);
        EXPECT_EQ(loaded.kind(), one.kind);
        EXPECT_EQ(loaded.size(), verdict.certificate.size());
        const Report again = check(problem, loaded);
        EXPECT_TRUE(again.valid);
        EXPECT_EQ(again.scenarios, report.scenarios);
    }
}

TEST(Solve, PlansHaveACompactForm) {
    const Problem problem = read(games + "graphs/subtraction-13.json");
    const Verdict verdict = solve(problem);
    const TemporaryFile file(".zplan");
    save(file.path(), problem, verdict.certificate);
    EXPECT_EQ(certificate_kind(file.contents()), "plan");
    EXPECT_TRUE(check(problem, load(file.path(), problem)).valid);
}

TEST(Solve, FilesOfTheFirstVersionAreStillRead) {
    const std::vector<std::tuple<std::string, std::vector<std::string>, std::string, std::string>> files = {
        {"quantified/nim-fibonacci.mzn", {"n=4"}, "nim-4-strategy.json", "strategy"},
        {"quantified/nim-fibonacci.mzn", {"n=5"}, "nim-5-counter-strategy.json", "counter-strategy"},
        {"graphs/subtraction-13.json", {}, "subtraction-13-plan.json", "plan"},
        {"graphs/subtraction-13.json", {}, "subtraction-13-plan.zplan", "plan"},
        {"gdl/nim.kif", {}, "nim-thresholds.json", "thresholds"},
        {"stochastic/monty-hall.mzn", {}, "monty-hall-policy.json", "policy"},
    };
    for (const auto& [game, definitions, file, kind] : files) {
        SCOPED_TRACE(file);
        const Problem problem = read(games + game, with(definitions));
        const Certificate certificate = load(old_files + file, problem);
        EXPECT_EQ(certificate.kind(), kind);
        EXPECT_TRUE(check(problem, certificate).valid);
    }
}

TEST(Solve, ACertificateOfAnotherGameIsRefused) {
    const Problem nim = read(games + "gdl/nim.kif");
    EXPECT_THROW((void)load(old_files + "subtraction-13-plan.json", nim), Error);
    const Problem model = read(games + "quantified/nim-fibonacci.mzn", with({"n=6"}));
    EXPECT_THROW((void)load(old_files + "nim-4-strategy.json", model), Error);
    EXPECT_THROW((void)load(old_files + "monty-hall-policy.json", model), Error);
}

TEST(Solve, ACertificateThatClaimsTooMuchFails) {
    const Problem won = read(games + "quantified/nim-fibonacci.mzn", with({"n=4"}));
    Verdict verdict = solve(won);
    strategy::Strategy strategy = *verdict.certificate.as<strategy::Strategy>();
    for (strategy::StrategyNode& node : strategy.nodes) {
        for (strategy::Edge& edge : node.edges) edge.to = strategy::decided;  // claims to have won at once
    }
    const Report report = check(won, {strategy});
    EXPECT_FALSE(report.valid);
    EXPECT_TRUE(report.counterexample.has_value());
}

TEST(Solve, TextsAreReadLikeFiles) {
    const Problem graph = read_text(R"({"format": "zermelo-graph", "version": 1, "players": ["A", "B"],
        "initial": "s", "states": [{"name": "s", "player": "A", "moves": ["t"]}, {"name": "t", "winner": "A"}]})",
                                    Language::graph, "mine");
    EXPECT_EQ(graph.kind(), Problem::Kind::graph);
    EXPECT_EQ(solve(graph).outcome, Outcome::won);
}

TEST(Solve, AModelMadeInCppIsAProblemToo) {
    model::ModelBuilder builder("sum");
    const auto x = builder.exists("x", 1, 3);
    const auto y = builder.forall("y", 1, 3);
    builder.win(x + y <= 5);
    const Problem problem = make_problem(builder.build());
    SolveOptions options;
    options.all_first_moves = true;
    const Verdict verdict = solve(problem, options);
    const std::set<std::string> best(verdict.best.begin(), verdict.best.end());
    EXPECT_EQ(best, (std::set<std::string>{"x = 1", "x = 2"}));
    EXPECT_TRUE(verdict.all_best);
}

TEST(Solve, ALimitIsAnAnswer) {
    const Problem problem = read(games + "gdl/connect-four.kif");
    SolveOptions options;
    options.limits = Limits(0.01, std::nullopt);
    const Verdict verdict = solve(problem, options);
    EXPECT_EQ(verdict.outcome, Outcome::unknown);
    EXPECT_EQ(verdict.stop, Stop::time);
    EXPECT_TRUE(verdict.certificate.empty());
}

TEST(Solve, EnginesThatDoNotFitAreRefusedInTheCallersWords) {
    const Problem graph = read(games + "graphs/subtraction-13.json");
    SolveOptions options;
    options.engine = Engine::mac;
    try {
        (void)solve(graph, options);
        FAIL() << "nothing was thrown";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("engine = mac is for models with chance"), std::string::npos)
            << error.what();
        const std::string flag = error.text(
            [](const std::string& name, const std::string& value) { return "--" + name + " " + value; });
        EXPECT_NE(flag.find("--engine mac is for models with chance"), std::string::npos) << flag;
    }
    for (const Engine engine : {Engine::automatic, Engine::alpha_beta, Engine::quantified, Engine::mac})
        EXPECT_EQ(engine_named(name(engine)), engine);
    EXPECT_FALSE(engine_named("abacus"));
}

}  // namespace
}  // namespace zermelo
