// Both steppers say what the runner says, forth and back, and their peeks and goal bounds are true. What one says, the
// other says, too.

#include "gdl/stepper.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gdl/compiled_stepper.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "support/published.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

const std::vector<std::string> stepper_games = {
    "breakthrough-small", "breakthrough", "checkers",  "eight-puzzle", "four-in-turn", "nim", "othello",
    "subtraction",        "tic-tac-toe",  "mastermind"};

// The role that has most moves; everybody else must have one.
template <class S>
std::optional<std::size_t> mover_of(const S& stepper) {
    std::size_t mover = 0;
    std::size_t choosing = 0;
    for (std::size_t r = 0; r < stepper.roles(); ++r) {
        if (stepper.choices(r) == 0) return std::nullopt;
        if (stepper.choices(r) == 1) continue;
        mover = r;
        ++choosing;
    }
    return choosing > 1 ? std::nullopt : std::optional(mover);
}

template <class S>
void expect_same(const S& stepper, Runner& runner, const std::string& name) {
    runner.load(stepper.state());
    ASSERT_EQ(stepper.terminal(), runner.terminal()) << name;
    for (std::size_t r = 0; r < stepper.roles(); ++r) {
        ASSERT_EQ(stepper.goal(r), runner.goal(r)) << name;
        std::vector<MoveId> mine;
        std::vector<MoveId> theirs;
        stepper.legal(r, mine);
        runner.legal(r, theirs);
        ASSERT_EQ(mine.size(), stepper.choices(r)) << name;
        ASSERT_TRUE(std::ranges::is_permutation(mine, theirs)) << name;
    }
}

// A random play with every move tried and taken back on the way; a goal that was out of reach must not come.
template <class S>
void walk_and_compare(const Game& game, S stepper, std::uint64_t seed, const std::string& name) {
    Runner runner(game.machine());
    Random random(seed);
    std::vector<std::pair<int, int>> bounds;
    for (int step = 0; step < 200 && !stepper.terminal(); ++step) {
        expect_same(stepper, runner, name);
        const auto mover = mover_of(stepper);
        if (!mover) return;
        for (std::size_t r = 0; r < stepper.roles(); ++r) bounds.push_back(stepper.goal_bounds(r));
        std::vector<MoveId> moves;
        stepper.legal(*mover, moves);
        JointMove joint(stepper.roles());
        for (std::size_t r = 0; r < stepper.roles(); ++r) {
            std::vector<MoveId> legal;
            stepper.legal(r, legal);
            joint[r] = legal.front();
        }
        const State before = stepper.state();
        const Hash128 key = stepper.key();
        const std::size_t tried = std::min<std::size_t>(moves.size(), 5);
        for (std::size_t i = 0; i < tried; ++i) {
            joint[*mover] = moves[i];
            runner.load(before);
            runner.play(joint);
            State expected;
            runner.next(expected);
            const auto seen = stepper.peek(*mover, moves[i], 0);
            ASSERT_EQ(stepper.state(), before) << name << ", a peek changes nothing";
            stepper.play(*mover, moves[i]);
            ASSERT_EQ(stepper.state(), expected) << name << ", seed " << seed << ", step " << step;
            ASSERT_EQ(stepper.key(), seen.key) << name;
            ASSERT_EQ(stepper.terminal(), seen.terminal) << name;
            if (seen.terminal) {
                ASSERT_EQ(stepper.goal(0), seen.goal) << name;
            }
            stepper.undo();
            ASSERT_EQ(stepper.state(), before) << name;
            ASSERT_EQ(stepper.key(), key) << name;
        }
        stepper.play(*mover, moves[random.below(moves.size())]);
    }
    if (!stepper.terminal()) return;
    expect_same(stepper, runner, name);
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        const int goal = stepper.goal(i % stepper.roles());
        EXPECT_TRUE(bounds[i].first <= goal && goal <= bounds[i].second)
            << name << ", seed " << seed << ": " << goal << " was out of reach";
    }
}

TEST(Stepper, FollowsTheRunnerInOurGames) {
    for (const std::string& name : stepper_games) {
        const Game game(std::string(ZERMELO_SOURCE_DIR "/games/gdl/") + name + ".kif");
        ASSERT_TRUE(Stepper::supports(game.machine().network())) << name;
        for (std::uint64_t seed = 1; seed <= 10; ++seed) walk_and_compare(game, Stepper(game), seed, name);
    }
}

TEST(Stepper, FollowsTheRunnerInPublishedGames) {
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    std::size_t followed = 0;
    for (const std::string name :
         {"connectFour", "breakthroughSmall", "knightThrough", "ticTacToe", "pentago_v1", "checkers_v1",
          "nim1", "dotsAndBoxes", "cubicup_3player", "escortLatch"}) {
        const Game game(published::directory + "/" + name + ".kif");
        if (!Stepper::supports(game.machine().network())) continue;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) walk_and_compare(game, Stepper(game), seed, name);
        ++followed;
    }
    EXPECT_GE(followed, 5U);
}

// Both go the same way, look at moves, and go back now and then.
void walk_together(const Game& game, Stepper& stepper, CompiledStepper& compiled, std::uint64_t seed,
                   const std::string& name) {
    constexpr std::size_t most_peeks = 12;
    stepper.load(game.machine().initial());
    compiled.load(game.machine().initial());
    Random random(seed);
    std::size_t depth = 0;
    for (int step = 0; step < 100; ++step) {
        ASSERT_EQ(compiled.state(), stepper.state()) << name << ", seed " << seed << ", step " << step;
        ASSERT_EQ(compiled.key(), stepper.key()) << name;
        ASSERT_EQ(compiled.exact_key(), stepper.exact_key()) << name;
        ASSERT_EQ(compiled.terminal(), stepper.terminal()) << name << ", seed " << seed << ", step " << step;
        std::vector<MoveId> theirs;
        std::vector<MoveId> mine;
        for (std::size_t r = 0; r < stepper.roles(); ++r) {
            stepper.legal(r, theirs);
            compiled.legal(r, mine);
            ASSERT_EQ(mine, theirs) << name;  // in the same order
            ASSERT_EQ(compiled.goal(r), stepper.goal(r)) << name;
            ASSERT_EQ(compiled.goal_bounds(r), stepper.goal_bounds(r)) << name;
        }
        const auto mover = mover_of(stepper);
        if (stepper.terminal() || !mover) {
            if (depth < 3) return;
            for (const std::size_t end = depth - 3; depth > end; --depth) {
                stepper.undo();
                compiled.undo();
            }
            continue;
        }
        stepper.legal(*mover, theirs);
        for (std::size_t i = 0; i < std::min(theirs.size(), most_peeks); ++i) {
            const MoveId move = theirs[random.below(theirs.size())];
            const auto one = stepper.peek(*mover, move, 0);
            const auto other = compiled.peek(*mover, move, 0);
            ASSERT_EQ(other.key, one.key) << name;
            ASSERT_EQ(other.effect, one.effect) << name;
            ASSERT_EQ(other.terminal, one.terminal) << name << ": " << game.move_text(*mover, move);
            ASSERT_EQ(other.goal, one.goal) << name;
            ASSERT_EQ(other.goals, one.goals) << name;
        }
        const MoveId move = theirs[random.below(theirs.size())];
        stepper.play(*mover, move);
        compiled.play(*mover, move);
        ++depth;
    }
}

TEST(CompiledStepper, GoesWithTheStepperInAllShippedGames) {
    std::size_t compiled = 0;
    for (const std::string& name : shipped_names()) {
        const Game game = shipped_game(name);
        const Network& network = game.machine().network();
        constexpr std::size_t most_inputs =
            12'000;  // what moves change in larger networks takes seconds to find
        if (!Stepper::supports(network) || network.inputs.size() > most_inputs) continue;
        const auto moves = CompiledMoves::make(game);
        if (moves == nullptr) continue;
        ++compiled;
        Stepper stepper(game);
        CompiledStepper walked(moves);
        for (std::uint64_t seed = 1; seed <= 3; ++seed) walk_together(game, stepper, walked, seed, name);
    }
    if (compiled == 0) GTEST_SKIP() << "this processor or build has no machine code";
    EXPECT_GE(compiled, 8U);
}

TEST(CompiledStepper, FollowsTheRunnerInOurGames) {
    for (const std::string& name : stepper_games) {
        if (name == "othello" || name == "checkers") continue;  // take seconds to compile
        const Game game = shipped_game(name);
        const auto moves = CompiledMoves::make(game);
        if (moves == nullptr) continue;
        for (std::uint64_t seed = 1; seed <= 5; ++seed)
            walk_and_compare(game, CompiledStepper(moves), seed, name);
    }
}

TEST(CompiledStepper, FollowsTheReasonerInOurGames) {
    for (const std::string name :
         {"breakthrough-small", "connect-four", "tic-tac-toe", "four-in-turn", "nim"}) {
        const Game game = shipped_game(name);
        const auto moves = CompiledMoves::make(game);
        if (moves == nullptr) GTEST_SKIP() << "this processor or build has no machine code";
        Reasoner reasoner(game.description());
        CompiledStepper stepper(moves);
        auto state = reasoner.initial();
        Random random(7);
        while (true) {
            std::vector<std::string> facts;
            for (const auto fact : state) facts.push_back(reasoner.text(fact));
            std::ranges::sort(facts);
            ASSERT_EQ(game.facts(stepper.state()), facts) << name;
            ASSERT_EQ(stepper.terminal(), reasoner.terminal(state)) << name;
            if (stepper.terminal()) break;
            const auto mover = mover_of(stepper);
            ASSERT_TRUE(mover) << name;
            Reasoner::Joint joint;
            std::string chosen;
            for (std::size_t r = 0; r < stepper.roles(); ++r) {
                const auto legal = reasoner.legal(state, r);
                ASSERT_EQ(legal.size(), stepper.choices(r)) << name;
                joint.push_back(legal[random.below(legal.size())]);
                if (r == *mover) chosen = reasoner.text(joint.back());
            }
            std::vector<MoveId> own;
            stepper.legal(*mover, own);
            const auto move =
                std::ranges::find_if(own, [&](MoveId m) { return game.move_text(*mover, m) == chosen; });
            ASSERT_NE(move, own.end()) << name << ": " << chosen;
            stepper.play(*mover, *move);
            state = reasoner.next(state, joint);
        }
        for (std::size_t r = 0; r < stepper.roles(); ++r)
            EXPECT_EQ(stepper.goal(r), reasoner.goal(state, r).value_or(-1)) << name;
    }
}

TEST(CompiledStepper, CountsLinesThatLackOneFact) {
    const Game game = shipped_game("tic-tac-toe");
    const auto moves = CompiledMoves::make(game);
    if (moves == nullptr) GTEST_SKIP() << "this processor or build has no machine code";
    CompiledStepper stepper(moves);
    const auto place = [&](std::size_t role, const std::string& name) {
        std::vector<MoveId> legal;
        stepper.legal(role, legal);
        return *std::ranges::find_if(legal, [&](MoveId m) { return game.move_text(role, m) == name; });
    };
    stepper.play(0, place(0, "(mark 1 1)"));
    stepper.play(1, place(1, "(mark 1 2)"));
    // The corner lines 1 1 – 3 1 and 1 1 – 3 3 are open, 1 1 – 1 3 is not.
    EXPECT_EQ(stepper.peek(0, place(0, "(mark 2 2)"), 0).threats, 1);
    EXPECT_EQ(stepper.peek(0, place(0, "(mark 1 3)"), 0).threats, 0);
    EXPECT_EQ(stepper.peek(0, place(0, "(mark 3 2)"), 0).threats, 0);
    EXPECT_EQ(stepper.peek(0, place(0, "(mark 2 1)"), 0).threats, 1);
}

TEST(Stepper, SeesThatALineCanNoLongerBeMade) {
    const Game game(ZERMELO_SOURCE_DIR "/games/gdl/tic-tac-toe.kif");
    Stepper stepper(game);
    EXPECT_EQ(stepper.goal_bounds(0), (std::pair{0, 100}));
    // x: 1 1, 1 2, 2 3, 3 1; o: 2 2, 1 3, 2 1, 3 2: no line is left to x, nor to o.
    const std::vector<std::string> line = {"(mark 1 1)", "(mark 2 2)", "(mark 1 2)", "(mark 1 3)",
                                           "(mark 3 1)", "(mark 2 1)", "(mark 2 3)", "(mark 3 2)"};
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::vector<MoveId> moves;
        const std::size_t role = i % 2;
        stepper.legal(role, moves);
        const auto move =
            std::ranges::find_if(moves, [&](MoveId m) { return game.move_text(role, m) == line[i]; });
        ASSERT_NE(move, moves.end()) << line[i];
        stepper.play(role, *move);
    }
    EXPECT_FALSE(stepper.terminal());
    EXPECT_EQ(stepper.goal_bounds(0), (std::pair{50, 50}));
}

}  // namespace
}  // namespace zermelo::gdl
