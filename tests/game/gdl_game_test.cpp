// GDL descriptions as games: whose turn it is, what the moves are called, and what is refused.

#include "game/views/gdl_game.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

template <Game G>
std::vector<std::string> move_names(G& game) {
    std::vector<std::string> names;
    for (std::size_t m = 0; m < game.moves(); ++m) names.push_back(game.move_name(m));
    return names;
}

std::string complaint_of_first_look(const std::string& rules) {
    const TemporaryDirectory folder;
    const gdl::Game description(folder.write("game.kif", rules));
    GdlGame game(description);
    try {
        game.look(game.initial());
        (void)game.payoff(0);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(GdlGame, WhoHasAChoiceIsOnTurn) {
    const gdl::Game description(shipped("tic-tac-toe"));
    GdlGame game(description);
    game.look(game.initial());
    EXPECT_EQ(game.players(), 2U);
    EXPECT_EQ(game.turn(), (Turn{Turn::Kind::player, 0}));
    EXPECT_EQ(game.moves(), 9U);
    GdlGame::State next;
    game.successor(4, next);
    game.look(next);
    EXPECT_EQ(game.turn(), (Turn{Turn::Kind::player, 1}));
    EXPECT_EQ(game.moves(), 8U);
}

TEST(GdlGame, SeveralWithAChoiceMoveAtOnce) {
    const gdl::Game description(shipped("rock-paper-scissors"));
    GdlGame game(description);
    game.look(game.initial());
    EXPECT_EQ(game.turn().kind, Turn::Kind::simultaneous);
    EXPECT_EQ(game.moves(), 9U);
    EXPECT_EQ(game.move_name(1), "paper rock");
}

TEST(GdlGame, RandomIsChanceAndNoPlayer) {
    const gdl::Game description(shipped("dice-race"));
    GdlGame game(description);
    EXPECT_EQ(game.players(), 2U);
    game.look(game.initial());
    EXPECT_EQ(game.turn(), (Turn{Turn::Kind::player, 0}));
    GdlGame::State next;
    game.successor(0, next);
    game.look(next);
    EXPECT_EQ(game.turn().kind, Turn::Kind::chance);
    EXPECT_GT(game.moves(), 1U);
}

TEST(GdlGame, AStateWithoutALegalMoveIsRefused) {
    const std::string complaint = complaint_of_first_look(R"(
        (role white) (role black) (init (on table)) (init alone)
        (legal white go)
        (<= (legal black go) (not (true alone)))
        (<= (next alone) (true alone)) (<= (next (on table)) (true (on table)))
        (<= terminal (not (true alone))) (<= (goal ?r 100) (role ?r)))");
    EXPECT_NE(complaint.find(
                  "game.kif: black has no legal move in the state (on table) alone, which is not terminal; "),
              std::string::npos)
        << complaint;
}

TEST(GdlGame, ATerminalStateWithoutAGoalIsRefused) {
    const std::string complaint = complaint_of_first_look(R"(
        (role white) (init over) (legal white go) (<= (next over) (true over)) (<= terminal (true over))
        (<= (goal white 100) (not (true over))))");
    EXPECT_NE(complaint.find("the goal of white has no single value in the terminal state over; "),
              std::string::npos)
        << complaint;
}

// Random plays, in which the machine and the reasoner have to agree on everything that a Game tells.
TEST(GdlGame, AgreesWithTheReasonerAlongRandomPlays) {
    for (const std::string name :
         {"tic-tac-toe", "nim", "subtraction", "dice-race", "guess-dice", "rock-paper-scissors",
          "four-in-turn", "eight-puzzle", "breakthrough-small"}) {
        const gdl::Game description(shipped(name));
        gdl::Reasoner reasoner(description.description());
        GdlGame fast(description);
        ReasonerGame slow(description.description(), reasoner);
        ASSERT_EQ(fast.players(), slow.players()) << name;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Random random(seed);
            GdlGame::State state = fast.initial();
            ReasonerGame::State other = slow.initial();
            for (bool over = false; !over;) {
                ASSERT_EQ(fast.state_name(state), slow.state_name(other)) << name << ", seed " << seed;
                fast.look(state);
                slow.look(other);
                over = fast.turn().over();
                ASSERT_EQ(fast.turn(), slow.turn()) << name << ", seed " << seed;
                const auto names = move_names(fast);
                ASSERT_EQ(names, move_names(slow)) << name << ", seed " << seed;
                ASSERT_TRUE(std::is_sorted(names.begin(), names.end())) << name << ", seed " << seed;
                for (std::size_t p = 0; p < fast.players(); ++p) {
                    const auto player = static_cast<Player>(p);
                    ASSERT_EQ(fast.player_name(player), slow.player_name(player)) << name;
                    if (!over) continue;
                    ASSERT_EQ(fast.payoff(player), slow.payoff(player)) << name << ", seed " << seed;
                }
                if (over) break;
                const std::size_t move = random.below(fast.moves());
                fast.successor(move, state);
                slow.successor(move, other);
            }
        }
    }
}

TEST(GdlGame, OtherRulesHaveAnotherFingerprint) {
    const gdl::Game nim(shipped("nim"));
    const gdl::Game again(shipped("nim"));
    const gdl::Game subtraction(shipped("subtraction"));
    EXPECT_EQ(GdlGame(nim).fingerprint(), GdlGame(again).fingerprint());
    EXPECT_NE(GdlGame(nim).fingerprint(), GdlGame(subtraction).fingerprint());
}

}  // namespace
}  // namespace zermelo::game
