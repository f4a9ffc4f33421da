// The checks: each finding at its place, and none on our own games.

#include "gdl/syntax/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "gdl/syntax/parse.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

// A game without findings, to which a test adds its mistake.
const std::string good =
    "(role a) (init (count 0)) (succ 0 1) (legal a wait)\n"
    "(<= (next (count ?y)) (true (count ?x)) (succ ?x ?y))\n"
    "(<= terminal (true (count 1))) (<= (goal a 100) (true (count 1)))\n";

std::vector<std::string> messages(const std::vector<Finding>& findings) {
    std::vector<std::string> result;
    for (const Finding& finding : findings) result.push_back(finding.text());
    return result;
}

std::string first(const std::string& addition) {
    const auto all = messages(check(parse(good + addition, "g.kif")));
    return all.empty() ? "" : all.front();
}

std::string played(const std::string& addition) {
    const auto all = messages(check_by_playing(parse(addition, "g.kif")));
    return all.empty() ? "" : all.front();
}

TEST(Check, AGoodGameHasNoFindings) {
    const Description game = parse(good, "g.kif");
    EXPECT_EQ(messages(check(game)), std::vector<std::string>{});
    EXPECT_EQ(messages(check_by_playing(game)), std::vector<std::string>{});
}

TEST(Check, WhatIsMissingIsNamed) {
    const auto all = messages(check(parse("(p a)", "g.kif")));
    ASSERT_EQ(all.size(), 6U);
    EXPECT_EQ(all[0], "g.kif: error: no rule for `role`; name the players with (role …)");
}

TEST(Check, EveryMistakeIsFoundAtItsPlace) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"(<= (p ?x) (succ ?y ?z))",
         "g.kif:4:1: error: variable ?x in the head of `p` does not occur in a positive literal"},
        {"(p ?x)", "g.kif:4:1: error: variable ?x in the head of `p`"},
        {"(<= p (not (succ ?x 1)))", "g.kif:4:12: warning: variable ?x in a negation"},
        {"(<= p (distinct ?x 1))", "g.kif:4:7: error: variable ?x in `distinct`"},
        {"(<= p (not q))\n(<= q p)",
         "g.kif:4:12: error: `p` depends on its own negation through `q`; break the circle"},
        {"(<= (p 0) (not (p 1)))",
         "g.kif:4:16: warning: `p` depends on its own negation; the atoms themselves do not"},
        {"(p 0) (<= (p (s ?x)) (p ?x))", "g.kif:4:22: error: recursion restriction: ?x in the recursive `p`"},
        {"(<= (role b) (succ 0 1))", "g.kif:4:1: error: `role` is defined by a rule"},
        {"(<= (true b) (succ 0 1))", "g.kif:4:1: error: `true` in the head of a rule"},
        {"(does a wait)", "g.kif:4:1: error: `does` in the head of a rule"},
        {"(<= p (init (count 0)))", "g.kif:4:7: error: `init` in the body of a rule"},
        {"(<= p (next (count 0)))", "g.kif:4:7: error: `next` in the body of a rule"},
        {"(<= p (sees a b))", "g.kif:4:7: error: `sees` in the body of a rule"},
        {"(<= (legal a go) (does a wait))",
         "g.kif:4:18: error: `legal` depends on `does`; moves are not known yet"},
        {"(<= terminal p) (<= p (does a wait))",
         "g.kif:4:14: error: `terminal` depends on `does` (through p)"},
        {"(<= (init b) p) (<= p (true b))", "g.kif:4:14: error: `init` depends on `true` (through p)"},
        {"(<= (base b) (true b))", "g.kif:4:14: error: `base` depends on `true`"},
        {"(succ 1)", "g.kif:4:1: error: `succ` has 1 argument here, and 2 in line 1"},
        {"(<= p (sucs 0 1))",
         "g.kif:4:7: warning: no rule for `sucs`, so it never holds; did you mean succ? "},
        {"(<= p not (succ 0 1))",
         "g.kif:4:7: error: `not` without parentheses is a proposition that never holds"},
        {"(legal b wait)", "g.kif:4:1: warning: b is no role, but `legal` speaks of it as one"},
        {"(goal a 101)", "g.kif:4:1: error: goal value 101 is not in 0 to 100"},
        {"(goal a many)", "g.kif:4:1: error: goal value many is not in 0 to 100"},
    };
    for (const auto& [addition, message] : mistakes) {
        EXPECT_TRUE(first(addition).starts_with(message)) << addition << "\n  gives " << first(addition);
    }
}

TEST(Check, RecursionThatIsBoundedIsAllowed) {
    EXPECT_EQ(first("(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))"), "");
    EXPECT_EQ(first("(<= (p ?x) (succ ?x 1)) (<= (p (s ?y)) (succ ?x ?y) (p ?x))"), "");
}

TEST(Check, PlaysShowWhatRulesDoNot) {
    const std::string start =
        "(role a) (role b) (init one) (legal a wait) (<= (legal b wait) (true one)) (<= (next two) (true "
        "one))\n";
    const std::string goals = "(goal a 50) (goal b 50)\n";
    EXPECT_EQ(played(start + goals + "(<= terminal (true two))"), "");
    EXPECT_TRUE(played(start + goals + "(<= terminal (true three))")
                    .starts_with("g.kif: error: b has no move after 1 moves"));
    EXPECT_TRUE(played(start + "(goal a 50) (<= terminal (true two))")
                    .starts_with("g.kif: error: b has no goal value after 1 moves"));
    EXPECT_TRUE(played(start + goals + "(goal a 60) (<= terminal (true two))")
                    .starts_with("g.kif: error: a has 2 goal values"));
    EXPECT_TRUE(played("(role a) (init x) (next x) (legal a wait) (goal a 0) (<= terminal (true y))")
                    .starts_with("g.kif: warning: a play is not over after 5000 moves"));
    EXPECT_TRUE(
        played(start +
               "(goal b 0) (<= (goal a 40) (true one)) (<= (goal a 30) (true two)) (<= terminal (true two))")
            .starts_with("g.kif: note: the goal of a goes down, from 40 to 30"));
    EXPECT_TRUE(played("(p 0) (<= (p (s ?x)) (p ?x)) (<= (init ?x) (p ?x)) (role a)")
                    .starts_with("g.kif: error: cannot be played"));
}

Information about(const std::string& rules) { return information(parse(rules, "g.kif")); }

TEST(Information, IsSharedWhereAllPlayersSeeTheSame) {
    const std::string start =
        "(role a) (role b) (role random) (player a) (player b) (init s) (legal a wait) (legal b wait) (legal "
        "random (roll 1))\n"
        "(legal random (roll 2)) (next s) (goal a 0) (goal b 0) (<= terminal (true e))\n";
    EXPECT_FALSE(about("(role a) (role b)").is_gdl2());
    EXPECT_TRUE(about(start).chance);
    EXPECT_FALSE(about(start).percepts);
    EXPECT_EQ(about(start).sharing, Sharing::yes);
    const auto with = [&](const std::string& sees) { return about(start + sees).sharing; };
    EXPECT_EQ(with("(<= (sees ?p ?m) (role ?p) (does random ?m))"), Sharing::yes);
    EXPECT_EQ(with("(<= (sees ?p ?m) (player ?p) (does random ?m))"), Sharing::yes);
    EXPECT_EQ(with("(<= (sees ?p ?m) (role ?p) (distinct ?p random) (does random ?m))"), Sharing::yes);
    EXPECT_EQ(with("(<= (sees a ?m) (does random ?m)) (<= (sees b ?n) (does random ?n))"), Sharing::yes);
    EXPECT_EQ(with("(<= (sees a ?m) (does random ?m))"), Sharing::no);
    EXPECT_EQ(with("(<= (sees ?p ?p) (role ?p))"), Sharing::no);
    EXPECT_EQ(with("(<= (sees a ?m) (does random ?m) (true s)) (<= (sees b ?m) (does random ?m))"),
              Sharing::unknown);
    EXPECT_EQ(about("(role a) (role random) (<= (sees a ?m) (does random ?m))").sharing, Sharing::yes);
}

// That they have no findings is tested with all else about them (tests/catalogue).
TEST(Information, OfOurGamesIsShared) {
    int games = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_SOURCE_DIR "/games/gdl")) {
        if (entry.path().extension() != ".kif") continue;
        const Description game = read(entry.path().string());
        // Only in poker does a player see what the other does not.
        const bool poker = entry.path().stem().string().ends_with("-poker");
        const Sharing expected = poker ? Sharing::no : Sharing::yes;
        EXPECT_EQ(information(game).sharing, expected) << entry.path();
        ++games;
    }
    EXPECT_GE(games, 22);
}

TEST(Check, OfThePublishedGamesTheKnownOnesAreFoundWanting) {
    if (!published::present()) GTEST_SKIP() << "no published games beside the source";
    std::vector<std::string> bad;
    for (const std::string& name : published::games()) {
        if (!check(read(published::path(name))).empty()) bad.push_back(name);
    }
    // A relation with one and with two arguments; goal by its own negation; `not` without parentheses; goal
    // again.
    EXPECT_EQ(bad, (std::vector<std::string>{"blackjack.kif", "majorities.kif", "minesweeper.kif",
                                             "queens08lg.kif"}));
}

}  // namespace
}  // namespace zermelo::gdl
