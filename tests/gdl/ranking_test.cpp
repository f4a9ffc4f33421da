// How long plays can be, and what is known of them before they begin.

#include "gdl/analysis/ranking.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/published.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

std::optional<std::size_t> longest(const Game& game) {
    return longest_play(game.machine(), game.machine().initial());
}

std::size_t longest_of_random_plays(const Machine& machine, int plays) {
    Runner runner(machine);
    Random random(1);
    std::size_t longest = 0;
    for (int play = 0; play < plays; ++play) {
        State state = machine.initial();
        std::size_t moves = 0;
        JointMove joint(machine.roles());
        std::vector<MoveId> legal;
        for (runner.load(state); !runner.terminal() && moves < 2000; runner.load(state), ++moves) {
            for (std::size_t r = 0; r < joint.size(); ++r) {
                runner.legal(r, legal);
                joint[r] = legal[random.below(legal.size())];
            }
            runner.play(joint);
            runner.next(state);
        }
        longest = std::max(longest, moves);
    }
    return longest;
}

TEST(Ranking, BoundsGamesInWhichEveryMoveUsesSomethingUp) {
    EXPECT_EQ(longest(shipped_game("tic-tac-toe")), 9U);  // blank cells
    EXPECT_EQ(longest(shipped_game("four-in-turn")), 16U);
    EXPECT_EQ(longest(shipped_game("nim")), 12U);  // matches in three heaps
    EXPECT_EQ(longest(shipped_game("subtraction")), 13U);
}

TEST(Ranking, BoundsGamesThatCountTheirSteps) {
    const Game game = shipped_game("eight-puzzle");
    const ForwardAnalysis all = forward_analysis(game.machine().network(), game.machine().initial());
    EXPECT_TRUE(all.ends);
    EXPECT_EQ(longest(game), all.steps.size() - 1);
}

TEST(Ranking, BoundsGamesInWhichPiecesOnlyGoForward) {
    for (const char* name : {"breakthrough-small", "breakthrough"}) {
        const Game game = shipped_game(name);
        ASSERT_TRUE(longest(game).has_value()) << name;
        EXPECT_GE(*longest(game), longest_of_random_plays(game.machine(), 200)) << name;
    }
}

TEST(Ranking, ClaimsNothingWhereOneMayPassForEver) {
    const Game game(parse(R"((role a) (role b)
        (init (control a)) (init (cell 1 blank)) (init (cell 2 blank))
        (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c blank)))
        (<= (legal ?r pass) (true (control ?r)))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (marked ?c) (does ?r (mark ?c)))
        (<= (next (cell ?c blank)) (true (cell ?c blank)) (not (marked ?c)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= open (true (cell ?c blank)))
        (<= terminal (not open))
        (goal a 50) (goal b 50))",
                          "passing.kif"));
    EXPECT_EQ(longest(game), std::nullopt);
}

TEST(Ranking, ClaimsNothingWherePiecesGoBackAndForth) {
    const Game game(parse(R"((role a) (role b)
        (init (control a)) (init (at 1)) (beside 1 2) (beside 2 1) (beside 2 3) (beside 3 2)
        (<= (legal ?r (go ?y)) (true (control ?r)) (true (at ?x)) (beside ?x ?y))
        (<= (legal ?r wait) (role ?r) (not (true (control ?r))))
        (<= (next (at ?y)) (does ?r (go ?y)))
        (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
        (<= terminal (true (at 3)))
        (goal a 50) (goal b 50))",
                          "walking.kif"));
    EXPECT_EQ(longest(game), std::nullopt);
}

TEST(Ranking, NoPlayOfAPublishedGameIsLongerThanItsBound) {
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    int bounded = 0;
    for (const char* name : {"2pffa_v1", "2pttc_v1", "breakthroughSmall", "checkers_v1", "connectFour",
                             "hanoi", "knightThrough", "nim1", "ticTacToe", "ticTacToeParallel", "pentago_v1",
                             "majorities", "reversi", "chineseCheckers2_v1", "sheepAndWolf", "queens08lg"}) {
        const Game game(published::path(std::string(name) + ".kif"));
        const auto bound = longest(game);
        if (!bound) continue;
        ++bounded;
        EXPECT_GE(*bound, longest_of_random_plays(game.machine(), 100)) << name;
    }
    EXPECT_GE(bounded, 10);
}

TEST(ForwardAnalysis, KnowsWhoseTurnItIs) {
    const Game game = shipped_game("tic-tac-toe");
    const ForwardAnalysis all = forward_analysis(game.machine().network(), game.machine().initial());
    EXPECT_TRUE(all.repeats);
    for (std::size_t t = 0; t < all.steps.size(); ++t) {
        EXPECT_TRUE(all.steps[t].in_turn());
        EXPECT_EQ(all.steps[t].possible[t % 2].size(), 9U) << t;
        EXPECT_EQ(all.steps[t].possible[1 - t % 2].size(), 1U) << t;
    }
}

}  // namespace
}  // namespace zermelo::gdl
