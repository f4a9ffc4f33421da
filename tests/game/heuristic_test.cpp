#include "game/heuristic/heuristic.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "game/connect_four.hpp"
#include "game/heuristic/expression.hpp"
#include "game/heuristic/learned.hpp"
#include "game/heuristic/lines.hpp"
#include "game/search/alphabeta-inl.hpp"
#include "game/views/gdl_game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/shipped.hpp"

namespace zermelo::game {
namespace {

std::size_t fluent_named(const gdl::Game& game, const std::string& name) {
    const auto& fluents = game.machine().network().fluents;
    for (std::size_t f = 0; f < fluents.size(); ++f) {
        if (game.text(fluents[f]) == name) return f;
    }
    ADD_FAILURE() << "no fluent " << name;
    return 0;
}

gdl::State state_of(const gdl::Game& game, const std::vector<std::string>& facts) {
    gdl::State state(game.machine().initial().size(), 0);
    for (const std::string& fact : facts) {
        const std::size_t f = fluent_named(game, fact);
        state[f / 64] |= std::uint64_t{1} << (f % 64);
    }
    return state;
}

// --- lines ---

// Figure 6a of the seed, the top row first.
constexpr int figure_6a[6][7] = {{3, 4, 5, 7, 5, 4, 3},    {4, 6, 8, 10, 8, 6, 4}, {5, 8, 11, 13, 11, 8, 5},
                                 {5, 8, 11, 13, 11, 8, 5}, {4, 6, 8, 10, 8, 6, 4}, {3, 4, 5, 7, 5, 4, 3}};

TEST(Lines, GiveTheCellsOfConnectFourTheWeightsOfTheSeed) {
    const gdl::Game game = connect_four(7, 6);
    const std::vector<std::string> players{"yellow", "red"};
    for (std::size_t role = 0; role < 2; ++role) {
        const std::vector<double> ways = ways_to_win(game.machine().network(), role);
        for (int column = 1; column <= 7; ++column) {
            for (int row = 1; row <= 6; ++row) {
                const auto cell = [&](const std::string& player) {
                    return ways[fluent_named(game, fmt::format("(cell {} {} {})", column, row, player))];
                };
                EXPECT_EQ(cell(players[role]), figure_6a[6 - row][column - 1]) << column << " " << row;
                EXPECT_EQ(cell(players[1 - role]), 0) << column << " " << row;
            }
        }
        EXPECT_EQ(ways[fluent_named(game, "(control yellow)")], 0);
        EXPECT_EQ(ways[fluent_named(game, "(control red)")], 0);
    }
}

TEST(Lines, ScoreTheSeedsPositionNineForAlice) {
    const gdl::Game game = connect_four(7, 6);
    const gdl::State state = state_of(game, {"(cell 1 1 yellow)", "(cell 1 2 red)", "(cell 2 1 red)",
                                             "(cell 2 2 yellow)", "(cell 2 3 yellow)", "(control red)"});
    const Linear heuristic = lines_heuristic(game.machine());
    EXPECT_EQ(heuristic(state, 0), Score(9));
    EXPECT_EQ(heuristic(state, 1), Score(-9));
}

TEST(Lines, CountTheLinesOfTicTacToe) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const std::vector<double> ways = ways_to_win(game.machine().network(), 0);
    const int expected[3][3] = {{3, 2, 3}, {2, 4, 2}, {3, 2, 3}};
    for (int row = 1; row <= 3; ++row) {
        for (int column = 1; column <= 3; ++column) {
            const auto cell = [&](const char* content) {
                return ways[fluent_named(game, fmt::format("(cell {} {} {})", row, column, content))];
            };
            EXPECT_EQ(cell("x"), expected[row - 1][column - 1]);
            EXPECT_EQ(cell("o"), 0);
            EXPECT_EQ(cell("blank"), 0);
        }
    }
}

// What must not hold is one way, however many ways there are not to hold; and what must hold beside a choice
// is part of every choice.
TEST(Lines, TakeAbsenceAsOneWayAndMultiplyChoices) {
    const gdl::Game game(gdl::parse(R"(
        (role a)
        (init p) (init q) (init r) (init s) (init t) (init u) (init v)
        (<= (next ?x) (true ?x) (does a go))
        (legal a go)
        (<= left (true p)) (<= left (true q))
        (<= right (true r)) (<= right (true s)) (<= right (true t))
        (<= bad (true u) (true v))
        (<= (goal a 100) left right (not bad))
        (<= (goal a 30) (true u))
        (<= terminal left))",
                                    "choices.kif"));
    const std::vector<double> ways = ways_to_win(game.machine().network(), 0);
    for (const auto& [name, expected] : std::vector<std::pair<std::string, double>>{
             {"p", 3}, {"q", 3}, {"r", 2}, {"s", 2}, {"t", 2}, {"u", 0}, {"v", 0}}) {
        EXPECT_EQ(ways[fluent_named(game, name)], expected) << name;
    }
}

// --- expressions ---

std::int64_t value_of(const gdl::Game& game, const std::string& text, const std::vector<std::string>& facts) {
    return Expression(game, text).value(state_of(game, facts));
}

TEST(Expression, AddsSubtractsAndMultipliesFluentsAndNumbers) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const std::vector<std::string> facts{"(cell 2 2 x)", "(cell 1 1 o)", "(control o)"};
    const std::vector<std::pair<std::string, std::int64_t>> cases{
        {"3 * (cell 2 2 x) - 3 * (cell 2 2 o)", 3},
        {"(cell 2 2 X)*5+(CELL 1 1 O)", 6},
        {"1 - 2 - 3", -4},
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"-(cell 2 2 x) * -7", 7},
        {"((cell 2 2 x) + (cell 1 1 o)) * ((control o) + 4)", 10},
        {"(cell 2 2 x) * (cell 3 3 x)", 0},
        {"((cell 2 2 x) * (cell 1 1 o) + 1) * (cell 2 2 x) - 1", 1},
        {"12 ; a comment\n + (control o)", 13},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(value_of(game, text, facts), expected) << text;
}

TEST(Expression, CountsAndWeighsWhatFitsAPattern) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const std::vector<std::string> facts{"(cell 1 1 x)", "(cell 2 3 x)", "(cell 3 3 x)", "(cell 1 2 o)"};
    const std::vector<std::pair<std::string, std::int64_t>> cases{
        {"count (cell ?r ?c x)", 3},
        {"sum (cell ?r ?c x) - sum (cell ?r ?c o)", 2},
        {"count (cell ?i ?i x)", 2},
        {"count (cell ?r ?c ?who)", 4},
        {"sum (cell ?r ?c x) * ?r", 6},
        {"sum (cell ?r ?c x) * ?r * ?c", 16},
        {"sum (cell ?r ?c x) * ?r * 10", 60},
        {"sum (cell ?r ?c x) * ?r[1: 5, 3: -2]", 3},
        {"sum (cell ?r ?c ?who) * ?who[x: 1, o: -1] * ?c", 5},
        {"2 * count (cell 1 ?c ?who) + 1", 5},
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(value_of(game, text, facts), expected) << text;
}

TEST(Expression, IsWorthItsNegationToTheOtherPlayer) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const Expression heuristic(game, "4 * (cell 2 2 x)");
    const gdl::State state = state_of(game, {"(cell 2 2 x)"});
    EXPECT_EQ(heuristic(state, 0), Score(4));
    EXPECT_EQ(heuristic(state, 1), Score(-4));
}

TEST(Expression, NeverClaimsToBeCertain) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const Expression heuristic(game, "((cell 1 1 x) * 1000000000 + 1) * ((cell 1 1 x) * 1000000000 + 1)");
    const gdl::State state = state_of(game, {"(cell 1 1 x)"});
    EXPECT_TRUE(heuristic(state, 0).finite());
    EXPECT_GT(heuristic(state, 0), Score(1'000'000'000));
}

TEST(Expression, SaysWhereItIsWrongAndWhatToDo) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"1 + (cel 2 2 x)", "h:1:5: no fluent of the game fits (cel 2 2 x); did you mean (cell 2 2 x)?"},
        {"1 +\n  (cell 2 5 x)", "h:2:3: no fluent of the game fits (cell 2 5 x); did you mean (cell 2 1 x)?"},
        {"contrl", "h:1:1: no fluent of the game fits contrl; did you mean"},
        {"1 +", "h:1:4: the expression ends too early"},
        {"", "h:1:1: the expression ends too early"},
        {"(1 + 2", "h:1:7: `)` was expected here"},
        {"(cell 1 1", "h:1:10: this fluent is never closed"},
        {"1 2", "h:1:3: an operator was expected here"},
        {"(cell ?r 1 x)", "h:1:1: a fluent with variables stands for many; write `count` or `sum` before it"},
        {"sum (cell ?r 1 x) * ?c", "h:1:21: ?c does not occur in the pattern"},
        {"sum (cell 1 1 ?who) * ?who", "h:1:23: this variable also stands for blank"},
        {"99999999999", "h:1:1: this number is too large"},
        {"sum (cell ?r 1 x) * ?r[1: x]", "h:1:27: a number was expected here"},
        {std::string(5000, '('), "nested too deeply"},
        {"count " + std::string(5000, '('), "h:1:8: a word was expected"},
        {std::string(5000, '-') + "1", "nested too deeply"},
    };
    for (const auto& [text, expected] : cases) {
        try {
            const Expression heuristic(game, text, "h");
            ADD_FAILURE() << text << " was accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos)
                << "the message is: " << error.what() << "\nexpected: " << expected;
        }
    }
}

// --- learning ---

TEST(LearnedHeuristic, TellsAGoodPositionFromABadOneForBothPlayers) {
    const gdl::Game game = shipped_game("breakthrough-small");
    const LearnedHeuristic learned = learn(game.machine(), {.playouts = 1000});
    // White one step from its goal with the move, against white with one piece left at home.
    const gdl::State good = state_of(game, {"(cell 1 4 white)", "(cell 4 5 black)", "(control white)"});
    const gdl::State bad = state_of(game, {"(cell 1 1 white)", "(cell 4 2 black)", "(control black)"});
    EXPECT_GT(learned.payoff(good, 0), learned.payoff(bad, 0) + 20);
    EXPECT_LT(learned.payoff(good, 1), learned.payoff(bad, 1) - 20);
    EXPECT_GE(learned.payoff(bad, 0), 0);
    EXPECT_LE(learned.payoff(good, 0), 100);
}

TEST(LearnedHeuristic, IsTheSameForTheSameSeed) {
    const gdl::Game game = shipped_game("tic-tac-toe");
    const LearnedHeuristic a = learn(game.machine(), {.seed = 5, .playouts = 50});
    const LearnedHeuristic b = learn(game.machine(), {.seed = 5, .playouts = 50});
    const LearnedHeuristic c = learn(game.machine(), {.seed = 6, .playouts = 50});
    EXPECT_EQ(a.of_player[0].of_fluent, b.of_player[0].of_fluent);
    EXPECT_NE(a.of_player[0].of_fluent, c.of_player[0].of_fluent);
}

using Judge = std::function<Score(const Walker<GdlGame>&, Player)>;

// The payoff of the first player when both search `depth` moves ahead, after a random opening.
int play(const gdl::Game& game, std::uint64_t seed, int opening, std::uint16_t depth,
         const std::array<Judge, 2>& judges) {
    GdlGame rules(game);
    Walker<GdlGame> walk(rules);
    Random random(seed);
    for (int ply = 0; !walk.turn().over(); ++ply) {
        if (ply < opening) {
            walk.make(random.below(walk.moves()));
            continue;
        }
        const Player mover = walk.turn().player;
        AlphaBeta search(walk, mover, std::cref(judges[mover]),
                         {.most_depth = depth, .table_bytes = 1 << 16});
        walk.make(*search.search().best);
    }
    return walk.payoff(0);
}

// The mean payoff of the heuristic against an indifferent opponent that looks ahead as far; each opening is
// played from both sides.
double mean_against_indifferent(const gdl::Game& game, const Judge& judge, int openings, int plies,
                                std::uint16_t depth) {
    double total = 0;
    for (int i = 0; i < openings; ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        total += play(game, seed, plies, depth, {judge, ZeroHeuristic{}});
        total += win - play(game, seed, plies, depth, {ZeroHeuristic{}, judge});
    }
    return total / (2 * openings);
}

TEST(LearnedHeuristic, BeatsAnIndifferentSearchOfTheSameDepthInThreeGames) {
    const gdl::Game tic_tac_toe = shipped_game("tic-tac-toe");
    const gdl::Game breakthrough = shipped_game("breakthrough-small");
    const gdl::Game four = connect_four(6, 5);
    const auto mean = [](const gdl::Game& game, int plies, std::uint16_t depth) {
        return mean_against_indifferent(game, OnState<LearnedHeuristic>{learn(game.machine())}, 30, plies,
                                        depth);
    };
    EXPECT_GT(mean(tic_tac_toe, 1, 4), 58);
    EXPECT_GT(mean(breakthrough, 2, 3), 65);
    EXPECT_GT(mean(four, 2, 3), 75);
}

TEST(Lines, BeatAnIndifferentSearchOfTheSameDepthInConnectFour) {
    const gdl::Game game = connect_four(6, 5);
    EXPECT_GT(mean_against_indifferent(game, OnState<Linear>{lines_heuristic(game.machine())}, 30, 4, 2), 75);
}

}  // namespace
}  // namespace zermelo::game
