// Standings: scores, ratings and times of the players of a tournament.
//
// Only matches with a result count. A seat gets points by the other seats' goals: 1 for each that it beats, a
// half for each that it ties with, as a mean over them; so with two seats a win is 1, a draw a half, a loss
// 0. Where there is only one seat, its points are goal / 100.
//
// A seat wins where its goal is greater than all others (alone: where it is 100), draws where it shares the
// greatest goal, and loses otherwise.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "arena/ratings.hpp"
#include "arena/record.hpp"

namespace zermelo::arena {

// How often a player sat, and with what success. A player that meets itself sits twice in a match.
struct Tally {
    std::uint64_t seats = 0;
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    double points = 0;
    double goals = 0;  // their sum

    [[nodiscard]] double score() const { return mean(points); }  // points of a seat
    [[nodiscard]] double win_rate() const { return mean(static_cast<double>(wins)); }
    [[nodiscard]] double mean_goal() const { return mean(goals); }
    [[nodiscard]] Interval score_interval() const;
    [[nodiscard]] Interval win_rate_interval() const;

private:
    [[nodiscard]] double mean(double sum) const { return seats == 0 ? 0 : sum / static_cast<double>(seats); }
};

// Where numbers lie: the least, the greatest, and those that cut them into quarters.
struct Spread {
    std::size_t count = 0;  // where it is 0, the others mean nothing
    double least = 0;
    double quarter = 0;
    double median = 0;
    double three_quarters = 0;
    double greatest = 0;
};
[[nodiscard]] Spread spread(std::vector<double> values);

struct PlayerStanding {
    std::string player;
    Tally total;
    Rating rating;
    std::uint64_t moves = 0;
    std::uint64_t playouts = 0;
    std::uint64_t illegal = 0;
    std::uint64_t late = 0;
    double seconds = 0;
    Spread longest_move;  // of the seats: the longest move in a match
    Spread slack;         // of the seats: what was left on the clock at the tightest move of a match
    std::map<std::string, double> counters = {};  // what the player counted, over all seats

    [[nodiscard]] double mean_move() const;  // seconds; 0 without moves
    [[nodiscard]] double playouts_per_second() const;
};

struct Standings {
    std::vector<PlayerStanding> players;  // the greatest score first
    // Players against players, in that order. Each pair of seats in a match with k of them is a game of
    // weight 1 / (k - 1). A player does not meet itself here.
    PairTable points;
    PairTable games;
    std::vector<std::string> game_names;      // by name
    std::vector<std::vector<Tally>> by_game;  // [game][player]
    std::uint64_t matches = 0;                // with a result
    double seconds = 0;                       // that all matches took together
    std::vector<std::pair<std::uint64_t, std::string>>
        errors;  // numbers of matches without a result, and why
};

// The points of each seat of a match.
[[nodiscard]] std::vector<double> seat_points(const MatchResult& match);

[[nodiscard]] Standings standings(const std::vector<MatchResult>& results);

}  // namespace zermelo::arena
