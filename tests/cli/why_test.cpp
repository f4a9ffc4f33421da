// zermelo analyse --why: the best play with every reply, as text and as JSON, on games, graphs and models.

#include "cli/program.hpp"

namespace zermelo {
namespace {

class Why : public Program {
protected:
    const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    const std::string fork =
        "analyse " + gdl + "tic-tac-toe.kif --why --position \"(mark 2 2); (mark 1 2); (mark 1 1)\"";
};

TEST_F(Why, TheLineNamesThreatsForcedMovesAndTheBestDefence) {
    const Ran ran = zermelo(fork);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "1. o: lost in 4 moves; forced: any other move loses at once");
    EXPECT_SAYS(ran.out, "threat: mark 3 3 wins at once unless mark 3 3 is played");
    EXPECT_SAYS(ran.out, "* mark 3 3  lost in 4 moves, answered by mark 2 1  (best defence)");
    EXPECT_SAYS(ran.out, "mark 2 3  lost in 2 moves, loses at once to mark 3 3");
    EXPECT_SAYS(ran.out, "3. o: lost in 2 moves; every move loses at once");
    EXPECT_SAYS(ran.out, "the end: x 100, o 0");
}

// On the board the move that was made is marked, and the last one completes the line.
TEST_F(Why, EveryPositionOfTheLineIsDrawn) {
    const Ran ran = run("NO_COLOR=1 " + binary + " " + fork);
    std::vector<std::string> rows;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("3 ") || line.starts_with("2 ") || line.starts_with("1 ")) rows.push_back(line);
    }
    ASSERT_EQ(rows.size(), 15U) << ran.out;  // three rows of five positions
    EXPECT_LT(ran.out.find(rows[0]), ran.out.find("1. o:"));
    EXPECT_GT(ran.out.rfind(rows[14]), ran.out.find("4. x:"));
}

TEST_F(Why, TheSameIsToldAsJson) {
    const auto told = json_of(zermelo(fork + " --json"));
    ASSERT_EQ(told["play"].size(), 5U);
    const auto& asked = told["play"][0];
    EXPECT_EQ(asked["mover"], "o");
    EXPECT_EQ(asked["left"], 4);
    EXPECT_EQ(asked["choice"], "only-answer");
    EXPECT_EQ(asked["moves"].size(), 6U);
    EXPECT_EQ(asked["threats"][0]["answers"], nlohmann::json({"(mark 3 3)"}));
    EXPECT_EQ(told["position"].size(), 3U);
    EXPECT_TRUE(told["complete"]);
}

TEST_F(Why, AForcedMoveBelongsToWhoeverMakesIt) {
    const Ran ran =
        zermelo("analyse " + gdl + "nim.kif --why --position \"(leave a 0); (leave b 0); (leave c 1)\"");
    EXPECT_SAYS(ran.out, "1. bob: won in 1 move; the only legal move");
    EXPECT_EQ(ran.out.find("wait"), std::string::npos) << ran.out;
}

TEST_F(Why, GraphsAndModelsAreExplained) {
    const std::string graphs = std::string(ZERMELO_SOURCE_DIR) + "/games/graphs/";
    EXPECT_SAYS(zermelo("analyse " + graphs + "subtraction-13.json --state A6 --why").out,
                "1. Alice: won in 3 moves");
    EXPECT_SAYS(zermelo("analyse " + graphs + "cycle.json --why").out, "1. ");
    EXPECT_SAYS(zermelo("analyse " + nim + " -D n=7 --why").out, "* take[1] = 2  won in 5 moves");
}

TEST_F(Why, PositionsOfModelsAreDrawnByTheirOutput) {
    const std::string file = model(
        "int: n = 4;\nset of int: Turn = 1..n;\narray[Turn] of var 1..2: take;\n"
        "array[0..n] of var int: left = array1d(0..n, [n - sum(take[1..t]) | t in 0..n]);\n"
        "constraint forall(t in Turn)(if t mod 2 = 1 then some(t, take[t], 1..2)\n"
        "                             else every(t, take[t], 1..2) endif);\n"
        "constraint forall(t in Turn)(rule(t, take[t] <= left[t - 1]));\n"
        "constraint win(n mod 2 = 1);\n"
        "output [\"left \"] ++ [show(left[t]) ++ \" \" | t in 0..n] ++ [\"\\n\"];\n");
    const Ran ran = zermelo("analyse " + file + " --why");
    EXPECT_EQ(ran.code, 0) << ran.err;
    const std::size_t first = ran.out.find("left 4 ");
    const std::size_t second = ran.out.find("left 4 3 ");
    ASSERT_NE(first, std::string::npos) << ran.out;
    ASSERT_NE(second, std::string::npos) << ran.out;
    EXPECT_LT(first, ran.out.find("1. ∃: won"));
    EXPECT_LT(ran.out.find("* take[1] = 1"), second);
    EXPECT_LT(second, ran.out.find("2. ∀: lost"));
    // From a position on, only what follows.
    const Ran later = zermelo("analyse " + file + " --why --position 'take[1] = 1'");
    EXPECT_EQ(later.out.find("left 4 ·"), std::string::npos) << later.out;
    EXPECT_LT(later.out.find("left 4 3 "), later.out.find("1. ∀: lost")) << later.out;
}

TEST_F(Why, WherePlayersMixWhatEachPairOfMovesPaysIsTold) {
    const std::string pennies = "analyse " + gdl + "matching-pennies.kif --why";
    const Ran ran = zermelo(pennies);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "drawn: even 50, odd 50");
    EXPECT_SAYS(ran.out, "* heads              0.5000   50.0000\n");
    EXPECT_SAYS(ran.out,
                "what even gets, by row for its own move, by column for that of odd:\n"
                "             heads      tails\n"
                "  heads   100.0000     0.0000\n"
                "  tails     0.0000   100.0000\n");
    const auto told = json_of(zermelo(pennies + " --json"));
    ASSERT_EQ(told["pairs"].size(), 1U) << told;
    EXPECT_EQ(told["pairs"][0]["payoffs_of"], "even");
    const auto& pairs = told["pairs"][0]["pairs"];
    ASSERT_EQ(pairs.size(), 4U);
    for (const auto& pair : pairs)
        EXPECT_EQ(pair["number"], pair["moves"]["even"] == pair["moves"]["odd"] ? 100 : 0) << pair;
    // Without --why, and where moves are hidden, there are no pairs.
    EXPECT_EQ(zermelo("analyse " + gdl + "matching-pennies.kif").out.find("what even gets"),
              std::string::npos);
    const Ran poker = zermelo("analyse " + gdl + "kuhn-poker.kif --why");
    EXPECT_EQ(poker.code, 0) << poker.err;
    EXPECT_SAYS(poker.out, "* check ");
}

TEST_F(Why, GamesWithDiceAreRefusedInOneLine) {
    expect_one_line_about(zermelo("analyse " + gdl + "dice-race.kif --why"), "chance");
}

}  // namespace
}  // namespace zermelo
