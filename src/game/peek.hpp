// Peek: where a move leads, without making it where the walk knows how.

#pragma once

#include "game/scoped_move.hpp"

namespace zermelo::game {

struct Peek {
    Hash128 key;
    std::uint32_t effect = 0;  // identifies the move across positions by what it changes
    bool over = false;
    int payoff = 0;   // of the player in question, when the game is over
    int threats = 0;  // of the mover after the move; for move ordering
};

template <class W>
concept CanPeek = requires(W walk, std::size_t move, Player player) {
    { walk.peek(move, player) } -> std::same_as<Peek>;
};

// The least and the greatest payoff that a player can still get, as far as the walk can prove it.
template <class W>
concept BoundsPayoffs = requires(W walk, Player player) {
    { walk.payoff_bounds(player) } -> std::same_as<std::pair<int, int>>;
};

template <Walk W>
[[nodiscard]] Peek peek(W& walk, std::size_t move, Player player) {
    if constexpr (CanPeek<W>) {
        return walk.peek(move, player);
    } else {
        Peek seen{};
        seen.effect = walk.move_id(move);
        const ScopedMove<W> step(walk, move);
        seen.key = walk.key();
        seen.over = walk.turn().over();
        if (seen.over) seen.payoff = walk.payoff(player);
        return seen;
    }
}

}  // namespace zermelo::game
