// Ratings: Wilson's score interval (1927), Elo ratings by maximum likelihood (Bradley and Terry 1952), and
// the sequential probability ratio test (Wald 1945).
//
// Each is computed from totals alone: the interval of a score, the strength of players who met in pairs, and
// whether a test of one player against another may stop. All intervals are 95 % intervals. A draw counts as
// half a point.

#pragma once

#include <cstddef>
#include <vector>

namespace zermelo::arena {

struct Interval {
    double low = 0;
    double high = 0;
};

// Where the expected share of points lies (in 0 … 1) after `score` points in `games` games. A game with draws
// varies less than one without, so with draws the interval is a little too wide. No games: 0 … 1.
[[nodiscard]] Interval wilson(double score, double games);

// The share of points that a player should get against one who is `elo` points weaker: 400 points are odds
// of ten to one.
[[nodiscard]] double expected_score(double elo);

// [i][j]: of player i against player j.
using PairTable = std::vector<std::vector<double>>;

struct Rating {
    double elo = 0;         // the mean over a group is 0
    Interval interval;      // unbounded for a player who met nobody
    std::size_t group = 0;  // players are comparable only within a group, which games connect

    [[nodiscard]] bool known() const;  // the player met somebody
};

// Elo by maximum likelihood (Bradley and Terry's model). `games` is symmetric, and points[i][j] +
// points[j][i] = games[i][j]; what is on the diagonals is not looked at.
//
// So that a player who won or lost everything has a finite rating, every player has played half a game more,
// a draw against an average opponent. The intervals come from the observed information at the maximum.
//
// In a match with k > 2 seats every pair of seats counts as a game between them with weight 1 / (k - 1), so
// that a match counts as one game for each of its players; the caller sees to that.
[[nodiscard]] std::vector<Rating> ratings(const PairTable& points, const PairTable& games);

// May a test stop? H0: the player is `elo0` points stronger than the other; H1: `elo1`, which is greater. The
// test accepts H1 although H0 is true with a probability of about `alpha`, and H0 although H1 is true with
// about `beta`, and needs far fewer games for that than a test of a fixed length. Where the two are more than
// 100 points apart, it decides after so few games that these are rough: up to twice as much.
struct Sprt {
    enum class Decision { go_on, accept_h0, accept_h1 };

    double elo0 = 0;
    double elo1 = 0;
    double alpha = 0.05;
    double beta = 0.05;

    // The logarithm of how much likelier H1 makes the results than H0, by the generalised test on wins, draws
    // and losses: the variance of a game is estimated from the games themselves.
    [[nodiscard]] double llr(double wins, double draws, double losses) const;
    [[nodiscard]] Interval bounds() const;  // the test goes on while llr() is between them
    [[nodiscard]] Decision decide(double wins, double draws, double losses) const;
};

}  // namespace zermelo::arena
