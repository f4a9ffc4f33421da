// A glimpse of where a move leads, without going there where the walk knows how.

#pragma once

#include "game/step.hpp"

namespace zermelo::game {

struct Glimpse {
    Hash128 key;
    std::uint32_t effect = 0;  // names the move across positions
    bool over = false;
    int payoff = 0;   // of the player that was asked for, when it is over
    int threats = 0;  // of the mover, after the move
};

template <class W>
concept Glimpses = requires(W walk, std::size_t move, Player player) {
    { walk.glimpse(move, player) } -> std::same_as<Glimpse>;
};

// The least and the greatest payoff that a player can still get, as far as the walk can prove it.
template <class W>
concept Foresees = requires(W walk, Player player) {
    { walk.prospects(player) } -> std::same_as<std::pair<int, int>>;
};

template <Walk W>
[[nodiscard]] Glimpse glimpse(W& walk, std::size_t move, Player player) {
    if constexpr (Glimpses<W>) {
        return walk.glimpse(move, player);
    } else {
        Glimpse seen{};
        seen.effect = walk.move_id(move);
        const Step<W> step(walk, move);
        seen.key = walk.key();
        seen.over = walk.turn().over();
        if (seen.over) seen.payoff = walk.payoff(player);
        return seen;
    }
}

}  // namespace zermelo::game
