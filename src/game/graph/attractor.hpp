// Attractors (McNaughton 1993): the states from which a player can force the play into a goal.
//
// A state of ours joins the attractor when one successor is in it, a state of theirs when all are. Each edge
// is looked at once: a state of theirs keeps a count of successors still outside, and joins when it reaches
// zero (retrograde.hpp). The rank of a state is the round in which it joined; playing towards smaller ranks
// always ends.

#pragma once

#include "game/graph/retrograde.hpp"

namespace zermelo::game {

struct Attractor {
    LargeVector<Rank> rank;  // by state; outside() where the goal cannot be forced
    [[nodiscard]] bool contains(StateId s) const { return rank[s] != outside(); }
};

// The attractor of `player` to the ended states whose outcome is in `goal` (by outcome). Everybody else is
// against them. Linear in the edges; the same whatever the number of threads (0: one a core). Throws Error
// where chance or several players at once move.
[[nodiscard]] Attractor attractor(const Graph& graph, const Predecessors& predecessors, Player player,
                                  const std::vector<bool>& goal, const Limits& limits = {},
                                  unsigned threads = 0);

// The positional strategy derived from the attractor: by state of the player inside it, the move to a
// successor of the smallest rank, the first of several; no_move() elsewhere.
[[nodiscard]] constexpr std::uint32_t no_move() { return std::numeric_limits<std::uint32_t>::max(); }
[[nodiscard]] std::vector<std::uint32_t> derived_strategy(const Graph& graph, const Attractor& attractor,
                                                          Player player);

// The same for one state; rank(s) tells ranks.
template <class RankOf>
[[nodiscard]] std::uint32_t derived_move(const Graph& graph, const RankOf& rank, Player player, StateId s) {
    if (graph.label[s] != player || rank(s) == outside()) return no_move();
    const auto successors = graph.successors(s);
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < successors.size(); ++i) {
        if (rank(successors[i]) < rank(successors[best])) best = i;
    }
    return best;
}

// Throws Error where chance or several players at once move.
void require_turns(const Graph& graph, const std::string& engine, unsigned threads, const Limits& limits);

}  // namespace zermelo::game
