// Random game graphs, small and nasty, and attractors by their definition, word for word: no
// predecessors, no counters, one full look at the graph a round.

#pragma once

#include "core/random.hpp"
#include "game/graph/attractor.hpp"

namespace zermelo::game {

// Cycles, self loops, parallel edges, dead ends, unreachable states; sometimes nobody has an objective.
inline Graph random_graph(std::uint64_t seed, std::size_t players = 2) {
    Random random(seed);
    Graph graph;
    for (std::size_t p = 0; p < players; ++p) graph.players.push_back("P" + std::to_string(p));
    graph.outcomes.emplace_back(players, draw);
    for (std::size_t p = 0; p < players; ++p) {
        graph.outcomes.emplace_back(players, loss);
        graph.outcomes.back()[p] = win;
    }
    const bool objectives = !random.chance(0.1);
    const std::size_t states = 1 + random.below(random.chance(0.1) ? 300 : 20);
    const double terminals = 0.05 + 0.1 * static_cast<double>(random.below(5));
    const std::uint64_t most_moves = 1 + random.below(5);
    graph.start.push_back(0);
    for (std::size_t s = 0; s < states; ++s) {
        if (random.chance(terminals)) {
            const std::uint64_t outcome = objectives ? random.below(graph.outcomes.size()) : 0;
            graph.label.push_back(static_cast<Graph::Label>(Graph::ended + outcome));
        } else {
            graph.label.push_back(static_cast<Graph::Label>(random.below(players)));
            for (std::uint64_t move = 1 + random.below(most_moves); move > 0; --move) {
                // Near states half of the time, so that there are self loops, parallel edges and long ways.
                const std::uint64_t near = std::min<std::uint64_t>(states - 1, s + random.below(3));
                graph.to.push_back(static_cast<StateId>(random.chance(0.5) ? near : random.below(states)));
            }
        }
        graph.start.push_back(graph.to.size());
    }
    graph.initial = static_cast<StateId>(random.below(states));
    return graph;
}

// Wins of `player`, by outcome.
inline std::vector<bool> wins_of(const Graph& graph, Player player) {
    std::vector<bool> goal;
    for (const auto& payoffs : graph.outcomes) goal.push_back(payoffs[player] == win);
    return goal;
}

inline std::vector<Rank> naive_attractor(const Graph& graph, Player player, const std::vector<bool>& goal) {
    std::vector<Rank> rank(graph.states(), outside());
    for (StateId s = 0; s < graph.states(); ++s) {
        if (graph.over(s) && goal[graph.label[s] - Graph::ended]) rank[s] = 0;
    }
    for (Rank round = 1;; ++round) {
        std::vector<Rank> next = rank;
        for (StateId s = 0; s < graph.states(); ++s) {
            if (rank[s] != outside() || graph.successors(s).empty()) continue;
            std::size_t inside = 0;
            for (const StateId t : graph.successors(s)) inside += rank[t] != outside() ? 1 : 0;
            const bool joins = graph.label[s] == player ? inside > 0 : inside == graph.successors(s).size();
            if (joins) next[s] = round;
        }
        if (next == rank) return rank;
        rank = std::move(next);
    }
}

}  // namespace zermelo::game
