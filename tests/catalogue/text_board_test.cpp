// States as plain text, with their whole boards.

#include "catalogue/text_board.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "gdl/syntax/parse.hpp"

namespace zermelo::catalogue {
namespace {

gdl::Game shipped(const std::string& name) {
    const std::string file = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return gdl::Game(gdl::parse(text.str(), file));
}

std::string drawn(const gdl::Game& game, const std::vector<std::string>& facts) {
    return TextBoard(game).draw(facts);
}

TEST(TextBoard, IsWholeBeforeTheFirstMove) {
    const gdl::Game game = shipped("connect-four");
    EXPECT_EQ(drawn(game, game.facts(game.machine().initial())),
              "   1  2  3  4  5  6  7\n"
              "6  .  .  .  .  .  .  .\n"
              "5  .  .  .  .  .  .  .\n"
              "4  .  .  .  .  .  .  .\n"
              "3  .  .  .  .  .  .  .\n"
              "2  .  .  .  .  .  .  .\n"
              "1  .  .  .  .  .  .  .\n"
              "(control yellow)\n");
}

TEST(TextBoard, LeansAsTheHintsSay) {
    const gdl::Game game = shipped("hex-small");
    EXPECT_EQ(drawn(game, game.facts(game.machine().initial())),
              "   1  2  3  4\n"
              "1  .  .  .  .\n"
              "2   .  .  .  .\n"
              "3    .  .  .  .\n"
              "4     .  .  .  .\n"
              "(control red)\n");
}

TEST(TextBoard, HasHolesAndPieces) {
    const gdl::Game game = shipped("tic-tac-chess");
    EXPECT_EQ(drawn(game, game.facts(game.machine().initial())),
              "   1  2  3  4  5  6  7\n"
              "6     .  .  .  .  .\n"
              "5     .  .  .  .  .\n"
              "4  r  .  .  .  .  .  b\n"
              "3     .  .  .  .  .\n"
              "2     .  .  .  .  .\n"
              "(control red)\n"
              "(moves 0)\n");
}

TEST(TextBoard, PiecesWithTheSameInitialAreToldApart) {
    const gdl::Game game(gdl::parse(
        "(role p) (init (cell 1 1 red)) (init (cell 1 2 rook)) (init (cell 2 1 b)) (init (cell 2 2 b))"
        "(<= (legal p wait)) (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)))"
        "(<= terminal (true (cell 1 1 b))) (goal p 100)",
        "made"));
    EXPECT_EQ(drawn(game, game.facts(game.machine().initial())),
              "   1   2\n"
              "2  ro  .\n"
              "1  re  .\n");
}

TEST(TextBoard, AGameWithoutABoardIsAListOfFacts) {
    const gdl::Game game(
        gdl::parse("(role a) (init (n 1)) (init p) (<= (legal a go)) (<= (next (n 2)) (true (n 1)))"
                   "(<= terminal (true (n 2))) (goal a 100)",
                   "made"));
    EXPECT_EQ(drawn(game, {"(n 1)", "(n 2)", "p"}), "p\n(n 1) (n 2)\n");
}

}  // namespace
}  // namespace zermelo::catalogue
