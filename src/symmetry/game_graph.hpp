// A game as a coloured graph: two networks have the same graph, up to the numbers of its vertices, if one is the other with
// fluents and moves renamed.
//
// The graph is that of the normal form (normal_form.hpp). The vertex of a signal is its code; so fluent f has the vertex
// 2 (1 + f), and a move twice the number of its node. Colours tell fluents of the initial state from others, and the roles,
// by their places, from each other.

#pragma once

#include "symmetry/coloured_graph.hpp"
#include "symmetry/normal_form.hpp"

namespace zermelo::symmetry {

struct GameGraph {
    NormalForm form;
    ColouredGraph graph;
};

// Multiplied out as far as that is not too large, and not further than the options say. Fluents that never change are
// constants. Nothing where the network is too large, or a limit is reached.
[[nodiscard]] std::optional<GameGraph> game_graph(const gdl::Network& network, NormalFormOptions options,
                                                  const Limits& limits);

}  // namespace zermelo::symmetry
