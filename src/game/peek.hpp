// Peek: where a move leads, without making it where the walk knows how.

#pragma once

#include <optional>

#include "game/scoped_move.hpp"

namespace zermelo::game {

// Two players whose payoffs do not always add up to 100.
class NotOpposed : public Error {
    using Error::Error;
};

inline void require_opposed(int payoffs_of_two) {
    if (payoffs_of_two == win) return;
    throw NotOpposed("the goals of the two roles do not add up to 100 in every terminal state",
                     "use " + setting("engine", "attractors"));
}

struct Peek {
    Hash128 key;
    std::uint32_t effect = 0;  // identifies the move across positions by what it changes
    bool over = false;
    int payoff = 0;   // of the player in question, when the game is over
    int threats = 0;  // of the mover after the move; for move ordering
    int lines = 0;    // of the mover's goal that the move is part of, where that is known; for move ordering
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

// A move that a search may make.
struct Candidate {
    std::uint32_t move;    // its place among the moves
    std::uint32_t effect;  // as in Peek
    std::int32_t score;    // the greater, the sooner it is tried
    Hash128 key;           // of where it leads
    std::uint64_t note;    // of the walk's own
};

// A walk that looks ahead knows of many positions, without making a move, whether a player gets at least a payoff; and
// if it does not, which moves may matter: none of the others is better than any of these.
template <class W>
concept LooksAhead = requires(W walk, const W looked, Player player, int payoff,
                              std::vector<Candidate>& candidates, const Candidate& candidate) {
    { walk.look_ahead(player, payoff) } -> std::same_as<std::optional<bool>>;
    looked.list(candidates);   // the moves that may matter, where it has just said nothing
    looked.weigh(candidates);  // some of these, in their order: their scores and notes
    walk.make(candidate);
};

// What a walk is told to make: the candidate where it can look ahead, otherwise its place.
template <Walk W>
[[nodiscard]] decltype(auto) made(const Candidate& candidate) {
    if constexpr (LooksAhead<W>) {
        return (candidate);
    } else {
        return std::size_t{candidate.move};
    }
}

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
