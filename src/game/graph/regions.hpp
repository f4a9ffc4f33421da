// Winning regions of a game for two: the attractors of both players, and the states that nobody wins.
//
// The attractors of the two players are disjoint, so one pass finds both, with two bits a state that fit in
// the cache. It works forwards: in each round, every open state looks at its successors. This needs no
// predecessors and is fast as long as many states join in each round. Where the rounds are many and small,
// it would not be linear; so after eight looks at an edge, on average, the predecessors of the open states
// are built, and retrograde analysis does the rest.

#pragma once

#include <optional>

#include "game/graph/attractor.hpp"

namespace zermelo::game {

struct Regions {
    // Two bits a state, 32 states a word: won by the first player, by the second.
    LargeVector<std::uint64_t> won;
    LargeVector<Rank> rank;  // in the attractor of whoever wins; outside() where nobody does

    [[nodiscard]] unsigned bits(StateId s) const { return won[s / 32] >> (s % 32 * 2) & 3U; }
    [[nodiscard]] std::optional<Player> winner(StateId s) const {
        return bits(s) == 0 ? std::nullopt : std::optional<Player>(static_cast<Player>(bits(s) - 1));
    }
    // The rank of a state in the attractor of a player.
    [[nodiscard]] Rank rank_for(Player player, StateId s) const {
        return winner(s) == player ? rank[s] : outside();
    }
    [[nodiscard]] std::size_t bytes() const {
        return won.size() * sizeof won[0] + rank.size() * sizeof rank[0];
    }
};

// A player wins where they are paid more than the other. Throws Error where there are not two players, or
// chance or both at once move. The same whatever the number of threads (0: one a core).
[[nodiscard]] Regions regions(const Graph& graph, const Limits& limits = {}, unsigned threads = 0);

// The move of the derived strategy of whoever's turn it is; no_move() where they do not win.
[[nodiscard]] std::uint32_t derived_move(const Graph& graph, const Regions& regions, StateId s);

// The graph in the colours of its regions, with ranks, the moves of the derived strategies drawn thick. Can
// be read back as a graph.
void write_regions_dot(std::ostream& out, const Graph& graph, const Regions& regions);

}  // namespace zermelo::game
