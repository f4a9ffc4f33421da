// Score: how good a position is for a player, an integer or one of −∞ and +∞.
//
// A won position is worth +∞, a lost one −∞, a draw 0. Payoffs between these keep their order: a point more
// or less than a draw is a hundred units of score, so that heuristics can be finer than payoffs.

#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <string>

#include "game/game.hpp"

namespace zermelo::game {

class Score {
public:
    constexpr Score() = default;  // a draw
    // Numbers beyond the range of a score become the largest or smallest finite one.
    constexpr explicit Score(std::int64_t number)
        : code_(static_cast<std::int32_t>(std::clamp<std::int64_t>(number, -largest, largest))) {}

    [[nodiscard]] static constexpr Score infinite() { return from_code(largest + 1); }
    [[nodiscard]] static constexpr Score of_payoff(int payoff) {
        if (payoff >= win) return infinite();
        if (payoff <= loss) return -infinite();
        return Score((payoff - draw) * per_point);
    }

    [[nodiscard]] constexpr bool finite() const { return code_ >= -largest && code_ <= largest; }
    [[nodiscard]] constexpr std::int32_t number() const { return code_; }  // when it is finite
    constexpr Score operator-() const { return from_code(-code_); }
    // The next greater score; not for +∞.
    [[nodiscard]] constexpr Score above() const { return from_code(code_ + 1); }
    friend constexpr auto operator<=>(const Score&, const Score&) = default;

    static constexpr std::int32_t per_point = 100;

private:
    static constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max() - 1;
    [[nodiscard]] static constexpr Score from_code(std::int32_t code) {
        Score score;
        score.code_ = code;
        return score;
    }

    std::int32_t code_ = 0;  // −∞ and +∞ are the codes next to the finite numbers
};

[[nodiscard]] inline std::string text(Score score) {
    if (score.finite()) return std::to_string(score.number());
    return score > Score() ? "+∞" : "-∞";
}

}  // namespace zermelo::game
