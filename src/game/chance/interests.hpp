// What the players of a game with chance want, read off its outcomes.
//
// `shared`: one player, or several who always get the same: they maximise together. `opposed`: two whose
// payoffs always add up to the same: one maximises what the other minimises. `own`: everybody else; each
// maximises the own expected payoff by backward induction.
//
// A play that never ends pays 50 to each of several players and nothing to one who is alone (game.hpp); to
// two with opposite interests, half of what their payoffs add up to, which is 50 where that is 100.

#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/format/rational.hpp"
#include "game/game.hpp"

namespace zermelo::game {

enum class Interests : std::uint8_t { shared, opposed, own };

[[nodiscard]] inline Interests interests_of(std::size_t players,
                                            const std::vector<std::vector<int>>& outcomes) {
    const auto same = [](const std::vector<int>& payoffs) {
        return std::ranges::all_of(payoffs, [&](int payoff) { return payoff == payoffs.front(); });
    };
    if (players == 1 || std::ranges::all_of(outcomes, same)) return Interests::shared;
    const auto sum = [](const std::vector<int>& payoffs) { return payoffs[0] + payoffs[1]; };
    if (players == 2 && std::ranges::all_of(outcomes, [&](const auto& payoffs) {
            return sum(payoffs) == sum(outcomes.front());
        }))
        return Interests::opposed;
    return Interests::own;
}

// What the two players' payoffs add up to, where their interests are opposite.
[[nodiscard]] inline int sum_of_payoffs(const std::vector<std::vector<int>>& outcomes) {
    return outcomes.empty() ? win : outcomes.front()[0] + outcomes.front()[1];
}

// Twice what endless play pays to the first player: a whole number.
[[nodiscard]] inline int twice_endless(Interests interests, std::size_t players,
                                       const std::vector<std::vector<int>>& outcomes) {
    return interests == Interests::opposed ? sum_of_payoffs(outcomes) : 2 * endless_payoff(players);
}

}  // namespace zermelo::game
