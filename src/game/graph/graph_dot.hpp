// Graphs in DOT, the language of Graphviz: attributes that `read_graph_dot` reads back, and a style on top.

#pragma once

#include <functional>

#include "game/graph/graph.hpp"

namespace zermelo::game {

// Further attributes, written as in DOT and separated by commas; they come last and so take precedence.
struct DotStyle {
    std::function<std::string(StateId)> state;
    std::function<std::string(StateId, std::uint64_t move)> move;
    std::string legend;  // below the picture
};

void write_styled_dot(std::ostream& out, const Graph& graph, const DotStyle& style);

// A quoted string; throws Error where it cannot be written in DOT.
[[nodiscard]] std::string dot_text(const std::string& text);

}  // namespace zermelo::game
