// Random moves of bit-sliced playouts: legal, one in every lane, and each as likely as the others, for numbers of
// moves at which blocks of moves begin and end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gdl/circuit/bitsliced_playouts.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {
namespace {

// One role takes one of `moves` items at a time until none is left; of every third, another is taken too.
Game taking_game(int moves) {
    std::string rules = "(role a)";
    for (int i = 1; i <= moves; ++i) rules += fmt::format("(init (free {}))(item {})", i, i);
    for (int i = 3; i < moves; i += 3) rules += fmt::format("(tied {} {})", i, i + 1);
    rules += R"(
        (<= (legal a (take ?i)) (true (free ?i)))
        (<= (taken ?i) (does a (take ?i)))
        (<= (taken ?j) (does a (take ?i)) (tied ?i ?j))
        (<= (next (free ?i)) (true (free ?i)) (not (taken ?i)))
        (<= some_left (true (free ?i)))
        (<= terminal (not some_left))
        (goal a 100))";
    return Game(parse(rules, "g.kif"));
}

TEST(RandomMoves, AreLegalInEveryLane) {
    for (const int moves : {1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 257}) {
        const Game game = taking_game(moves);
        Runner runner(game.machine());
        for (const std::size_t lanes : {128, 256, 512}) {
            SCOPED_TRACE(fmt::format("{} moves, {} lanes", moves, lanes));
            const auto playouts = BitslicedPlayouts::make(game.machine(), 3, lanes);
            playouts->start(game.machine().initial());
            Tally tally;
            State next;
            for (bool over = false; !over;) {
                std::vector<State> before;
                for (std::size_t lane = 0; lane < playouts->lanes(); ++lane)
                    before.push_back(playouts->state(lane));
                over = playouts->drain(tally, 1);
                for (std::size_t lane = 0; lane < playouts->lanes(); ++lane) {
                    runner.load(before[lane]);
                    if (runner.terminal()) continue;
                    const JointMove made = playouts->moves(lane);
                    ASSERT_LT(made[0], static_cast<std::size_t>(moves));
                    ASSERT_TRUE(runner.holds(game.machine().network().moves[0][made[0]].legal));
                    runner.play(made);
                    runner.next(next);
                    ASSERT_EQ(playouts->state(lane), next);
                }
            }
            EXPECT_EQ(tally.playouts, playouts->lanes());
            EXPECT_EQ(tally.stuck, 0U);
        }
    }
}

TEST(RandomMoves, AreEquallyLikely) {
    constexpr std::size_t moves = 37;
    const Game game = taking_game(moves);
    const auto playouts = BitslicedPlayouts::make(game.machine(), 5);
    std::vector<double> made(moves, 0);
    double all = 0;
    Tally tally;
    for (int round = 0; round < 400; ++round) {
        playouts->start(game.machine().initial());
        (void)playouts->drain(tally, 1);
        for (std::size_t lane = 0; lane < playouts->lanes(); ++lane) {
            ++made[playouts->moves(lane)[0]];
            ++all;
        }
    }
    // Chi-squared with 36 degrees of freedom exceeds 80 with a probability of about 3 in 100,000.
    double chi_squared = 0;
    const double expected = all / static_cast<double>(moves);
    for (const double number : made) chi_squared += (number - expected) * (number - expected) / expected;
    EXPECT_LT(chi_squared, 80);
}

}  // namespace
}  // namespace zermelo::gdl
