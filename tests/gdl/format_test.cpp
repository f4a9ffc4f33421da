// Laying out: the same rules, the same comments, and nothing more to do the second time.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gdl/rule_texts.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

std::string content(const std::string& file) {
    std::ifstream input(file);
    std::ostringstream text;
    text << input.rdbuf();
    return text.str();
}

std::vector<std::string> files() {
    std::vector<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SOURCE_DIR "/games/gdl")) {
        if (entry.path().extension() == ".kif") result.push_back(entry.path().string());
    }
    if (published::present()) {
        for (const std::string& game : published::games()) result.push_back(published::path(game));
    }
    return result;
}

TEST(Format, KeepsTheRulesAndIsDoneAtOnce) {
    for (const std::string& file : files()) {
        const std::string before = content(file);
        const std::string after = format(before, file);
        EXPECT_EQ(rule_texts(after), rule_texts(before)) << file;
        EXPECT_EQ(format(after, file), after) << file;
        EXPECT_EQ(std::count(after.begin(), after.end(), ';'), std::count(before.begin(), before.end(), ';'))
            << file;
    }
}

TEST(Format, OurOwnGamesAreLaidOut) {
    for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SOURCE_DIR "/games/gdl")) {
        if (entry.path().extension() != ".kif") continue;
        const std::string text = content(entry.path().string());
        EXPECT_EQ(format(text, "game.kif"), text) << entry.path();
    }
}

TEST(Format, LongRulesGetALinePerLiteral) {
    EXPECT_EQ(
        format(
            "(<= (next (cell ?x ?y ?mark))(does ?player (mark ?x ?y))(true (cell ?x ?y b)))(ROLE a)(role b)",
            "f"),
        "(<= (next (cell ?x ?y ?mark))\n    (does ?player (mark ?x ?y))\n    (true (cell ?x ?y b)))\n"
        "(ROLE a)\n(role b)\n");
    EXPECT_EQ(format("(<= p q r)(<= p)", "f"), "(<= p\n    q\n    r)\n(<= p)\n");
    EXPECT_EQ(format("(<=   (p ?x)\n (q ?x))", "f"), "(<= (p ?x) (q ?x))\n");
}

TEST(Format, CommentsStayWithTheirRules) {
    EXPECT_EQ(format("; top  \n\n\n\n(role a)   ; first\n(<= p ; inside\n  q)\n;; last", "f"),
              "; top\n\n(role a) ; first\n; inside\n(<= p q)\n;; last\n");
}

TEST(Format, WhatCannotBeReadIsRefused) { EXPECT_THROW((void)format("(role", "f"), Error); }

}  // namespace
}  // namespace zermelo::gdl
