// Lint: what the specification allows, but is hardly meant; and nothing of our own games.

#include "gdl/analysis/lint.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "gdl/analysis/unreachable.hpp"
#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/published.hpp"

namespace zermelo::gdl {
namespace {

// A game that is meant as it is, to which a test adds its mistake.
const std::string meant =
    "(role white) (role black) (init (pile 2)) (init (control white)) (succ 0 1) (succ 1 2)\n"
    "(<= (legal ?p take) (true (control ?p)))\n"
    "(<= (legal ?p wait) (role ?p) (not (true (control ?p))))\n"
    "(<= (next (pile ?y)) (true (pile ?x)) (succ ?y ?x) (does ?p take))\n"
    "(<= (next (control white)) (true (control black))) (<= (next (control black)) (true (control white)))\n"
    "(<= terminal (true (pile 0)))\n"
    "(<= (goal ?p 100) (role ?p) (not (true (control ?p)))) (<= (goal ?p 0) (true (control ?p)))\n";

std::vector<std::string> texts(const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    for (const Finding& finding : findings) all.push_back(finding.text());
    return all;
}
std::vector<std::string> linted(const std::string& rules) { return texts(lint(parse(rules, "g.kif"))); }
std::vector<std::string> never(const std::string& rules) {
    const Game game(parse(rules, "g.kif"));
    return texts(unreachable(game.description(), game.machine().network()));
}

void expect_only(const std::vector<std::string>& all, const std::string& beginning) {
    ASSERT_EQ(all.size(), 1U) << (all.size() > 1 ? all[1] : beginning);
    EXPECT_TRUE(all.front().starts_with(beginning)) << all.front();
}

TEST(Lint, SaysNothingOfAGameThatIsMeantAsItIs) {
    EXPECT_EQ(linted(meant), std::vector<std::string>{});
    EXPECT_EQ(never(meant), std::vector<std::string>{});
}

TEST(Lint, FindsWhatIsUsedAndNeverGiven) {
    expect_only(linted(meant + "(<= terminal (true (heap 0)))"),
                "g.kif:8:14: warning: no `init` and no `next` gives `heap`, so it never holds; ");
    expect_only(
        linted(meant + "(<= terminal (true (pill 0)))"),
        "g.kif:8:14: warning: no `init` and no `next` gives `pill`, so it never holds; did you mean pile? ");
    expect_only(linted(meant + "(<= terminal (true (pile 0 0)))"),
                "g.kif:8:14: warning: no `init` and no `next` gives `pile`, so it never holds; with 1 "
                "arguments it is "
                "given; write as many here");
    expect_only(linted(meant + "(<= (next (pile 0)) (does white pass))"),
                "g.kif:8:21: warning: no `legal` offers the move `pass`, so it is never made; ");
}

TEST(Lint, FindsWhatIsGivenAndNeverUsed) {
    expect_only(linted(meant + "(init (colour red))"),
                "g.kif:8:1: note: no rule asks for `colour` with `true`; ");
    expect_only(linted(meant + "(smaller 0 1)"), "g.kif:8:1: note: no rule uses `smaller`; ");
}

TEST(Lint, FindsRolesWithoutMovesAndGoals) {
    const std::string start =
        "(role a) (role b) (init s) (<= (next s) (true s)) (<= terminal (true s)) (legal a wait)\n";
    const auto all = linted(start + "(goal a 50)");
    ASSERT_EQ(all.size(), 2U);
    EXPECT_TRUE(all[0].starts_with("g.kif:1:10: warning: the role b has no legal move; ")) << all[0];
    EXPECT_TRUE(all[1].starts_with("g.kif:1:10: warning: the role b has no goal; ")) << all[1];
    EXPECT_EQ(linted(start + "(<= (legal ?p wait) (role ?p)) (<= (goal ?p 50) (role ?p))"),
              std::vector<std::string>{});
}

TEST(Lint, FindsWordsThatDifferByALetter) {
    expect_only(
        linted(meant + "(<= terminal (true (control whits)))"),
        "g.kif:8:14: warning: whits occurs only here, and white is nearly the same; did you mean white?");
    // Short words and such with digits differ by a letter on purpose.
    EXPECT_EQ(linted(meant + "(succ 2 3) (succ x1 x2) (succ x2 x1) (<= terminal (succ x1 x3))"),
              std::vector<std::string>{});
}

TEST(Unreachable, FindsMovesThatAreNeverLegal) {
    expect_only(
        never(meant + "(<= (legal ?p (put ?n)) (true (control ?p)) (true (pile ?n)) (succ ?n 7))"),
        "g.kif:8:1: warning: the move (put ?n) can never be legal; its conditions are never met together; ");
    expect_only(never(meant + "(<= (legal white pass) (true (pile 3)))"),
                "g.kif:8:1: warning: the move pass can never be legal; (true (pile 3)) never becomes true; ");
    EXPECT_EQ(never(meant + "(<= (legal white pass) (true (pile 1)))"), std::vector<std::string>{});
}

TEST(Unreachable, FindsGoalsThatNeverHold) {
    expect_only(
        never(meant + "(<= (goal white 50) (true (pile 9)))"),
        "g.kif:8:1: warning: the goal 50 of white can never hold; (true (pile 9)) never becomes true; ");
    EXPECT_EQ(never(meant + "(<= (goal ?p 50) (role ?p) (true (pile 1)))"), std::vector<std::string>{});
}

TEST(Lint, WarnsOfNoShippedGame) {
    const std::filesystem::path folder = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".kif") continue;
        for (const Finding& finding : lint(read(entry.path().string())))
            EXPECT_EQ(finding.severity, Finding::Severity::note) << finding.text();
    }
}

TEST(Lint, WarnsOfNoPublishedGame) {
    if (!published::present()) GTEST_SKIP() << "no published games beside the source";
    for (const std::string& name : published::games()) {
        for (const Finding& finding : lint(read(published::path(name))))
            EXPECT_EQ(finding.severity, Finding::Severity::note) << finding.text();
    }
}

}  // namespace
}  // namespace zermelo::gdl
