// Standings: points, wins and totals of matches that can be counted by hand.

#include "arena/standings.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace zermelo::arena {
namespace {

SeatResult seat(const std::string& player, int goal) {
    SeatResult result;
    result.role = "role";
    result.player = player;
    result.goal = goal;
    return result;
}

MatchResult match(const std::string& game, std::vector<SeatResult> seats) {
    MatchResult result;
    result.game = game;
    result.seats = std::move(seats);
    return result;
}

const PlayerStanding& of(const Standings& table, const std::string& name) {
    for (const PlayerStanding& player : table.players) {
        if (player.player == name) return player;
    }
    throw std::runtime_error("no player " + name);
}

std::size_t place(const Standings& table, const std::string& name) {
    return static_cast<std::size_t>(&of(table, name) - table.players.data());
}

double points(const Standings& table, const std::string& player, const std::string& against) {
    return table.points[place(table, player)][place(table, against)];
}
double games(const Standings& table, const std::string& player, const std::string& against) {
    return table.games[place(table, player)][place(table, against)];
}

using Points = std::vector<double>;

TEST(Standings, PointsOfASeatAreTheShareOfOthersThatItBeats) {
    EXPECT_EQ(seat_points(match("g", {seat("a", 100), seat("b", 0)})), (Points{1, 0}));
    EXPECT_EQ(seat_points(match("g", {seat("a", 50), seat("b", 50)})), (Points{0.5, 0.5}));
    EXPECT_EQ(seat_points(match("g", {seat("a", 30), seat("b", 31)})), (Points{0, 1}));
    EXPECT_EQ(seat_points(match("g", {seat("a", 40), seat("b", 40), seat("c", 20)})),
              (Points{0.75, 0.75, 0}));
    EXPECT_EQ(seat_points(match("g", {seat("a", 0), seat("b", 100), seat("c", 50)})), (Points{0, 1, 0.5}));
    EXPECT_EQ(seat_points(match("g", {seat("a", 35)})), (Points{0.35}));
    EXPECT_TRUE(seat_points(match("g", {})).empty());
}

TEST(Standings, CountsWinsDrawsAndLosses) {
    const Standings table = standings({
        match("duel", {seat("a", 100), seat("b", 0)}),                 // a won
        match("duel", {seat("b", 50), seat("a", 50)}),                 // drawn
        match("trio", {seat("a", 40), seat("b", 40), seat("c", 20)}),  // a, b drawn; c lost
        match("trio", {seat("a", 10), seat("b", 10), seat("c", 20)}),  // c won
        match("trio", {seat("a", 0), seat("b", 50), seat("c", 100)}),  // c won
        match("alone", {seat("a", 100)}),                              // won
        match("alone", {seat("a", 99)}),                               // lost
    });
    EXPECT_EQ(table.matches, 7U);
    const Tally& a = of(table, "a").total;
    EXPECT_EQ((std::vector{a.seats, a.wins, a.draws, a.losses}), (std::vector<std::uint64_t>{7, 2, 2, 3}));
    EXPECT_DOUBLE_EQ(a.points, 1 + 0.5 + 0.75 + 0.25 + 0 + 1 + 0.99);
    EXPECT_DOUBLE_EQ(a.mean_goal(), (100 + 50 + 40 + 10 + 0 + 100 + 99) / 7.0);
    EXPECT_DOUBLE_EQ(a.score(), a.points / 7);
    EXPECT_DOUBLE_EQ(a.win_rate(), 2 / 7.0);
    EXPECT_DOUBLE_EQ(a.score_interval().low, wilson(a.points, 7).low);
    EXPECT_DOUBLE_EQ(a.win_rate_interval().high, wilson(2, 7).high);
    const Tally& b = of(table, "b").total;
    EXPECT_EQ((std::vector{b.seats, b.wins, b.draws, b.losses}), (std::vector<std::uint64_t>{5, 0, 2, 3}));
    const Tally& c = of(table, "c").total;
    EXPECT_EQ((std::vector{c.seats, c.wins, c.draws, c.losses}), (std::vector<std::uint64_t>{3, 2, 0, 1}));

    EXPECT_EQ(table.game_names, (std::vector<std::string>{"alone", "duel", "trio"}));
    const Tally& a_in_trio = table.by_game[2][place(table, "a")];
    EXPECT_EQ(a_in_trio.seats, 3U);
    EXPECT_DOUBLE_EQ(a_in_trio.points, 1);
    EXPECT_EQ(table.by_game[0][place(table, "c")].seats, 0U);
}

TEST(Standings, AMatchOfManyCountsAsOneGameForEach) {
    const Standings table = standings({
        match("trio", {seat("a", 40), seat("b", 40), seat("c", 20)}),
        match("duel", {seat("a", 0), seat("c", 100)}),
    });
    EXPECT_DOUBLE_EQ(games(table, "a", "b"), 0.5);
    EXPECT_DOUBLE_EQ(games(table, "a", "c"), 1.5);
    EXPECT_DOUBLE_EQ(points(table, "a", "b"), 0.25);
    EXPECT_DOUBLE_EQ(points(table, "a", "c"), 0.5);
    EXPECT_DOUBLE_EQ(points(table, "c", "a"), 1);
    for (const PlayerStanding& player : table.players) {
        double sum = 0;
        for (const PlayerStanding& other : table.players) sum += points(table, player.player, other.player);
        EXPECT_DOUBLE_EQ(sum, player.total.points) << player.player;
    }
}

TEST(Standings, APlayerDoesNotMeetItself) {
    const Standings table = standings({
        match("duel", {seat("a", 100), seat("a", 0)}),
        match("trio", {seat("a", 100), seat("a", 0), seat("b", 50)}),
    });
    EXPECT_EQ(games(table, "a", "a"), 0);
    EXPECT_EQ(points(table, "a", "a"), 0);
    EXPECT_DOUBLE_EQ(games(table, "a", "b"), 1);
    EXPECT_DOUBLE_EQ(points(table, "a", "b"), 0.5);
    EXPECT_EQ(of(table, "a").total.seats, 4U);
    EXPECT_EQ(of(table, "a").total.wins, 2U);
    EXPECT_NEAR(of(table, "a").rating.elo, 0, 1e-9);
}

TEST(Standings, OrdersPlayersByScoreAndTablesLikeThem) {
    const Standings table = standings({
        match("duel", {seat("a", 0), seat("b", 100)}),
        match("duel", {seat("b", 0), seat("c", 100)}),
        match("duel", {seat("c", 100), seat("a", 0)}),
        match("alone", {seat("d", 50)}),
    });
    std::vector<std::string> names;
    for (const PlayerStanding& player : table.players) names.push_back(player.player);
    EXPECT_EQ(names, (std::vector<std::string>{"c", "b", "d", "a"}));
    EXPECT_EQ(points(table, "c", "b"), 1);
    EXPECT_EQ(points(table, "b", "a"), 1);
    EXPECT_EQ(points(table, "a", "c"), 0);
    EXPECT_EQ(games(table, "a", "c"), 1);
    EXPECT_EQ(table.by_game[0][place(table, "d")].seats, 1U);
    EXPECT_GT(of(table, "c").rating.elo, of(table, "b").rating.elo);
    EXPECT_GT(of(table, "b").rating.elo, of(table, "a").rating.elo);
    EXPECT_FALSE(of(table, "d").rating.known());
}

TEST(Standings, LeavesOutMatchesWithoutAResult) {
    MatchResult broken = match("duel", {seat("z", 100), seat("a", 0)});
    broken.match = 9;
    broken.error = "no answer";
    const Standings table = standings({match("duel", {seat("a", 50), seat("b", 50)}), broken});
    EXPECT_EQ(table.matches, 1U);
    EXPECT_EQ(table.players.size(), 2U);
    EXPECT_EQ(of(table, "a").total.seats, 1U);
    ASSERT_EQ(table.errors.size(), 1U);
    EXPECT_EQ(table.errors[0].first, 9U);
    EXPECT_EQ(table.errors[0].second, "no answer");
    EXPECT_TRUE(standings({}).players.empty());
}

TEST(Standings, SumsUpMovesAndTimes) {
    constexpr double no_clock = std::numeric_limits<double>::infinity();
    std::vector<MatchResult> matches;
    for (int i = 1; i <= 5; ++i) {
        SeatResult a = seat("a", 100);
        a.moves = 10;
        a.playouts = 1000;
        a.illegal = 1;
        a.late = 2;
        a.seconds = 4;
        a.longest_move = i;
        a.slack_least = i == 3 ? no_clock : 10.0 - i;
        matches.push_back(match("duel", {a, seat("b", 0)}));
        matches.back().seconds = 5;
    }
    const Standings table = standings(matches);
    EXPECT_DOUBLE_EQ(table.seconds, 25);
    const PlayerStanding& a = of(table, "a");
    EXPECT_EQ(a.moves, 50U);
    EXPECT_EQ(a.playouts, 5000U);
    EXPECT_EQ(a.illegal, 5U);
    EXPECT_EQ(a.late, 10U);
    EXPECT_DOUBLE_EQ(a.mean_move(), 0.4);
    EXPECT_DOUBLE_EQ(a.playouts_per_second(), 250);
    EXPECT_DOUBLE_EQ(a.longest_move.least, 1);
    EXPECT_DOUBLE_EQ(a.longest_move.quarter, 2);
    EXPECT_DOUBLE_EQ(a.longest_move.median, 3);
    EXPECT_DOUBLE_EQ(a.longest_move.three_quarters, 4);
    EXPECT_DOUBLE_EQ(a.longest_move.greatest, 5);
    EXPECT_EQ(a.slack.count, 4U);
    EXPECT_DOUBLE_EQ(a.slack.least, 5);
    EXPECT_DOUBLE_EQ(a.slack.greatest, 9);
    // b never moved: it has no times.
    EXPECT_EQ(of(table, "b").longest_move.count, 0U);
    EXPECT_EQ(of(table, "b").mean_move(), 0);
    EXPECT_EQ(of(table, "b").playouts_per_second(), 0);
}

TEST(Standings, ASpreadLiesBetweenNeighbours) {
    const Spread four = spread({4, 1, 3, 2});
    EXPECT_DOUBLE_EQ(four.quarter, 1.75);
    EXPECT_DOUBLE_EQ(four.median, 2.5);
    EXPECT_DOUBLE_EQ(four.three_quarters, 3.25);
    const Spread one = spread({7});
    EXPECT_DOUBLE_EQ(one.least, 7);
    EXPECT_DOUBLE_EQ(one.median, 7);
    EXPECT_DOUBLE_EQ(one.greatest, 7);
    EXPECT_EQ(spread({}).count, 0U);
}

}  // namespace
}  // namespace zermelo::arena
