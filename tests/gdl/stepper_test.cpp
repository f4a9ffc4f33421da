// The stepper says what the runner says, forth and back, and its peeks and goal bounds are true.

#include "gdl/stepper.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

const std::vector<std::string> stepper_games = {
    "breakthrough-small", "breakthrough", "checkers",  "eight-puzzle", "four-in-turn", "nim", "othello",
    "subtraction",        "tic-tac-toe",  "mastermind"};

// The role that has most moves; everybody else must have one.
std::optional<std::size_t> mover_of(const Stepper& stepper) {
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

void expect_same(const Stepper& stepper, Runner& runner, const std::string& name) {
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
void walk_and_compare(const Game& game, std::uint64_t seed, const std::string& name) {
    Stepper stepper(game);
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
        for (std::uint64_t seed = 1; seed <= 10; ++seed) walk_and_compare(game, seed, name);
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
        for (std::uint64_t seed = 1; seed <= 3; ++seed) walk_and_compare(game, seed, name);
        ++followed;
    }
    EXPECT_GE(followed, 5U);
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
