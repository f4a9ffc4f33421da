#include <gtest/gtest.h>

#include "chance/oracle.hpp"
#include "chance/small_games.hpp"
#include "game/chance/policy_file.hpp"
#include "solve/chance.hpp"
#include "solve/solve.hpp"

namespace zermelo {

namespace {

using game::ChanceEngine;
using game::ChanceSolution;

constexpr double close = 1e-9;

ChanceSolution solved(const gdl::Game& game, ChanceEngine engine = ChanceEngine::value_iteration) {
    game::ChanceOptions options;
    options.engine = engine;
    options.threads = 1;
    return game::solve_chance(game, options);
}

// By the machine, and by the reasoner from the text of a file.
void expect_proven(const gdl::Game& rules, const ChanceSolution& solution) {
    game::ChanceGame game(rules);
    const Hash128 fingerprint = game::rules_fingerprint(rules.description());
    const std::string text = game::policies_json(game, {"game", fingerprint, solution.policies});
    gdl::Reasoner reasoner(rules.description());
    game::ReasonerRules stepping(rules.description(), reasoner);
    game::ReasonerChanceGame other(stepping);
    const auto read = game::read_policies(text, "policy.json", other, fingerprint);
    EXPECT_EQ(read, solution.policies);
    const auto compact = game::read_policies(game::encode_policies({"game", fingerprint, solution.policies}),
                                             "policy.zpolicy", game, fingerprint);
    EXPECT_EQ(compact, solution.policies);
    for (const game::ChancePolicy& policy : solution.policies) {
        const auto by_machine = game::verify_policy(game, policy);
        EXPECT_TRUE(by_machine.valid) << name(policy.claim) << ": "
                                      << (by_machine.counterexample ? by_machine.counterexample->text() : "");
        const auto by_reasoner = game::verify_policy(other, policy);
        EXPECT_TRUE(by_reasoner.valid)
            << name(policy.claim) << ": "
            << (by_reasoner.counterexample ? by_reasoner.counterexample->text() : "");
        EXPECT_EQ(by_machine.positions, by_reasoner.positions);
    }
}

void expect_value(const gdl::Game& game, bool together, double endless) {
    const ChanceSolution solution = solved(game);
    ASSERT_TRUE(solution.solved);
    ASSERT_TRUE(solution.exact());
    EXPECT_NEAR(solution.values.front().number(), game::PlainValueIteration(game, together).value(endless),
                close);
    expect_proven(game, solution);
}

TEST(GamesWithChance, TicTacToeAgainstChanceIsWorthAQuarterOfAWin) {
    const gdl::Game game = shipped_game("tic-tac-toe-2x2");
    const ChanceSolution solution = solved(game);
    EXPECT_EQ(solution.values.front().low, 25);
    ASSERT_EQ(solution.moves.size(), 2U);
    EXPECT_EQ(solution.moves[0].move, "(mark 1 2)");
    EXPECT_EQ(solution.moves[1].move, "(mark 2 1)");
    expect_value(game, true, 0);
}

TEST(GamesWithChance, TheDiceRaceIsThatOfPlainValueIteration) {
    const gdl::Game game = shipped_game("dice-race");
    expect_value(game, false, 50);
    EXPECT_GT(solved(game).cyclic_states, 0U);  // who throws the wild die may stay where they are for ever
}

TEST(GamesWithChance, PigIsThatOfPlainValueIteration) {
    expect_value(game_of(pig_text(8), "pig.kif"), false, 50);
}

TEST(GamesWithChance, ASmallOrchardIsThatOfPlainValueIteration) {
    const gdl::Game game = game_of(orchard_text(), "orchard.kif");
    expect_value(game, true, 50);
    EXPECT_EQ(solved(game, ChanceEngine::expectimax).values, solved(game).values);
}

TEST(GamesWithChance, EinSteinOnThreeByThreeIsThatOfPlainValueIteration) {
    const gdl::Game game = game_of(einstein_text(), "einstein.kif");
    const ChanceSolution solution = solved(game);
    ASSERT_TRUE(solution.exact());
    EXPECT_NEAR(solution.values.front().number(), game::PlainValueIteration(game, false).value(50), close);
    const ChanceSolution searched = solved(game, ChanceEngine::expectimax);
    EXPECT_EQ(searched.values, solution.values);
    game::ChanceGame view(game);
    for (const game::ChancePolicy& policy : solution.policies)
        EXPECT_TRUE(game::verify_policy(view, policy).valid);
}

// Exact by both engines, which share no code; near plain value iteration in floating point; policies checked.
void expect_solved(const gdl::Game& game) {
    const ChanceSolution solution = solved(game);
    ASSERT_TRUE(solution.exact());
    EXPECT_EQ(solution.interests, game::Interests::opposed);
    EXPECT_NEAR(solution.values.front().number(), game::PlainValueIteration(game, false).value(50), close);
    EXPECT_EQ(solved(game, ChanceEngine::expectimax).values, solution.values);
    expect_proven(game, solution);
}

TEST(GamesWithChance, ASmallCantStopIsThatOfPlainValueIteration) {
    expect_solved(game_of(cant_stop_text(), "cant-stop.kif"));
}

TEST(GamesWithChance, ASmallBackgammonIsThatOfPlainValueIteration) {
    expect_solved(game_of(backgammon_text(), "backgammon.kif"));
}

TEST(GamesWithChance, ExpectimaxRefusesPlaysThatComeBack) {
    EXPECT_THROW((void)solved(shipped_game("dice-race"), ChanceEngine::expectimax), Error);
}

TEST(HiddenGames, MontyHallIsWorthTwoThirdsBySwitching) {
    const gdl::Game game = shipped_game("monty-hall");
    const ChanceSolution solution = solved(game);
    EXPECT_EQ(solution.values.front().low, Rational(200) / 3);
    EXPECT_EQ(solution.moves.size(), 3U);
    expect_proven(game, solution);
    EXPECT_NEAR(game::HistorySearch(game).value(), 200.0 / 3, close);
}

TEST(HiddenGames, AGuessIsRightOnceInSixTimes) {
    const gdl::Game game = shipped_game("guess-dice");
    const ChanceSolution solution = solved(game);
    EXPECT_EQ(solution.values.front().low, Rational(100) / 6);
    EXPECT_EQ(solution.moves.size(), 6U);
    expect_proven(game, solution);
}

TEST(HiddenGames, ASmallMastermindIsThatOfAllHistories) {
    const gdl::Game game = game_of(mastermind_text(), "mastermind.kif");
    const ChanceSolution solution = solved(game);
    ASSERT_TRUE(solution.exact());
    EXPECT_NEAR(solution.values.front().number(), game::HistorySearch(game).value(), close);
    EXPECT_EQ(solved(game, ChanceEngine::expectimax).values, solution.values);
    game::ChanceGame view(game);
    for (const game::ChancePolicy& policy : solution.policies)
        EXPECT_TRUE(game::verify_policy(view, policy).valid);
}

TEST(HiddenGames, TwoPlayersShareABelief) {
    const gdl::Game game = game_of(hidden_number, "hidden-number.kif");
    const ChanceSolution solution = solved(game);
    ASSERT_EQ(solution.values.size(), 2U);
    EXPECT_EQ(solution.values[0].low, Rational(200) / 3);  // her first guess, or her second
    EXPECT_EQ(solution.values[1].low, Rational(100) / 3);
    EXPECT_EQ(solution.interests, game::Interests::opposed);
    expect_proven(game, solution);
}

TEST(HiddenGames, AMoveThatTheOtherCannotSeeIsRefused) {
    const std::string unseen =
        edited(hidden_number, {{"(<= (sees ?r (guessed ?p ?n)) (role ?r)", "(<= (sees ?p (guessed ?p ?n))"}});
    EXPECT_THROW((void)solved(game_of(unseen, "hidden-number.kif")), Error);
}

TEST(HiddenGames, PlayersWhoSeeDifferentThingsAreRefused) {
    EXPECT_THROW((void)solved(shipped_game("kuhn-poker")), Error);
}

TEST(SolvingChance, AVerdictHasExpectedValuesAndProvenPolicies) {
    const Problem problem = make_problem(shipped_game("dice-race"));
    const Verdict verdict = solve(problem);
    EXPECT_EQ(verdict.engine, Engine::value_iteration);
    EXPECT_EQ(verdict.outcome, Outcome::won);
    EXPECT_NEAR(verdict.values[0] + verdict.values[1], 100, close);
    const Report report = check(problem, verdict.certificate);
    EXPECT_TRUE(report.valid) << report.counterexample.value_or("");
    const TemporaryDirectory folder;
    for (const char* name : {"policy.json", "policy.zpolicy"}) {
        save(folder.path(name), problem, verdict.certificate);
        EXPECT_EQ(certificate_kind(read_file(folder.path(name))), "policy");
        EXPECT_TRUE(check(problem, load(folder.path(name), problem)).valid) << name;
        EXPECT_TRUE(check_by_reasoner(problem.gdl()->description(), folder.path(name)).valid) << name;
    }
    // Another move for the first state: the promise is not kept.
    std::string text = read_file(folder.path("policy.json"));
    const auto first = text.find("\"move\": \"(choose ");
    ASSERT_NE(first, std::string::npos);
    const bool calm = text.compare(first + 17, 4, "calm") == 0;
    text.replace(first + 17, 4, calm ? "wild" : "calm");
    const std::string damaged = folder.write("damaged.json", text);
    const Report refused = check(problem, load(damaged, problem));
    EXPECT_FALSE(refused.valid);
    EXPECT_TRUE(refused.counterexample);
}

TEST(SolvingChance, ALimitLeavesTheVerdictUnknown) {
    const Problem problem = make_problem(shipped_game("orchard"));
    SolveOptions options;
    options.limits = Limits(0.05, std::nullopt);
    const Verdict verdict = solve(problem, options);
    EXPECT_EQ(verdict.outcome, Outcome::unknown);
    EXPECT_EQ(verdict.stop, Stop::time);
}

}  // namespace

}  // namespace zermelo
