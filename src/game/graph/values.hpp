// Values of all states of a graph under optimal play (Zermelo 1913; Kuhn 1953), and how long optimal play
// takes.
//
// One player, or two whose payoffs always add up to 100: by attractors, one for each payoff t of a player
// above what endless play pays. In the player's attractor to the outcomes of at least t the player gets t;
// in nobody's attractor, nobody can force more than endless play. This is exact on graphs with cycles.
//
// Everybody else, in turns: by backward induction, which needs a graph without cycles. A player takes the
// best own payoff; among equals, what leaves the smallest sum to the others; among equals, the first move.
// The result holds if everybody plays so, and is no guarantee: others may play otherwise.

#pragma once

#include "game/graph/attractor.hpp"

namespace zermelo::game {

enum class Method : std::uint8_t { attractors, backward_induction };

// One player, or two with opposite interests.
[[nodiscard]] bool attractors_suffice(std::size_t players, const std::vector<std::vector<int>>& outcomes);

struct Values {
    Method method = Method::attractors;
    std::vector<std::vector<int>>
        outcomes;  // the graph's, and the payoffs of endless play if they are none of these
    std::vector<std::uint8_t> outcome;  // by state: the outcome under best play

    // By state. Attractors: the number of moves after which whoever can force more than endless play pays has
    // got their payoff, when they hurry and the others delay; outside() where nobody can force that, 0 where
    // the game is over. Backward induction: the number of moves left under best play.
    std::vector<Rank> rank;

    [[nodiscard]] const std::vector<int>& payoffs(StateId s) const { return outcomes[outcome[s]]; }
    [[nodiscard]] std::size_t bytes() const {
        return outcome.capacity() * sizeof(std::uint8_t) + rank.capacity() * sizeof(Rank);
    }
};

// Throws Error where chance or several players at once move, and where a graph has cycles that the method
// cannot handle; LimitReached at a limit. `threads`: 0 for one a core.
[[nodiscard]] Values find_values(const Graph& graph, const Limits& limits = {}, unsigned threads = 0);

// The moves of a state that is not over, by their places, that are worth most to whoever is on turn.
[[nodiscard]] std::vector<std::size_t> best_moves(const Graph& graph, const Values& values, StateId state);

// The move to play: with attractors a player who can force more than endless play pays hurries, one who must
// take less delays. Whoever always plays it from a state gets at least the value of that state (attractors
// only).
[[nodiscard]] std::size_t choose(const Graph& graph, const Values& values, StateId state);

}  // namespace zermelo::game
