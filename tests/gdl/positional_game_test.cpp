// Positional games are recognised where the rules are those of one, and only there; then they are played as the rules say.

#include "gdl/positional/positional_stepper.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gdl/stepper.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/published.hpp"
#include "support/random_positional.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

// Random plays by both; the Stepper knows nothing of positions.
void compare_with_stepper(const Game& game, std::uint64_t seed, const std::string& name) {
    const auto positional = PositionalGame::make(game);
    ASSERT_NE(positional, nullptr) << name;
    PositionalStepper mine(positional);
    Stepper theirs(game);
    Random random(seed);
    std::vector<MoveId> moves;
    int made = 0;
    while (!theirs.terminal()) {
        ASSERT_EQ(mine.end(), PositionalStepper::End::none) << name;
        const std::size_t role = mine.mover();
        theirs.legal(role, moves);
        ASSERT_EQ(moves.size(), static_cast<std::size_t>(std::popcount(mine.available()))) << name;
        for (std::size_t place = 0; place < moves.size(); ++place) {
            const std::size_t spot = mine.spot_at(place);
            ASSERT_EQ(game.move_text(role, moves[place]), positional->move_name(role, spot)) << name;
            const Hash128 after = mine.key_after(spot);
            mine.claim(spot);
            theirs.play(role, moves[place]);
            ASSERT_EQ(mine.state(), theirs.state()) << name << ", seed " << seed;
            ASSERT_EQ(mine.key(), after) << name;
            ASSERT_EQ(mine.exact_key(), theirs.exact_key()) << name;
            ASSERT_EQ(mine.end() != PositionalStepper::End::none, theirs.terminal())
                << name << ", seed " << seed;
            for (std::size_t r = 0; r < 2 && theirs.terminal(); ++r)
                ASSERT_EQ(mine.payoff(r), theirs.goal(r)) << name;
            PositionalStepper loaded(positional);
            loaded.load(mine.state());
            ASSERT_EQ(loaded.available(), mine.available()) << name;
            ASSERT_EQ(loaded.exact_key(), mine.exact_key()) << name;
            for (std::size_t r = 0; r < 2; ++r) ASSERT_EQ(loaded.completing(r), mine.completing(r)) << name;
            mine.undo();
            theirs.undo();
        }
        const std::size_t place = random.below(moves.size());
        mine.claim(mine.spot_at(place));
        theirs.play(role, moves[place]);
        ++made;
    }
    EXPECT_GT(made, 0);
}

// Connect three on a small board, with places to spoil it: `needs` of a cell beyond the one below it, how a line pays, and
// further rules.
Game three_in_a_row(const std::string& next, const std::string& pays, const std::string& further = "") {
    return Game(parse(R"(
        (role x) (role o) (other x o) (other o x) (init (control x))
        (column 1) (column 2) (column 3) (column 4) (row 1) (row 2) (row 3)
        (after 1 2) (after 2 3) (after 3 4)
        (<= (filled ?c ?r) (true (cell ?c ?r ?p)))
        (<= (open ?c 1) (column ?c) (not (filled ?c 1)))
        (<= (open ?c ?r) (row ?r) (after ?b ?r) (filled ?c ?b) (not (filled ?c ?r)))
        (<= (legal ?p (drop ?c)) (true (control ?p)) (open ?c ?r))
        (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
        (<= (next (cell ?c ?r ?p)) (does ?p (drop ?c)) (open ?c ?r))
        (<= (next (control ?p)) (true (control ?q)) (other ?q ?p))
        (<= (line ?p) (true (cell ?a ?r ?p)) (after ?a ?b) (true (cell ?b ?r ?p)) (after ?b ?c) (true (cell ?c ?r ?p)))
        (<= (line ?p) (true (cell ?c 1 ?p)) (true (cell ?c 2 ?p)) (true (cell ?c 3 ?p)))
        (<= over (line ?p))
        (<= possible (open ?c ?r))
        (<= terminal over)
        (<= terminal (not possible))
        (<= (goal ?p 50) (role ?p) (not over) (not possible))
    )" + next + pays + further,
                      "three.kif"));
}

const std::string discs_stay = "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))";
const std::string lines_win = "(<= (goal ?p 100) (line ?p)) (<= (goal ?p 0) (other ?p ?q) (line ?q))";

TEST(PositionalGame, IsRecognisedAndPlayedAsTheStepperDoes) {
    for (const char* name : {"tic-tac-toe", "connect-four"}) {
        const Game game = shipped_game(name);
        for (std::uint64_t seed = 1; seed <= 20; ++seed) compare_with_stepper(game, seed, name);
    }
}

TEST(PositionalGame, IsRecognisedInPublishedRules) {
    if (!published::present()) GTEST_SKIP() << "the published games are not here";
    for (const char* name : {"connectFour.kif", "ticTacToe.kif"}) {
        const Game game(published::path(name));
        for (std::uint64_t seed = 1; seed <= 5; ++seed) compare_with_stepper(game, seed, name);
    }
}

TEST(PositionalGame, RandomOnesArePlayedAsTheStepperDoes) {
    std::size_t recognised = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const Game game(parse(random_positional_game(seed), "random.kif"));
        if (PositionalGame::make(game) == nullptr) continue;
        ++recognised;
        compare_with_stepper(game, seed, "random game " + std::to_string(seed));
    }
    EXPECT_GT(recognised, 100U);
}

TEST(PositionalGame, WhatIsDifferentIsRefused) {
    EXPECT_NE(PositionalGame::make(three_in_a_row(discs_stay, lines_win)), nullptr);
    // Discs that vanish, or change their colour.
    EXPECT_EQ(
        PositionalGame::make(three_in_a_row(
            "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)) (not (true (cell 2 3 ?p))))", lines_win)),
        nullptr);
    EXPECT_EQ(PositionalGame::make(three_in_a_row(
                  "(<= (next (cell ?c ?r ?q)) (true (cell ?c ?r ?p)) (true (cell 2 3 x)) (other ?p ?q))"
                  "(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)) (not (true (cell 2 3 x))))",
                  lines_win)),
              nullptr);
    // A disc beside the one that is dropped.
    EXPECT_EQ(
        PositionalGame::make(three_in_a_row(
            discs_stay + "(<= (next (cell 1 1 ?p)) (does ?p (drop 3)) (true (cell 3 1 ?p)))", lines_win)),
        nullptr);
    // A move that is sometimes illegal, and one that is legal in a full column.
    EXPECT_EQ(
        PositionalGame::make(three_in_a_row(
            discs_stay, lines_win, "(<= (legal ?p (drop 9)) (true (control ?p)) (true (cell 1 1 ?p)))")),
        nullptr);
    EXPECT_EQ(PositionalGame::make(
                  three_in_a_row(discs_stay, lines_win, "(<= (legal ?p (drop 1)) (true (control ?p)))")),
              nullptr);
    // The turn depends on the board.
    EXPECT_EQ(PositionalGame::make(three_in_a_row(
                  discs_stay, lines_win, "(<= (next (control x)) (true (control x)) (true (cell 1 1 o)))")),
              nullptr);
    // The game ends otherwise, and interests are not opposite.
    EXPECT_EQ(
        PositionalGame::make(three_in_a_row(discs_stay, lines_win, "(<= terminal (true (cell 4 3 x)))")),
        nullptr);
    EXPECT_EQ(PositionalGame::make(three_in_a_row(
                  discs_stay, "(<= (goal ?p 100) (line ?p)) (<= (goal ?p 10) (other ?p ?q) (line ?q))")),
              nullptr);
    // A line pays more where another disc lies.
    EXPECT_EQ(PositionalGame::make(three_in_a_row(discs_stay,
                                                  "(<= (goal ?p 100) (line ?p) (true (cell 1 1 ?p))) (<= "
                                                  "(goal ?p 90) (line ?p) (not (true (cell 1 1 ?p))))"
                                                  "(<= (goal ?p 0) (other ?p ?q) (line ?q))")),
              nullptr);
    for (const char* name : {"hex-small", "nim", "breakthrough-small", "othello", "four-in-turn"})
        EXPECT_EQ(PositionalGame::make(shipped_game(name)), nullptr) << name;
}

TEST(PositionalGame, ALineMayLose) {
    const Game game =
        three_in_a_row(discs_stay, "(<= (goal ?p 0) (line ?p)) (<= (goal ?p 100) (other ?p ?q) (line ?q))");
    const auto rules = recognise_positional_game(game);
    ASSERT_TRUE(rules);
    EXPECT_EQ(rules->line_payoffs[0], (PositionalRules::Payoffs{0, 100}));
    EXPECT_EQ(rules->line_payoffs[1], (PositionalRules::Payoffs{100, 0}));
    EXPECT_EQ(rules->full_payoffs, (PositionalRules::Payoffs{50, 50}));
    EXPECT_EQ(rules->lines[0].size(), 10U);  // six across, four upwards
    EXPECT_EQ(rules->spots.size(), 12U);
}

// Both kernels of the table, against the definition.
TEST(LineTable, FindsWhatCompletesALine) {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        const std::size_t spots = 3 + random.below(62);
        const Spots board = spots == 64 ? ~Spots{0} : (Spots{1} << spots) - 1;
        std::vector<Spots> lines;
        for (std::size_t k = 0; k < 1 + random.below(60); ++k) {
            const Spots line = random.next() & random.next() & random.next() & board;
            if (std::popcount(line) > 1) lines.push_back(line);
        }
        const LineTable table(lines, spots);
        const Spots held = random.next() & board;
        const Spots others = random.next() & random.next() & board & ~held;
        const Spots open = board & ~held & ~others;
        std::vector<Spots> found(64);
        table.completed_by(open, held, open, found.data());
        std::size_t at = 0;
        each_spot(open, [&](std::size_t i) {
            Spots expected = 0;
            for (const Spots line : lines) {
                const Spots missing = line & ~held & ~(Spots{1} << i);
                if ((line >> i & 1) != 0 && std::popcount(missing) == 1) expected |= missing & open;
            }
            EXPECT_EQ(found[at++], expected) << "round " << round;
        });
        const bool any = std::ranges::any_of(lines, [&](Spots line) { return (line & others) == 0; });
        EXPECT_EQ(table.any_without(others), any || (others == 0 && !lines.empty())) << "round " << round;
    }
}

}  // namespace
}  // namespace zermelo::gdl
