// Moves in words: tests/support/moves.json says what is to be said. The page says the same (web/tests/speech.spec.ts).

#include "catalogue/speech.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace zermelo::catalogue {
namespace {

using nlohmann::json;

TEST(Speech, SaysMovesAsThePageDoes) {
    const std::string source = ZERMELO_SOURCE_DIR;
    std::ifstream file(source + "/tests/support/moves.json");
    const json cases = json::parse(file);
    ASSERT_GT(cases.size(), 10U);
    for (const json& one : cases) {
        const json hints = one.contains("hints")
                               ? one["hints"]
                               : hints_beside(source + "/games/gdl/" + one.value("game", "") + ".kif");
        ASSERT_TRUE(hints.contains("moves")) << one;
        for (const std::string language : {"en", "fr"})
            EXPECT_EQ(Speech(hints, language).say(one["move"]), one[language]) << one;
    }
}

TEST(Speech, WhatNoHintSpeaksOfIsSaidAsTheRulesWriteIt) {
    EXPECT_EQ(Speech().say("(leave a 0)"), "(leave a 0)");
    EXPECT_EQ(Speech().say("take 3"), "take 3");
    const json other = {{"moves", {{"take", "takes"}}}};
    EXPECT_EQ(Speech(other, "en").say("(leave a 0)"), "(leave a 0)");
    EXPECT_EQ(Speech(hints_beside("/no/such/game.kif"), "en").say("(leave a 0)"), "(leave a 0)");
}

// Hints are written by people: what has another form than ours says nothing.
TEST(Speech, HintsOfAnotherFormSayNothing) {
    const std::string go = "(go a 1)";
    for (const json& moves : {json(), json(3), json{{"go", 3}}, json{{"go", {{"en", json::array()}}}}})
        EXPECT_EQ(Speech({{"moves", moves}}, "en").say(go), go) << moves;
    const json hints = {{"moves", {{"go", "{1} {2}"}}}, {"pieces", 7}, {"roles", {{"a", {{"title", 5}}}}}};
    EXPECT_EQ(Speech(hints, "en").say(go), "a 1");
}

}  // namespace
}  // namespace zermelo::catalogue
