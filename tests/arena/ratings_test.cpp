// Intervals, Elo and sequential tests: published figures, and games simulated from known strengths.

#include "arena/ratings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/random.hpp"

namespace zermelo::arena {
namespace {

double uniform(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

PairTable table(std::size_t n) { return PairTable(n, std::vector<double>(n, 0)); }

void add_game(PairTable& points, PairTable& games, std::size_t i, std::size_t j, double of_i) {
    points[i][j] += of_i;
    points[j][i] += 1 - of_i;
    games[i][j] += 1;
    games[j][i] += 1;
}

TEST(Wilson, AgreesWithItsFormula) {
    // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    const auto near = [](Interval interval, double low, double high) {
        EXPECT_NEAR(interval.low, low, 5e-5);
        EXPECT_NEAR(interval.high, high, 5e-5);
    };
    near(wilson(81, 263), 0.2553, 0.3662);
    near(wilson(15, 148), 0.0624, 0.1605);
    near(wilson(0, 20), 0.0000, 0.1611);
    near(wilson(1, 29), 0.0061, 0.1718);
}

TEST(Wilson, StaysBetweenNothingAndAll) {
    EXPECT_EQ(wilson(0, 0).low, 0);
    EXPECT_EQ(wilson(0, 0).high, 1);
    for (const double games : {1.0, 2.5, 1000.0}) {
        EXPECT_EQ(wilson(0, games).low, 0);
        EXPECT_EQ(wilson(games, games).high, 1);
        EXPECT_LT(wilson(0, games).high, 1);
        EXPECT_GT(wilson(games, games).low, 0);
        EXPECT_NEAR(wilson(games / 2, games).low, 1 - wilson(games / 2, games).high, 1e-12);
    }
}

TEST(Wilson, CoversTheTruthNinetyFiveTimesOfAHundred) {
    Random random(3);
    int covered = 0;
    constexpr int runs = 4000;
    for (int run = 0; run < runs; ++run) {
        constexpr double truth = 0.7;
        int won = 0;
        for (int game = 0; game < 60; ++game) won += random.chance(truth) ? 1 : 0;
        const Interval interval = wilson(won, 60);
        covered += interval.low <= truth && truth <= interval.high ? 1 : 0;
    }
    EXPECT_NEAR(covered, 0.95 * runs, 0.02 * runs);
}

TEST(Ratings, FourHundredPointsAreTenToOne) {
    EXPECT_DOUBLE_EQ(expected_score(0), 0.5);
    EXPECT_NEAR(expected_score(400), 10.0 / 11, 1e-12);
    EXPECT_NEAR(expected_score(-400), 1.0 / 11, 1e-12);
    // So many games that the virtual ones do not count.
    const auto rated = ratings({{0, 1e6}, {1e5, 0}}, {{0, 1.1e6}, {1.1e6, 0}});
    EXPECT_NEAR(rated[0].elo - rated[1].elo, 400, 0.01);
    EXPECT_NEAR(rated[0].elo + rated[1].elo, 0, 1e-9);
}

TEST(Ratings, TheIntervalOfTwoPlayersIsThatOfTheirDifference) {
    // n even games say that the difference of log-odds has the variance 4 / n, each half of it a quarter.
    constexpr double n = 1e6;
    const auto rated = ratings({{0, n / 2}, {n / 2, 0}}, {{0, n}, {n, 0}});
    const double deviation = std::sqrt(4 / n) / 2 * 400 / std::log(10);
    EXPECT_NEAR(rated[0].interval.high, 1.959964 * deviation, 1e-5);
    EXPECT_NEAR(rated[0].interval.low, -1.959964 * deviation, 1e-5);
}

TEST(Ratings, ADrawIsHalfAWinAndHalfALoss) {
    PairTable drawn = table(2);
    PairTable shared = table(2);
    PairTable games = table(2);
    PairTable same_games = table(2);
    for (int i = 0; i < 10; ++i) add_game(drawn, games, 0, 1, i < 4 ? 1 : 0.5);
    for (int i = 0; i < 10; ++i) add_game(shared, same_games, 0, 1, i < 7 ? 1 : 0);
    EXPECT_NEAR(ratings(drawn, games)[0].elo, ratings(shared, same_games)[0].elo, 1e-9);
}

TEST(Ratings, AreFiniteForPlayersWhoWonOrLostEverything) {
    PairTable points = table(3);
    PairTable games = table(3);
    for (int i = 0; i < 50; ++i) {
        add_game(points, games, 0, 1, 1);
        add_game(points, games, 1, 2, 1);
        add_game(points, games, 0, 2, 1);
    }
    const auto rated = ratings(points, games);
    for (const Rating& rating : rated) {
        EXPECT_TRUE(rating.known());
        EXPECT_LT(rating.interval.low, rating.elo);
        EXPECT_GT(rating.interval.high, rating.elo);
    }
    EXPECT_GT(rated[0].elo, rated[1].elo + 200);
    EXPECT_GT(rated[1].elo, rated[2].elo + 200);
    EXPECT_LT(rated[0].elo, 3000);
}

TEST(Ratings, ComparesOnlyPlayersWhomGamesConnect) {
    PairTable points = table(5);
    PairTable games = table(5);
    for (int i = 0; i < 20; ++i) {
        add_game(points, games, 0, 3, i % 4 == 0 ? 0 : 1);
        add_game(points, games, 1, 4, i % 4 == 0 ? 1 : 0);
    }
    const auto rated = ratings(points, games);
    EXPECT_EQ(rated[0].group, rated[3].group);
    EXPECT_EQ(rated[1].group, rated[4].group);
    EXPECT_NE(rated[0].group, rated[1].group);
    EXPECT_NEAR(rated[0].elo + rated[3].elo, 0, 1e-9);
    EXPECT_NEAR(rated[1].elo + rated[4].elo, 0, 1e-9);
    EXPECT_NEAR(rated[0].elo, rated[4].elo, 1e-9);
    EXPECT_FALSE(rated[2].known());
    EXPECT_TRUE(rated[0].known());
    EXPECT_TRUE(ratings({}, {}).empty());
    EXPECT_THROW((void)ratings({{0, 1}}, {{0, 1}}), std::invalid_argument);
}

TEST(Ratings, RecoverKnownStrengthsAndCoverThem) {
    // Not everybody meets everybody, and not equally often.
    const std::vector<double> truth = {-310, -120, -40, 30, 140, 300};
    ASSERT_EQ(std::accumulate(truth.begin(), truth.end(), 0.0), 0);
    const std::size_t n = truth.size();
    Random random(7);
    constexpr int runs = 400;
    int covered = 0;
    std::vector<double> mean(n, 0);
    for (int run = 0; run < runs; ++run) {
        PairTable points = table(n);
        PairTable games = table(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = i + 1; j < n && j <= i + 3; ++j) {
                for (std::size_t game = 0; game < 20 + 10 * (i + j); ++game)
                    add_game(points, games, i, j, random.chance(expected_score(truth[i] - truth[j])) ? 1 : 0);
            }
        }
        const auto rated = ratings(points, games);
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            sum += rated[i].elo;
            mean[i] += rated[i].elo / runs;
            covered += rated[i].interval.low <= truth[i] && truth[i] <= rated[i].interval.high ? 1 : 0;
        }
        EXPECT_NEAR(sum, 0, 1e-6);
    }
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(mean[i], truth[i], 8) << i;
    const double all = runs * static_cast<double>(n);
    EXPECT_NEAR(covered, 0.95 * all, 0.02 * all);
}

// How often the test accepts H1 where the player is `elo` points stronger; `draws` in 0 … 1 says how many of
// the games that may be drawn are.
double accepted(const Sprt& test, double elo, double draws, int runs, std::uint64_t seed) {
    Random random(seed);
    const double score = expected_score(elo);
    const double drawn = draws * 2 * std::min(score, 1 - score);
    const double won = score - drawn / 2;
    int accepts = 0;
    for (int run = 0; run < runs; ++run) {
        double wins = 0;
        double draws_seen = 0;
        double losses = 0;
        auto decision = Sprt::Decision::go_on;
        while (decision == Sprt::Decision::go_on) {
            const double outcome = uniform(random);
            ++(outcome < won ? wins : outcome < won + drawn ? draws_seen : losses);
            decision = test.decide(wins, draws_seen, losses);
        }
        accepts += decision == Sprt::Decision::accept_h1 ? 1 : 0;
    }
    return static_cast<double>(accepts) / runs;
}

TEST(Sprt, ErrsAsOftenAsItMay) {
    constexpr int runs = 1000;
    for (const double draws : {0.0, 0.5}) {
        for (const Sprt test : {Sprt{0, 40}, Sprt{-30, 30}, Sprt{0, 40, 0.02, 0.2}}) {
            EXPECT_NEAR(accepted(test, test.elo0, draws, runs, 11), test.alpha, 0.025);
            EXPECT_NEAR(1 - accepted(test, test.elo1, draws, runs, 12), test.beta, 0.04);
        }
    }
    // What is beyond both hypotheses is seen almost surely.
    EXPECT_LT(accepted({0, 40}, -40, 0.5, runs, 13), 0.005);
    EXPECT_GT(accepted({0, 40}, 80, 0.5, runs, 14), 0.995);
}

TEST(Sprt, FollowsItsFormula) {
    const Sprt test{0, 10};
    EXPECT_EQ(test.llr(0, 0, 0), 0);
    EXPECT_EQ(test.decide(0, 0, 0), Sprt::Decision::go_on);
    // 10000 games, mean 0.515, variance 0.25 - 0.06 - 0.000225 (the games added for the variance are few).
    const double s1 = 1 / (1 + std::pow(10, -10 / 400.0));
    EXPECT_NEAR(test.llr(3950, 2400, 3650), 10000 * (s1 - 0.5) * (1.03 - 0.5 - s1) / (2 * 0.189775), 0.01);
    EXPECT_EQ(test.decide(3950, 2400, 3650), Sprt::Decision::accept_h1);
    EXPECT_EQ(test.decide(3650, 2400, 3950), Sprt::Decision::accept_h0);
    EXPECT_NEAR(test.bounds().high, std::log(19), 1e-12);
    EXPECT_NEAR(test.bounds().low, -std::log(19), 1e-12);
}

TEST(Sprt, DoesNotEndOnAFewEqualOutcomes) {
    const Sprt test{0, 10};
    for (const double games : {1.0, 5.0, 20.0}) {
        EXPECT_EQ(test.decide(games, 0, 0), Sprt::Decision::go_on);
        EXPECT_EQ(test.decide(0, games, 0), Sprt::Decision::go_on);
        EXPECT_EQ(test.decide(0, 0, games), Sprt::Decision::go_on);
    }
    EXPECT_TRUE(std::isfinite(test.llr(0, 1000, 0)));
    EXPECT_EQ(test.decide(1000, 0, 0), Sprt::Decision::accept_h1);
}

}  // namespace
}  // namespace zermelo::arena
