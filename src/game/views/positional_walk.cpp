#include "game/views/positional_walk.hpp"

#include <algorithm>
#include <array>

namespace zermelo::game {

using gdl::Spots;

Peek PositionalWalk::peek(std::size_t move, Player whose) {
    const std::size_t spot = stepper_.spot_at(move);
    const std::size_t mover = stepper_.mover();
    Peek seen{stepper_.key_after(spot), static_cast<std::uint32_t>(spot)};
    Spots completed = 0;
    stepper_.completed_by(Spots{1} << spot, &completed);
    seen.threats = std::popcount(completed);
    seen.lines = static_cast<int>(stepper_.game().lines(mover).lines_through(spot));
    stepper_.claim(spot, completed);
    seen.over = stepper_.end() != End::none;
    if (seen.over) seen.payoff = stepper_.payoff(whose);
    stepper_.undo();
    return seen;
}

// A role that has no line left cannot complete one.
std::pair<int, int> PositionalWalk::payoff_bounds(Player player) const {
    const gdl::PositionalRules& rules = stepper_.game().rules();
    int low = rules.full_payoffs[player];
    int high = low;
    for (std::size_t r = 0; r < 2; ++r) {
        if (!stepper_.may_complete(r)) continue;
        low = std::min(low, rules.line_payoffs[r][player]);
        high = std::max(high, rules.line_payoffs[r][player]);
    }
    return {low, high};
}

std::optional<bool> PositionalWalk::look_ahead(Player player, int payoff) {
    const gdl::PositionalRules& rules = stepper_.game().rules();
    const std::size_t mover = stepper_.mover();
    const std::size_t other = 1 - mover;
    const bool ours = mover == player;
    const auto suits_mover = [&](const gdl::PositionalRules::Payoffs& payoffs) {
        return (payoffs[player] >= payoff) == ours;
    };
    const bool by_line = suits_mover(rules.line_payoffs[mover]);
    const bool by_theirs = suits_mover(rules.line_payoffs[other]);
    const bool by_full = suits_mover(rules.full_payoffs);
    const Spots available = stepper_.available();
    const Spots lines_now = stepper_.completing(mover) & available;
    if (lines_now != 0 && by_line) return ours;
    Spots moves = available & ~lines_now;
    if (!by_theirs) {
        // A line that the opponent could complete now has to be prevented, and no other made possible.
        const Spots completing = stepper_.completing(other);
        const Spots threats = completing & available;
        if ((threats & (threats - 1)) != 0) return !ours;
        if (threats != 0) moves &= threats;
        for (Spots rest = moves; rest != 0; rest &= rest - 1) {
            const auto spot = static_cast<std::size_t>(std::countr_zero(rest));
            if ((stepper_.opened_by(spot) & completing) != 0) moves &= ~(Spots{1} << spot);
        }
    }
    if (moves == 0) return !ours;
    const Spots open = stepper_.open();
    if ((open & (open - 1)) == 0) return by_full == ours;
    // Only a line can end the game otherwise than a full board does.
    const bool mover_matters = by_line != by_full && stepper_.may_complete(mover);
    const bool other_matters = by_theirs != by_full && (mover_matters || stepper_.may_complete(other));
    if (!mover_matters && !other_matters) return by_full == ours;
    // Pairs of spots: can the opponent hold the mover now, or the mover the opponent after one of the moves?
    const bool lines_suit_those_who_complete_them = by_line && !by_theirs;
    if (lines_suit_those_who_complete_them && stepper_.mover_is_held(by_full)) return !ours;
    std::array<Spots, gdl::PositionalRules::most_spots> completed;
    stepper_.completed_by(moves, completed.data());
    std::size_t next = 0;
    for (Spots rest = moves; rest != 0; rest &= rest - 1) {
        const auto spot = static_cast<std::size_t>(std::countr_zero(rest));
        completed_[spot] = completed[next++];
        if (lines_suit_those_who_complete_them && stepper_.claim_holds(spot, completed_[spot], !by_full))
            return ours;
    }
    worthwhile_ = moves;
    return std::nullopt;
}

void PositionalWalk::list(std::vector<Candidate>& candidates) const {
    candidates.clear();
    gdl::each_spot(worthwhile_, [&](std::size_t spot) {
        candidates.push_back({static_cast<std::uint32_t>(stepper_.place_of(spot)),
                              static_cast<std::uint32_t>(spot), 0, stepper_.key_after(spot), 0});
    });
}

// Where the mover could complete lines afterwards counts most, then in how many lines the spot lies.
void PositionalWalk::weigh(std::vector<Candidate>& candidates) const {
    constexpr std::int32_t completing_bonus = 100'000;
    constexpr std::int32_t line_bonus = 1'000;
    const std::size_t mover = stepper_.mover();
    const Spots before = stepper_.completing(mover);
    for (Candidate& candidate : candidates) {
        candidate.note = completed_[candidate.effect];
        const Spots own = Spots{1} << candidate.effect;
        candidate.score = completing_bonus * std::popcount((before | candidate.note) & ~own) +
                          line_bonus * static_cast<std::int32_t>(
                                           stepper_.game().lines(mover).lines_through(candidate.effect));
    }
}

}  // namespace zermelo::game
