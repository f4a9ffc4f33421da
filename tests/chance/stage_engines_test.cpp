// The engines of models with chance on games in GDL: what they expect is what expectimax and value iteration expect,
// which share no code with them.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/format/rational.hpp"
#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "small_games.hpp"
#include "solve/solve.hpp"

namespace zermelo {
namespace {

Rationals values_of(const Problem& problem, Engine engine) {
    SolveOptions options;
    options.engine = engine;
    const Verdict verdict = solve(problem, options);
    const auto& solution = *verdict.as<game::ChanceSolution>();
    EXPECT_TRUE(solution.solved) << name(engine);
    EXPECT_EQ(verdict.engine, engine);
    Rationals values;
    for (const game::Expectation& value : solution.values) {
        EXPECT_TRUE(value.exact());
        values.push_back(value.low);
    }
    return values;
}

void expect_agreement(const Problem& problem) {
    const Rationals expected = values_of(problem, Engine::expectimax);
    EXPECT_EQ(values_of(problem, Engine::value_iteration), expected) << problem.file();
    for (const Engine engine : {Engine::mac, Engine::forward_checking})
        EXPECT_EQ(values_of(problem, engine), expected) << problem.file() << " by " << name(engine);
}

TEST(StageEngines, ExpectWhatTheOtherEnginesDo) {
    for (const char* name : {"tic-tac-toe-2x2", "monty-hall", "guess-dice"})
        expect_agreement(read(shipped(name)));
}

// Alice alone throws Pig, and sees everything: can she reach so many points within so many throws and stops? (With Bob,
// chance would decide whose turn it is, which a model of stages cannot say.)
std::string pig_alone(int points, int turns) {
    std::string text =
        edited(pig_text(points),
               {{"(role bob)\n", ""},
                {"(player bob)\n", ""},
                {"(other alice bob)\n", ""},
                {"(other bob alice)\n", ""},
                {"(init (score bob 0))\n", ""},
                {"(<= (sees ?role (thrown ?n))\n    (role ?role)\n    (rolls ?n))\n", ""},
                {"(<= (sees ?role (holds ?player))\n    (role ?role)\n    (does ?player hold))\n", ""}});
    text +=
        "(<= (next (control alice)) passes)"
        "(<= (base (turn ?t)) (follows ?t ?u)) (<= (base (turn ?u)) (follows ?t ?u)) (init (turn 0))"
        "(<= (next (turn ?u)) (true (turn ?t)) (follows ?t ?u))";
    text += fmt::format("(<= late (true (turn {}))) (<= terminal late)", turns);
    text += "(<= (goal alice 0) late (not over)) (<= (goal random 0) late (not over))";
    for (int t = 0; t < turns; ++t) text += fmt::format("(follows {} {})", t, t + 1);
    return text;
}

TEST(StageEngines, ExpectWhatTheOtherEnginesDoInPigOfAFewTurns) {
    for (const int turns : {2, 4, 6}) expect_agreement(make_problem(game_of(pig_alone(4, turns), "pig.kif")));
}

// A coin that falls before the guess. Chance sees it; the player does not.
TEST(StageEngines, WhatChanceSeesNoPlayerKnows) {
    const std::string text =
        "(role p) (role random) (init (at 0)) (side heads) (side tails)"
        "(<= (legal random (throw ?s)) (true (at 0)) (side ?s)) (<= (legal random rest) (true (at 1)))"
        "(<= (legal p wait) (true (at 0))) (<= (legal p (guess ?s)) (true (at 1)) (side ?s))"
        "(<= (next (at 1)) (true (at 0))) (<= (next (coin ?s)) (does random (throw ?s)))"
        "(<= (next (at 2)) (true (at 1))) (<= (next right) (does p (guess ?s)) (true (coin ?s)))"
        "(<= terminal (true (at 2))) (goal random 0)"
        "(<= (goal p 100) (true right)) (<= (goal p 0) (not (true right)))"
        "(<= (sees p ?m) (does p ?m)) (<= (sees random ?m) (does random ?m))";
    const Problem problem = read_text(text, Language::gdl, "coin.kif");
    EXPECT_EQ(values_of(problem, Engine::mac), Rationals{50});
    expect_agreement(problem);
}

// Two players, one after the other, with a coin after each; who gets what is drawn.
std::string two_players(std::uint64_t seed, bool hidden) {
    Random random(seed);
    std::string text =
        "(role a) (role b) (role random) (player a) (player b) (init (at 0 c0)) (then 0 1) (then 1 2)"
        "(mover 0 a) (mover 1 b) (move left) (move right)"
        "(<= (legal ?r ?m) (true (at ?t ?c)) (mover ?t ?r) (move ?m))"
        "(<= (legal ?r wait) (player ?r) (true (at ?t ?c)) (mover ?t ?s) (distinct ?r ?s))"
        "(legal random heads) (legal random tails) (legal random edge)"
        "(<= (next (at ?u ?d)) (true (at ?t ?c)) (then ?t ?u) (mover ?t ?r) (does ?r ?m) (does random ?x)"
        "    (step ?c ?m ?x ?d))"
        "(<= terminal (true (at 2 ?c))) (goal random 0)"
        "(<= (goal ?r ?v) (true (at 2 ?c)) (worth ?c ?r ?v))"
        "(<= (sees ?r (did ?s ?m)) (player ?r) (player ?s) (does ?s ?m))";
    // What is hidden: whether it was heads or the edge.
    text += hidden ? "(<= (sees ?r tails) (player ?r) (does random tails))"
                   : "(<= (sees ?r ?x) (player ?r) (does random ?x))";
    int next = 0;
    for (int c = 0; c < 7; ++c) {
        for (const std::string move : {"left", "right"}) {
            for (const std::string coin : {"heads", "tails", "edge"})
                text += "(step c" + std::to_string(c) + " " + move + " " + coin + " c" +
                        std::to_string(++next) + ")";
        }
    }
    for (int c = 0; c <= next; ++c) {
        const auto goal = 25 * random.below(5);
        const std::string end = "(worth c" + std::to_string(c);
        text += end + " a " + std::to_string(goal) + ")" + end + " b " + std::to_string(100 - goal) + ")";
    }
    return text;
}

TEST(StageEngines, ExpectTheSameWithOpponentsAndHiddenCoins) {
    for (const bool hidden : {false, true}) {
        for (std::uint64_t seed = 1; seed <= 6; ++seed) {
            SCOPED_TRACE("seed " + std::to_string(seed) + (hidden ? ", hidden" : ""));
            expect_agreement(make_problem(gdl::Game(gdl::parse(two_players(seed, hidden), "coins.kif"))));
        }
    }
}

TEST(StageEngines, SayWhatTheyCannotSolve) {
    const auto refusal = [](const Problem& problem, const SolveOptions& options) -> std::string {
        try {
            (void)solve(problem, options);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    SolveOptions options;
    options.engine = Engine::mac;
    EXPECT_NE(refusal(read(shipped("tic-tac-toe")), options).find("with chance"), std::string::npos);
    options.horizon = 1;
    EXPECT_NE(refusal(read(shipped("tic-tac-toe-2x2")), options).find("more than 1 moves"),
              std::string::npos);
}

}  // namespace
}  // namespace zermelo
