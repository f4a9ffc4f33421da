// Reports: they say what the standings say, and no name can break them.

#include "arena/report/report.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/random.hpp"
#include "pages.hpp"

namespace zermelo::arena {
namespace {

const std::string nasty_name = R"(<script>alert("x")</script> & 'ü', "q")";

SeatResult full_seat(const std::string& player, int goal) {
    return {"role", player, goal, 10, 5000, 1, 0, 2.5, 0.75, 0.25};
}

MatchResult full_match(std::uint64_t number, const std::string& game, std::vector<SeatResult> seats) {
    return {number, game, 42, 20, 5, std::move(seats), "(a b)", ""};
}

// Three players, two games, one of them for one player; two matches that have something wrong with them.
std::vector<MatchResult> tournament() {
    std::vector<MatchResult> matches;
    Random random(5);
    std::uint64_t number = 0;
    const std::vector<std::string> players = {"uct", "greedy", nasty_name};
    for (int round = 0; round < 8; ++round) {
        for (std::size_t i = 0; i < players.size(); ++i) {
            const int goal = 50 * static_cast<int>(random.below(3));
            matches.push_back(
                full_match(number++, "duel",
                           {full_seat(players[i], goal), full_seat(players[(i + 1) % 3], 100 - goal)}));
            matches.push_back(full_match(number++, "alone <&>", {full_seat(players[i], goal)}));
        }
    }
    matches.back().seats[0].moves = 0;
    matches.back().seats[0].slack_least = std::numeric_limits<double>::infinity();
    matches.push_back(full_match(number, "duel", {full_seat("uct", 0), full_seat("greedy", 0)}));
    matches.back().error = "lost <b>contact</b>";
    return matches;
}

TEST(Report, TheCheckOfPagesSeesFlaws) {
    EXPECT_EQ(flaw("<a b=\"c>d\"><e/>x &amp; y</a>"), "");
    for (const char* bad : {"<a><b></a></b>", "<a>", "</a>", "<a b=\"c><d>", "x & y;", "a > b", "<a <b>>"})
        EXPECT_NE(flaw(bad), "") << bad;
}

TEST(Report, TextHasEveryPlayerAndGame) {
    const std::string report = text(standings(tournament()));
    for (const char* part :
         {"48 matches of 2 games between 3 players", "1 match without a result", "Scores", "Moves and time",
          "By game", "Elo", "uct", "greedy", "alone <&>", "48: lost <b>contact</b>"}) {
        EXPECT_NE(report.find(part), std::string::npos) << part << "\n" << report;
    }
    EXPECT_NE(report.find(nasty_name), std::string::npos);
}

TEST(Report, TextIsExactlyThisForASmallTournament) {
    const std::vector<MatchResult> matches = {
        full_match(0, "duel", {full_seat("b", 100), full_seat("ä", 0)}),
        full_match(1, "duel", {full_seat("ä", 50), full_seat("b", 50)})};
    EXPECT_EQ(text(standings(matches)),
              R"(2 matches of 1 game between 2 players, 10 seconds of play; 0 matches without a result.

Scores
  Player   Elo           95 %   Seats   Won   Drawn   Lost   Points   Score         95 %   Goal
  b        +82   -168 to +333       2     1       1      0      1.5    75 %   20 to 97 %   75.0
  ä        -82   -333 to +168       2     0       1      1      0.5    25 %    3 to 80 %   25.0

Moves and time
  Player   Moves   Mean (s)   Longest (s)   Least slack (s)   Late   Illegal   Playouts   Playouts/s
  b           20      0.250         0.750             0.250      0         2      10000         2000
  ä           20      0.250         0.750             0.250      0         2      10000         2000

Points of games, player (row) against player (column)
  Player       1       2
  1. b             1.5/2
  2. ä     0.5/2
)");
}

TEST(Report, TextOfNothingIsShort) {
    EXPECT_EQ(text(standings({})),
              "0 matches of 0 games between 0 players, 0 seconds of play; 0 matches without a result.\n");
    EXPECT_EQ(flaw(html(standings({}), "nothing", "{}")), "");
    EXPECT_EQ(json(standings({}))["players"].size(), 0U);
}

TEST(Report, SaysThatGroupsCannotBeCompared) {
    const std::vector<MatchResult> apart = {full_match(0, "duel", {full_seat("a", 100), full_seat("b", 0)}),
                                            full_match(1, "duel", {full_seat("c", 100), full_seat("d", 0)})};
    EXPECT_NE(text(standings(apart)).find("only players of one group"), std::string::npos);
    EXPECT_NE(html(standings(apart), "", "").find("only players of one group"), std::string::npos);
    EXPECT_EQ(text(standings(tournament())).find("one group"), std::string::npos);
}

TEST(Report, JsonHoldsTheStandings) {
    const Standings table = standings(tournament());
    const nlohmann::json report = nlohmann::json::parse(json(table).dump());
    EXPECT_EQ(report["matches"], 48);
    ASSERT_EQ(report["players"].size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        const nlohmann::json& player = report["players"][i];
        EXPECT_EQ(player["player"], table.players[i].player);
        EXPECT_EQ(player["seats"], 24);
        EXPECT_DOUBLE_EQ(player["points"].get<double>(), table.players[i].total.points);
        EXPECT_DOUBLE_EQ(player["score"]["low"].get<double>(), table.players[i].total.score_interval().low);
        EXPECT_DOUBLE_EQ(player["elo"]["value"].get<double>(), table.players[i].rating.elo);
        EXPECT_DOUBLE_EQ(player["slack"]["least"].get<double>(), 0.25);
    }
    EXPECT_EQ(report["pairs"].size(), 6U);
    EXPECT_EQ(report["games"].size(), 2U);
    EXPECT_EQ(report["games"][0]["players"].size(), 3U);
    EXPECT_EQ(report["errors"][0]["match"], 48);

    const nlohmann::json alone = json(standings({full_match(0, "alone", {full_seat("a", 100)})}));
    EXPECT_TRUE(alone["players"][0]["elo"].is_null());
}

TEST(Report, CsvQuotesWhatNeedsIt) {
    MatchResult odd = full_match(7, "a,b", {full_seat("say \"hi\"", 100), full_seat("two\nlines", 0)});
    odd.seats[1].slack_least = std::numeric_limits<double>::infinity();
    EXPECT_EQ(
        csv({odd}),
        "match,game,seed,plies,match_seconds,error,seat,role,player,goal,points,moves,playouts,illegal,late,"
        "seconds,longest_move,slack_least\r\n"
        "7,\"a,b\",42,20,5,,1,role,\"say \"\"hi\"\"\",100,1,10,5000,1,0,2.5,0.75,0.25\r\n"
        "7,\"a,b\",42,20,5,,2,role,\"two\nlines\",0,0,10,5000,1,0,2.5,0.75,\r\n");
    odd.error = "broken";
    EXPECT_NE(csv({odd}).find(",broken,1,role,\"say \"\"hi\"\"\",100,,10,"), std::string::npos);
}

TEST(Report, HtmlIsWellFormedAndNeedsNothingElse) {
    const std::string page =
        html(standings(tournament()), "A " + nasty_name, "{\"plan\": \"" + nasty_name + "\"}");
    EXPECT_EQ(flaw(page), "");
    // Nothing from a name became a tag, and nothing is fetched.
    EXPECT_EQ(count(page, "<script"), 0U);
    EXPECT_EQ(count(page, "<b>"), 0U);
    for (const char* part : {"src=", "href=", "url(", "@import"}) EXPECT_EQ(count(page, part), 0U) << part;
    EXPECT_EQ(count(page, "http"), count(page, "xmlns=\"http://www.w3.org/"));
    // For readers of every kind.
    EXPECT_EQ(count(page, "<html lang=\"en\""), 1U);
    EXPECT_EQ(count(page, "<h1>"), 1U);
    EXPECT_EQ(count(page, "<table>"), count(page, "<caption>"));
    EXPECT_EQ(count(page, "<svg"), count(page, "role=\"img\" aria-label="));
    EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1U);
    EXPECT_EQ(count(page, "name=\"viewport\""), 1U);
    // Elo, players against players, two games, two plots of times.
    EXPECT_EQ(count(page, "<svg"), 6U);
    EXPECT_EQ(count(page, "nan"), 0U);
    EXPECT_EQ(count(page, "inf\""), 0U);
    EXPECT_NE(page.find("uct against greedy: "), std::string::npos);
}

TEST(Report, HtmlOutlivesExtremes) {
    // Everything won, everything at once, names without end, control characters.
    std::vector<MatchResult> matches;
    for (std::uint64_t i = 0; i < 40; ++i) {
        matches.push_back(full_match(
            i, std::string(300, 'g'),
            {full_seat(std::string(300, 'w') + "ü", 100), full_seat(std::string("nul\0\x01", 5), 0)}));
        for (SeatResult& one : matches.back().seats) one.longest_move = one.slack_least = one.seconds = 0;
    }
    const std::string page = html(standings(matches), "", "");
    EXPECT_EQ(flaw(page), "");
    EXPECT_EQ(page.find('\0'), std::string::npos);
    EXPECT_EQ(page.find('\x01'), std::string::npos);
    EXPECT_EQ(count(page, "nan"), 0U);
}

}  // namespace
}  // namespace zermelo::arena
