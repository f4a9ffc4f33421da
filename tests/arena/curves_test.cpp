// Curves: they hold what was played, and every report of them says the same.

#include "arena/report/curves.hpp"

#include <gtest/gtest.h>

#include "pages.hpp"

namespace zermelo::arena {
namespace {

const std::string nasty_label = R"(<b>"&|',)";

Plan swept_plan() {
    Plan result;
    result.games = {"games/duel.kif", "games/other.kif"};
    result.players = {"uct:exploration=0.1", "uct:exploration=0.4", "uct:exploration=1.6", "greedy",
                      "random:label=" + nasty_label.substr(0, 6)};
    result.form = Form::gauntlet;
    result.sweep = Sweep{"uct", "exploration", {0.1, 0.4, 1.6}};
    return result;
}

MatchResult duel(std::uint64_t number, const std::string& game, const std::string& player,
                 const std::string& against, int goal) {
    MatchResult result;
    result.match = number;
    result.game = game;
    result.seats.resize(2);
    result.seats[number % 2].player = player;
    result.seats[number % 2].goal = goal;
    result.seats[1 - number % 2].player = against;
    result.seats[1 - number % 2].goal = 100 - goal;
    return result;
}

// Ten matches a pair and game. In the first game as many wins as the value's place times four against the
// first opponent, and one less against the second; in the other game all is drawn.
std::vector<MatchResult> matches() {
    const Plan all = swept_plan();
    const auto names = labels(all);
    std::vector<MatchResult> result;
    for (std::size_t v = 0; v < 3; ++v) {
        for (std::size_t o = 0; o < 2; ++o) {
            for (int i = 0; i < 10; ++i) {
                const bool won = i + static_cast<int>(o) < 4 * static_cast<int>(v);
                result.push_back(duel(result.size(), all.games[0], names[v], names[3 + o], won ? 100 : 0));
                result.push_back(duel(result.size(), all.games[1], names[v], names[3 + o], 50));
            }
        }
    }
    return result;
}

TEST(Curves, HoldWhatWasPlayed) {
    const Curves found = curves(swept_plan(), matches());
    EXPECT_EQ(found.opponents, (std::vector<std::string>{"greedy", nasty_label.substr(0, 6)}));
    const std::vector<std::vector<double>> wins = {{0, 4, 8}, {0, 3, 7}};
    for (std::size_t v = 0; v < 3; ++v) {
        double sum = 0;
        for (std::size_t o = 0; o < 2; ++o) {
            EXPECT_EQ(found.each[o][0][v].matches, 10U);
            EXPECT_DOUBLE_EQ(found.each[o][0][v].points, wins[o][v]);
            EXPECT_DOUBLE_EQ(found.each[o][1][v].points, 5);
            EXPECT_EQ(found.against[o][v].matches, 20U);
            EXPECT_DOUBLE_EQ(found.against[o][v].points, wins[o][v] + 5);
            sum += wins[o][v];
        }
        EXPECT_DOUBLE_EQ(found.in[0][v].points, sum);
        EXPECT_DOUBLE_EQ(found.in[1][v].points, 10);
        EXPECT_EQ(found.all[v].matches, 40U);
        EXPECT_DOUBLE_EQ(found.all[v].score(), (sum + 10) / 40);
        EXPECT_DOUBLE_EQ(found.all[v].interval().low, wilson(sum + 10, 40).low);
    }
    EXPECT_EQ(found.best(), 2U);
}

TEST(Curves, WithoutMatchesHaveNoBest) {
    const Curves none = curves(swept_plan(), {});
    EXPECT_EQ(none.best(), std::nullopt);
    EXPECT_NE(text(none).find("No match has a result."), std::string::npos);
    EXPECT_EQ(flaw(svg(none)), "");
    EXPECT_EQ(count(svg(none), "nan"), 0U);
    EXPECT_TRUE(json(none)["best"].is_null());
    EXPECT_TRUE(json(none)["all"][0]["score"].is_null());
}

TEST(Curves, TextIsExactlyThis) {
    EXPECT_EQ(text(curves(swept_plan(), matches())),
              R"(Scores of uct by exploration, against each opponent, with 95 % intervals
  exploration              greedy              <b>"&|                 all   Matches
          0.1   25 % (11 to 47 %)   25 % (11 to 47 %)   25 % (14 to 40 %)        40
          0.4   45 % (26 to 66 %)   40 % (22 to 61 %)   42 % (29 to 58 %)        40
          1.6   65 % (43 to 82 %)   60 % (39 to 78 %)   62 % (47 to 76 %)        40

Scores of uct by exploration, in each game, with 95 % intervals
  exploration                duel               other                 all   Matches
          0.1     0 % (0 to 16 %)   50 % (30 to 70 %)   25 % (14 to 40 %)        40
          0.4   35 % (18 to 57 %)   50 % (30 to 70 %)   42 % (29 to 58 %)        40
          1.6   75 % (53 to 89 %)   50 % (30 to 70 %)   62 % (47 to 76 %)        40

The best score is at exploration = 1.6: 62 % (95 %: 47 to 76 %). Intervals that overlap with its interval: 0.4.
)");
}

TEST(Curves, MarkdownIsATable) {
    const std::string table = markdown(curves(swept_plan(), matches()));
    EXPECT_NE(table.find("| 1.6 | 65 % (43 to 82 %) | 60 % (39 to 78 %) | 62 % (47 to 76 %) | 40 |\n"),
              std::string::npos)
        << table;
    EXPECT_NE(table.find("| exploration | greedy | \\<b\\>\"&\\| | all | Matches |\n"), std::string::npos)
        << table;
}

TEST(Curves, CsvHasAllOfThem) {
    const std::string table = csv(curves(swept_plan(), matches()));
    EXPECT_TRUE(
        table.starts_with("value,against,game,matches,wins,draws,losses,points,score,low,high\r\n0.1,all,all,"
                          "40,0,20,20,10,0.25,"))
        << table.substr(0, 200);
    // For everything, for two opponents, for two games, and for each of them in each.
    EXPECT_EQ(count(table, "\r\n"), 1U + 3 * (1 + 2 + 2 + 4));
    EXPECT_NE(table.find("1.6,greedy,games/duel.kif,10,8,0,2,8,0.8,"), std::string::npos) << table;
    EXPECT_NE(table.find("0.4,\"<b>\"\"&|\",all,20,3,10,7,8,0.4,"), std::string::npos) << table;
}

TEST(Curves, JsonHasAllOfThem) {
    const auto object = nlohmann::json::parse(json(curves(swept_plan(), matches())).dump());
    EXPECT_EQ(object["key"], "exploration");
    EXPECT_EQ(object["values"], nlohmann::json({0.1, 0.4, 1.6}));
    EXPECT_EQ(object["best"], 1.6);
    ASSERT_EQ(object["all"].size(), 3U);
    EXPECT_EQ(object["all"][2]["value"], 1.6);
    EXPECT_DOUBLE_EQ(object["all"][2]["score"]["value"].get<double>(), 0.625);
    EXPECT_DOUBLE_EQ(object["all"][2]["score"]["high"].get<double>(), wilson(25, 40).high);
    ASSERT_EQ(object["against"].size(), 2U);
    EXPECT_EQ(object["against"][0]["opponent"], "greedy");
    EXPECT_EQ(object["against"][0]["curve"][1]["points"], 9);
    EXPECT_EQ(object["against"][0]["games"][0]["curve"][1]["wins"], 4);
    EXPECT_EQ(object["games"][1]["curve"][0]["draws"], 20);
}

TEST(Curves, ThePictureStandsAlone) {
    const std::string picture = svg(curves(swept_plan(), matches()));
    EXPECT_EQ(flaw(picture), "");
    EXPECT_TRUE(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_EQ(count(picture, "prefers-color-scheme: dark"), 1U);
    // Two opponents and all of them, at three values each, with an interval at every mark.
    EXPECT_EQ(count(picture, "<circle"), 9U);
    EXPECT_EQ(count(picture, "class=\"reach\""), 9U);
    EXPECT_NE(picture.find("greedy, exploration = 1.6: 65 % (43 to 82 %), 20 matches"), std::string::npos);
    EXPECT_EQ(count(picture, "<b>"), 0U);
    for (const char* part : {"src=", "href=", "url(", "@import", "nan"}) EXPECT_EQ(count(picture, part), 0U);
}

// A number of each mark of a curve in the picture, from left to right.
std::vector<double> marks(const std::string& picture, const std::string& name, const std::string& which) {
    std::vector<double> result;
    for (std::size_t at = picture.find("<title>" + name); at != std::string::npos;
         at = picture.find("<title>" + name, at + 1))
        result.push_back(std::stod(picture.substr(picture.find(which + "=\"", at) + which.size() + 2)));
    return result;
}

TEST(Curves, ScoresAndIntervalsStandWhereTheyBelong) {
    const Curves found = curves(swept_plan(), matches());
    const std::string picture = svg(found);
    // The first line is that of 0 %; how high 100 % is, the mark of 65 % tells.
    const auto line = picture.find("class=\"grid\"");
    const double bottom = std::stod(picture.substr(picture.find("y1=\"", line) + 4));
    const auto at = marks(picture, "greedy", "cy");
    const double whole = (bottom - at[2]) / 0.65;
    EXPECT_GT(whole, 100);
    const auto low = marks(picture, "greedy", "y1");
    const auto high = marks(picture, "greedy", "y2");
    for (std::size_t v = 0; v < 3; ++v) {
        const Balance& balance = found.against[0][v];
        EXPECT_NEAR(bottom - at[v], whole * balance.score(), 0.2);
        EXPECT_NEAR(bottom - low[v], whole * balance.interval().low, 0.2);
        EXPECT_NEAR(bottom - high[v], whole * balance.interval().high, 0.2);
    }
}

TEST(Curves, ValuesStandWhereTheyBelong) {
    Plan equal = swept_plan();
    equal.sweep->values = {0, 50, 100};
    const auto even = marks(svg(curves(equal, matches())), "all", "cx");
    ASSERT_EQ(even.size(), 3U);
    EXPECT_NEAR(even[1] - even[0], even[2] - even[1], 0.2);
    Plan uneven = swept_plan();
    uneven.sweep->values = {0, 25, 100};
    const auto quarter = marks(svg(curves(uneven, matches())), "all", "cx");
    EXPECT_NEAR(3 * (quarter[1] - quarter[0]), quarter[2] - quarter[1], 0.4);
    // Over many powers of ten by their logarithms.
    Plan powers = swept_plan();
    powers.sweep->values = {1, 100, 10000};
    const auto steps = marks(svg(curves(powers, matches())), "all", "cx");
    EXPECT_NEAR(steps[1] - steps[0], steps[2] - steps[1], 0.2);
}

TEST(Curves, ThePageIsWellFormedAndNeedsNothingElse) {
    const auto played = matches();
    const std::string page = html(curves(swept_plan(), played), standings(played), "A " + nasty_label,
                                  "{\"plan\": \"" + nasty_label + "\"}");
    EXPECT_EQ(flaw(page), "");
    EXPECT_EQ(count(page, "<b>"), 0U);
    EXPECT_EQ(count(page, "<svg"), 3U);  // all games, and each of two
    EXPECT_EQ(count(page, "<svg"), count(page, "role=\"img\" aria-label="));
    EXPECT_EQ(count(page, "<table>"), 2U);
    EXPECT_EQ(count(page, "prefers-color-scheme: dark"), 1U);
    EXPECT_EQ(count(page, "http"), count(page, "xmlns=\"http://www.w3.org/"));
}

TEST(Curves, ManyOpponentsGetDashes) {
    Plan many = swept_plan();
    for (int i = 0; i < 8; ++i) many.players.push_back("random");
    const std::string picture = svg(curves(many, matches()));
    EXPECT_EQ(flaw(picture), "");
    EXPECT_EQ(count(picture, "<g class=\"series1\">"), 1U);
    EXPECT_EQ(count(picture, "<g class=\"series1 dashed\">"), 1U);
    EXPECT_EQ(count(picture, "<g class=\"all\">"), 1U);
}

}  // namespace
}  // namespace zermelo::arena
