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

TEST_F(Why, GamesWithoutTurnsAreRefusedInOneLine) {
    expect_one_line_about(zermelo("analyse " + gdl + "rock-paper-scissors.kif --why"), "simultaneous");
}

}  // namespace
}  // namespace zermelo
