// The boards of the shipped games: tests/support/boards.json says what is to be recognised. The page recognises the same
// (web/tests/boards.spec.ts).

#include <gtest/gtest.h>

#include <fstream>

#include "catalogue/library.hpp"
#include "catalogue/recognise.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::catalogue {
namespace {

json told(const BoardGrid& grid) {
    json layers = json::array();
    for (const BoardLayer& layer : grid.layers)
        layers.push_back({{"relation", layer.relation}, {"x", layer.x}, {"y", layer.y}});
    const auto range = [](const std::vector<std::string>& names) {
        return names.front() + ".." + names.back() + ", " + std::to_string(names.size());
    };
    return {{"columns", range(grid.columns)},
            {"rows", range(grid.rows)},
            {"up", grid.up},
            {"lean", grid.lean > 0   ? "right"
                     : grid.lean < 0 ? "left"
                                     : ""},
            {"points", grid.points},
            {"chequered", grid.chequered},
            {"places", grid.places.size()},
            {"layers", layers}};
}

TEST(Boards, AreRecognisedInTheShippedGamesAsThePageDoes) {
    std::ifstream file(std::string(ZERMELO_SOURCE_DIR) + "/tests/support/boards.json");
    const json expected = json::parse(file);
    ASSERT_GT(expected.size(), 40U);
    const Library library(std::string(ZERMELO_SOURCE_DIR) + "/games");
    for (const auto& [id, boards] : expected.items()) {
        SCOPED_TRACE(id);
        const Shipped* shipped = library.find(id);
        ASSERT_NE(shipped, nullptr);
        const gdl::Game game(gdl::parse(shipped->text, shipped->file));
        json found = json::array();
        for (const BoardGrid& grid : recognise_boards(game, shipped->hints)) found.push_back(told(grid));
        EXPECT_EQ(found, boards);
    }
}

// (square r c): a set of pairs is a board, a function of one argument is none.
TEST(Boards, ASetOfPairsIsABoard) {
    const auto grids = [](const std::string& facts) {
        const std::string rest =
            "(role a)(<= (legal a wait))(<= (next (square ?p ?q)) (true (square ?p ?q)))"
            "(<= terminal (true (square 1 1)))(goal a 100)";
        return recognise_boards(gdl::Game(gdl::parse(facts + rest, "made")), json::object());
    };
    const auto found = grids(
        "(init (square 1 1))(init (square 1 2))(init (square 2 1))(init (square 2 2))(init (square 2 3))");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].rows, (std::vector<std::string>{"1", "2"}));
    EXPECT_EQ(found[0].columns, (std::vector<std::string>{"1", "2", "3"}));
    EXPECT_TRUE(
        grids("(init (square 1 1))(init (square 2 2))(init (square 3 1))(init (square 4 3))").empty());
}

}  // namespace
}  // namespace zermelo::catalogue
