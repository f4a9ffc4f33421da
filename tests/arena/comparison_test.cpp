// Comparisons: points between two players are counted by hand here, sequential tests neither look at a half
// of a pair of matches nor change their mind, and the tables say what was counted.

#include "arena/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "arena/standings.hpp"
#include "core/random.hpp"

namespace zermelo::arena {
namespace {

MatchResult scored_match(std::uint64_t number, const std::string& game,
                         const std::vector<std::pair<std::string, int>>& seats) {
    MatchResult result;
    result.match = number;
    result.game = game;
    for (const auto& [player, goal] : seats) {
        result.seats.emplace_back().player = player;
        result.seats.back().goal = goal;
    }
    return result;
}

Plan plan_of(std::vector<std::string> games, std::vector<std::string> players) {
    Plan plan;
    plan.games = std::move(games);
    plan.players = std::move(players);
    plan.form = Form::gauntlet;
    return plan;
}

TEST(Share, IsTheMeanOverPairsOfSeats) {
    EXPECT_EQ(share(scored_match(0, "g", {{"a", 100}, {"b", 0}}), "a", "b"), 1);
    EXPECT_EQ(share(scored_match(0, "g", {{"b", 100}, {"a", 0}}), "a", "b"), 0);
    EXPECT_EQ(share(scored_match(0, "g", {{"b", 50}, {"a", 50}}), "a", "b"), 0.5);
    // One of two seats beats both of the others', the other one ties with both.
    EXPECT_EQ(share(scored_match(0, "g", {{"a", 100}, {"b", 0}, {"a", 0}, {"b", 0}}), "a", "b"), 0.75);
    EXPECT_EQ(share(scored_match(0, "g", {{"a", 100}, {"b", 0}}), "a", "c"), std::nullopt);
    MatchResult broken = scored_match(0, "g", {{"a", 100}, {"b", 0}});
    broken.error = "lost";
    EXPECT_EQ(share(broken, "a", "b"), std::nullopt);
}

TEST(SequentialTests, LookOnlyWhenBothHadBothSeats) {
    int would_have_been_odd = 0;
    for (int elo = 10; elo <= 100; elo += 5) {
        const Sprt sprt{0, static_cast<double>(elo)};
        int first = 1;  // after so many wins a test that always looks would end
        while (sprt.decide(first, 0, 0) == Sprt::Decision::go_on) ++first;
        would_have_been_odd += first % 2;
        SequentialTest test(sprt, 0);
        int wins = 0;
        while (test.decision() == Sprt::Decision::go_on) {
            ASSERT_LT(wins, 1000);
            test.add(1);
            ++wins;
        }
        EXPECT_EQ(wins, first + first % 2);
        EXPECT_EQ(test.decision(), Sprt::Decision::accept_h1);
        for (int i = 0; i < 1000; ++i) test.add(0);
        EXPECT_EQ(test.decision(), Sprt::Decision::accept_h1) << "it changed its mind";
    }
    EXPECT_GT(would_have_been_odd, 0);
}

TEST(SequentialTests, WaitForTheLeastNumber) {
    for (const std::uint64_t least : {1, 31, 40}) {
        SequentialTest test({0, 100}, least);
        for (std::uint64_t i = 0; i < least; ++i) {
            EXPECT_EQ(test.decision(), Sprt::Decision::go_on) << i << " of " << least;
            test.add(0);
        }
        for (int i = 0; i < 40; ++i) test.add(0);
        EXPECT_EQ(test.decision(), Sprt::Decision::accept_h0);
    }
}

TEST(Comparisons, CountWhatHappened) {
    const Plan plan = plan_of({"one.kif", "two.kif"}, {"uct", "greedy", "random"});
    const std::vector<MatchResult> results = {
        scored_match(0, "two.kif", {{"uct", 100}, {"greedy", 0}}),
        scored_match(1, "two.kif", {{"greedy", 50}, {"uct", 50}}),
        scored_match(2, "two.kif", {{"uct", 0}, {"random", 100}}),
        scored_match(3, "two.kif", {{"greedy", 0}, {"random", 100}}),  // not of the first player
        scored_match(4, "elsewhere.kif", {{"uct", 0}, {"random", 100}})};
    const auto all = comparisons(plan, results);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[0].balance.matches, 0U);
    EXPECT_EQ(all[1].balance.matches, 0U);
    EXPECT_EQ(all[2].game, 1U);
    EXPECT_EQ(all[2].against, 1U);
    EXPECT_EQ(all[2].balance.matches, 2U);
    EXPECT_EQ(all[2].balance.wins, 1U);
    EXPECT_EQ(all[2].balance.draws, 1U);
    EXPECT_EQ(all[2].balance.losses, 0U);
    EXPECT_EQ(all[2].balance.points, 1.5);
    EXPECT_EQ(all[2].goal, 75);
    EXPECT_EQ(all[2].goal_against, 25);
    EXPECT_EQ(all[2].decision, std::nullopt);
    EXPECT_EQ(all[3].balance.matches, 1U);
    EXPECT_EQ(all[3].balance.losses, 1U);
    EXPECT_EQ(all[3].balance.score(), 0);
}

TEST(Comparisons, WhoPlaysAloneIsComparedRoundByRound) {
    const Plan plan = plan_of({"alone.kif"}, {"uct", "greedy", "random"});
    // Three rounds: better, worse, and a round in which one has no result.
    std::vector<MatchResult> results;
    const int goals[3][3] = {{100, 50, 100}, {0, 50, 0}, {100, 0, 0}};
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (std::uint64_t p = 0; p < 3; ++p)
            results.push_back(scored_match(3 * round + p, "alone.kif", {{plan.players[p], goals[round][p]}}));
    }
    results[7].error = "lost";
    const auto all = comparisons(plan, results);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_TRUE(all[0].alone);
    EXPECT_EQ(all[0].balance.matches, 2U);
    EXPECT_EQ(all[0].balance.wins, 1U);
    EXPECT_EQ(all[0].balance.losses, 1U);
    EXPECT_EQ(all[0].goal, 50);
    EXPECT_EQ(all[0].goal_against, 50);
    EXPECT_EQ(all[1].balance.matches, 3U);
    EXPECT_EQ(all[1].balance.draws, 2U);
    EXPECT_EQ(all[1].balance.points, 2);
}

TEST(Comparisons, OfASweepAreThoseOfAllItsValues) {
    Plan plan = plan_of({"g.kif"}, {"uct:exploration=0", "uct:exploration=1", "random", "greedy"});
    plan.sweep = Sweep{"uct", "exploration", {0, 1}};
    const auto all =
        comparisons(plan, {scored_match(0, "g.kif", {{"uct:exploration=1", 100}, {"random", 0}}),
                           scored_match(1, "g.kif", {{"greedy", 100}, {"uct:exploration=0", 0}})});
    ASSERT_EQ(all.size(), 4U);
    for (const Comparison& one : all) {
        const bool met = (one.player == 1) == (one.against == 2);
        EXPECT_EQ(one.balance.matches, met ? 1U : 0U);
        EXPECT_EQ(one.balance.points, met && one.player == 1 ? 1 : 0);
    }
}

TEST(Comparisons, AgreeWithTheStandings) {
    Random random(3);
    const Plan plan = plan_of({"a.kif", "b.kif"}, {"uct", "greedy", "random"});
    std::vector<MatchResult> results;
    for (std::uint64_t i = 0; i < 400; ++i) {
        const std::string other = plan.players[1 + random.below(2)];
        const int goal = 50 * static_cast<int>(random.below(3));
        results.push_back(random.below(2) == 0
                              ? scored_match(i, "a.kif", {{"uct", goal}, {other, 100 - goal}})
                              : scored_match(i, "b.kif", {{other, 100 - goal}, {"uct", goal}}));
    }
    const Standings table = standings(results);
    const auto place = [&table](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(table.players, name, &PlayerStanding::player) -
                                        table.players.begin());
    };
    const auto all = comparisons(plan, results);
    for (std::size_t against : {1U, 2U}) {
        Balance total;
        for (const Comparison& one : all) {
            if (one.against == against) total += one.balance;
        }
        const std::size_t them = place(plan.players[against]);
        EXPECT_DOUBLE_EQ(static_cast<double>(total.matches), table.games[place("uct")][them]);
        EXPECT_DOUBLE_EQ(total.points, table.points[place("uct")][them]);
        EXPECT_EQ(total.wins + total.draws + total.losses, total.matches);
    }
}

TEST(Comparisons, TablesAreExactlyThese) {
    Plan plan = plan_of({"games/duel.kif", "games/alone.kif"}, {"uct", "greedy", "random:label=a|b"});
    const std::vector<MatchResult> results = {
        scored_match(0, "games/duel.kif", {{"uct", 100}, {"greedy", 0}}),
        scored_match(1, "games/duel.kif", {{"greedy", 50}, {"uct", 50}}),
        scored_match(2, "games/duel.kif", {{"uct", 100}, {"a|b", 0}}),
        scored_match(3, "games/alone.kif", {{"uct", 100}}),
        scored_match(4, "games/alone.kif", {{"greedy", 75}})};
    EXPECT_EQ(text(plan, comparisons(plan, results)),
              R"(Scores of uct against each other player, with 95 % intervals
  Game                                         greedy                   a|b
  duel                              75 % (20 to 97 %)   100 % (21 to 100 %)
  alone       100 % (21 to 100 %), goals 100.0 : 75.0                     –
  all games                         83 % (31 to 98 %)   100 % (21 to 100 %)
)");
    plan.sprt = Sprt{0, 50};
    plan.at_least = 2;
    EXPECT_EQ(markdown(plan, comparisons(plan, results)),
              R"(Scores of uct against each other player, with 95 % intervals:

| Game | greedy | a\|b |
|---|---:|---:|
| duel | 75 % (20 to 97 %) | 100 % (21 to 100 %) |
| alone | 100 % (21 to 100 %), goals 100.0 : 75.0 | – |

Sequential tests of uct: H0, 0 Elo stronger; H1, 50 Elo stronger; errors of 5 and 5 %:

| Game | Against | Verdict | Matches | Won | Drawn | Lost | Score | 95 % |
|---|---|---|---:|---:|---:|---:|---:|---:|
| duel | greedy | open | 2 | 1 | 1 | 0 | 75 % | 20 to 97 % |
| duel | a\|b | open | 1 | 1 | 0 | 0 | 100 % | 21 to 100 % |
| alone | greedy | open | 1 | 1 | 0 | 0 | 100 % | 21 to 100 % |
| alone | a\|b | open | 0 | 0 | 0 | 0 | – | – |
)");
}

TEST(Comparisons, JsonTellsTheVerdict) {
    Plan plan = plan_of({"duel.kif"}, {"uct", "greedy", "random"});
    std::vector<MatchResult> results;
    for (std::uint64_t i = 0; i < 60; ++i) {
        results.push_back(scored_match(2 * i, "duel.kif", {{"uct", 100}, {"random", 0}}));
        results.push_back(scored_match(2 * i + 1, "duel.kif", {{"uct", 0}, {"greedy", 100}}));
    }
    const auto without = json(plan, comparisons(plan, results));
    EXPECT_FALSE(without[0].contains("sprt"));
    plan.sprt = Sprt{0, 50};
    const auto with = json(plan, comparisons(plan, results));
    ASSERT_EQ(with.size(), 2U);
    EXPECT_EQ(with[0]["against"], "greedy");
    EXPECT_EQ(with[0]["sprt"]["verdict"], "H0");
    EXPECT_LT(with[0]["sprt"]["llr"].get<double>(), 0);
    EXPECT_EQ(with[1]["sprt"]["verdict"], "H1");
    EXPECT_EQ(with[1]["matches"], 60);
    EXPECT_EQ(with[1]["score"]["value"], 1);
    EXPECT_DOUBLE_EQ(with[1]["score"]["low"].get<double>(), wilson(60, 60).low);
    EXPECT_EQ(with[1]["mean_goals"], nlohmann::json({100.0, 0.0}));
    plan.at_least = 100;
    EXPECT_EQ(json(plan, comparisons(plan, results))[1]["sprt"]["verdict"], "open");
}

TEST(Comparisons, GamesWithOneNameKeepTheirFolders) {
    EXPECT_EQ(game_titles({"a/nim.kif", "b/nim.kif", "c/hex.kif"}),
              (std::vector<std::string>{"a/nim.kif", "b/nim.kif", "hex"}));
}

}  // namespace
}  // namespace zermelo::arena
