// Random graphs with plans that are right by definition, and a graph that goes round in a circle.

#pragma once

#include <gtest/gtest.h>

#include "game/graph/graph.hpp"
#include "game/strategy/build.hpp"
#include "support/random_graph.hpp"

namespace zermelo::game {

// A move of the owner that keeps the promise, for every state in which it can be kept; straight from
// the definition of attractors: force a win towards smaller ranks, or stay out of what the others can force.
class Solved {
public:
    Solved(const Graph& graph, Player owner, int promise)
        : graph_(graph), owner_(owner), forcing_(promise > draw) {
        std::vector<bool> goal;
        for (const auto& payoffs : graph.outcomes) goal.push_back((payoffs[owner] >= promise) == forcing_);
        rank_ = naive_attractor(graph, forcing_ ? owner : static_cast<Player>(1 - owner), goal);
    }
    [[nodiscard]] bool kept(StateId s) const { return (rank_[s] != outside()) == forcing_; }
    [[nodiscard]] std::size_t move(StateId s) const {
        const auto next = graph_.successors(s);
        for (std::size_t m = 0; m < next.size(); ++m) {
            if (kept(next[m]) && (!forcing_ || rank_[next[m]] < rank_[s])) return m;
        }
        ADD_FAILURE() << "no good move in state " << s << " of player " << int{owner_};
        return 0;
    }

private:
    const Graph& graph_;
    Player owner_;
    bool forcing_;
    std::vector<Rank> rank_;
};

struct Case {
    Graph graph;
    Plan plan;
};

// A random graph of two players, and a plan for each player and promise that can be kept from its start.
inline std::vector<Case> cases(std::uint64_t seed) {
    std::vector<Case> result;
    const Graph graph = random_graph(seed);
    for (const Player owner : {Player{0}, Player{1}}) {
        for (const int promise : {draw, win}) {
            const Solved solved(graph, owner, promise);
            if (!solved.kept(graph.initial)) continue;
            GraphGame game(graph);
            Walker<GraphGame> walk(game);
            const auto choose = [&](const Walker<GraphGame>& at) { return solved.move(at.state()); };
            result.push_back({graph, build_plan(walk, owner, promise, choose)});
            EXPECT_EQ(walk.state(), graph.initial) << "seed " << seed;
        }
    }
    return result;
}

// Two states of P0 and P1 that lead to each other, and from P1's to an end.
inline Graph circle() {
    Graph graph;
    graph.players = {"P0", "P1"};
    graph.outcomes = {{win, loss}};
    graph.label = {0, 1, Graph::ended};
    graph.start = {0, 1, 3, 3};
    graph.to = {1, 0, 2};
    return graph;
}

}  // namespace zermelo::game
