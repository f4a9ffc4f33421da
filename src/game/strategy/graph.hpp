// Strategy graph of a plan: the plan with the states and moves that it only implies, for people to read and
// draw.
//
// Nodes are the states that arise, without terminal ones. The owner's nodes have one edge with one move; the
// others' have all moves, and moves to the same node are one edge. A plan may contain cycles.

#pragma once

#include <iosfwd>
#include <optional>

#include "core/limits.hpp"
#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

struct PlanGraph {
    using Id = std::uint32_t;       // node i has the id i + 1
    static constexpr Id ended = 0;  // where an edge leads whose moves end the play
    struct Edge {
        std::vector<std::string> moves;
        Id to;
        std::vector<int> payoffs;  // by player, when the play is over
    };
    struct Node {
        std::string player;
        std::string state;
        std::vector<Edge> edges;
        std::string picture = {};  // of the position, in lines, where it is drawn otherwise than by its name
    };
    std::string owner;
    int promise = 0;
    Id root = ended;
    std::vector<Node> nodes;
    std::optional<Hash128> fingerprint;  // of the plan
    std::string pointer;                 // where it was read, as a JSON pointer

    [[nodiscard]] const Node& node(Id id) const { return nodes[id - 1]; }
};

// The two templates are instantiated in positional_strategy.cpp for the games of this room; for any other
// game include graph-inl.hpp.

// The graph of a plan. Throws Error where the plan does not fit the game or has more than `most_nodes`,
// LimitReached.
template <Game G>
[[nodiscard]] PlanGraph plan_graph_of(G& game, const Plan& plan, std::size_t most_nodes,
                                      const Limits& limits = {});

// The plan of a graph, which was read at `place`. Throws Error where it is not one of this game,
// LimitReached.
template <Game G>
[[nodiscard]] Plan plan_of(G& game, const PlanGraph& graph, const Place& place, const Limits& limits = {});

// The part of a plan that is nearest to its root; one more node stands for all others.
[[nodiscard]] PlanGraph nearest_positions(const PlanGraph& whole, std::size_t most_nodes);

// In DOT: the owner's nodes are boxes, the others' ellipses; they show who moves and the position. Terminal states are
// small and show the payoffs.
void write_plan_dot(std::ostream& out, const PlanGraph& graph);

}  // namespace zermelo::game
