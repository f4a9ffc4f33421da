// Pairwise comparisons: how one player did against another in one game.
//
// A match that two players share is one point for both together: the share of the first is the mean over all
// pairs of their seats, 1 for a greater goal, a half for an equal one; with more than half it has won. Where
// a game has one seat, or every player takes all of them, the matches that both played alone in a round count
// as one match between them.
//
// In a gauntlet the first player is compared with every other; in a sweep every value of the swept key is.

#pragma once

#include <optional>

#include "arena/report/layout.hpp"
#include "arena/tournament.hpp"

namespace zermelo::arena {

struct Balance {
    std::uint64_t matches = 0;  // with a result
    std::uint64_t wins = 0;
    std::uint64_t draws = 0;
    std::uint64_t losses = 0;
    double points = 0;

    void add(double share);
    Balance& operator+=(const Balance& other);
    [[nodiscard]] double score() const { return matches == 0 ? 0 : points / static_cast<double>(matches); }
    [[nodiscard]] Interval interval() const { return wilson(points, static_cast<double>(matches)); }
    [[nodiscard]] std::string text() const;  // 62 % (50 to 73 %)
};

// A sequential test that is told one match after another, in the order of their numbers. It looks after every
// second one, when both players had both seats, and what it has decided it does not take back.
class SequentialTest {
public:
    SequentialTest(const Sprt& sprt, std::uint64_t at_least) : sprt_(sprt), at_least_(at_least) {}

    void add(double share);
    [[nodiscard]] Sprt::Decision decision() const { return decision_; }

private:
    Sprt sprt_;
    std::uint64_t at_least_;
    Balance balance_;
    Sprt::Decision decision_ = Sprt::Decision::go_on;
};

struct Comparison {
    std::size_t game = 0;     // of the plan
    std::size_t player = 0;   // of the plan
    std::size_t against = 0;  // of the plan
    Balance balance = {};
    bool alone = false;                           // both played by themselves
    double goal = 0;                              // mean goal of the player's seats
    double goal_against = 0;                      // mean goal of the other's seats
    std::optional<Sprt::Decision> decision = {};  // where every comparison has a test of its own
};

// What the player got of the point that the two share. Nothing where they did not meet, or without a result.
[[nodiscard]] std::optional<double> share(const MatchResult& match, const std::string& player,
                                          const std::string& against);

// By game, then by player, then by opponent, all in the order of the plan; also those without matches. In a
// round robin only those of the first player.
[[nodiscard]] std::vector<Comparison> comparisons(const Plan& plan, const std::vector<MatchResult>& results);

// The first player against every other: a row for each game, a column for each opponent, scores with
// intervals. With sequential tests, also a table with a row for each of them.
[[nodiscard]] std::string text(const Plan& plan, const std::vector<Comparison>& comparisons,
                               const Speak& say = {});
[[nodiscard]] std::string markdown(const Plan& plan, const std::vector<Comparison>& comparisons);
[[nodiscard]] nlohmann::json json(const Plan& plan, const std::vector<Comparison>& comparisons);

}  // namespace zermelo::arena
