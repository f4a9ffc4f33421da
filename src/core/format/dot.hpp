// DOT, the language of Graphviz: what all pictures have in common, so that they look alike.

#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace zermelo {

// What stands between quotation marks so that Graphviz shows this text.
[[nodiscard]] std::string dot_escaped(std::string_view text);

// Blue for whom the picture is about: the owner of a strategy, the first player of a graph.
inline constexpr const char* dot_blue = "#cfe3f7";
inline constexpr const char* dot_edge_style = "  edge [fontname=\"Helvetica\", fontsize=11];\n";

// Decisions of a strategy, plan or policy, from left to right: blue boxes where the owner decides, ellipses
// where somebody else does. Nodes are numbered. Labels of edges are escaped already, so that they may have
// several lines.
class DotDecisions {
public:
    DotDecisions(std::ostream& out, std::string_view name);

    void node(std::size_t id, std::string_view label, bool owned);
    // A position: who moves, below it a picture in lines, and what is told on pointing at it.
    struct Position {
        std::string_view player;
        std::string_view picture;
        std::string_view tooltip;
    };
    void node(std::size_t id, const Position& position, bool owned);
    void edge(std::size_t from, std::size_t to, std::string_view label);
    void edge_to(std::size_t from, std::string_view name, std::string_view label);

    // What all plays end in: one small black square.
    void leaf();
    void edge_to_leaf(std::size_t from, std::string_view label) { edge_to(from, "leaf", label); }
    // To a node that is not drawn.
    void edge_to_more(std::size_t from, std::size_t to, std::string_view label);

    void end(std::string_view caption = "");

private:
    std::ostream& out_;
};

}  // namespace zermelo
