#include "game/graph/graph_dot.hpp"

#include <fmt/format.h>

#include <ostream>

#include "core/format/dot.hpp"
#include "game/graph/graph_draft.hpp"

namespace zermelo::game {

namespace {

// One shape a player, as textbooks draw game graphs.
const char* shape(const Graph& graph, StateId s) {
    switch (graph.turn(s).kind) {
        case Turn::Kind::over:
            return "doublecircle";
        case Turn::Kind::chance:
            return "diamond";
        case Turn::Kind::simultaneous:
            return "octagon";
        case Turn::Kind::player:
            break;
    }
    constexpr const char* shapes[] = {"circle", "box", "hexagon", "house"};
    return shapes[graph.label[s] % std::size(shapes)];
}

std::string meaning(const Graph& graph, StateId s) {
    if (!graph.over(s)) return "player=" + dot_text(mover(graph, s)) + ", ";
    const auto& payoffs = graph.payoffs(s);
    if (const auto winner = winner_of(payoffs)) return "winner=" + dot_text(graph.players[*winner]) + ", ";
    if (payoffs == payoffs_of_draw(graph.players.size())) return "";
    return fmt::format("payoffs=\"{}\", ", fmt::join(payoffs, ","));
}

std::string label(const Graph& graph, std::uint64_t move) {
    if (graph.move_names.empty() || graph.move_names[move].empty()) return "";
    return "label=" + dot_text(graph.move_names[move]);
}

std::string weight(const Graph& graph, std::uint64_t move) {
    return graph.weight_of(move) == 1 ? "" : fmt::format("weight={}", graph.weight_of(move));
}

Error unsayable(const std::string& text) {
    return Error(fmt::format("\"{}\" cannot be written in DOT", text), "write JSON instead");
}

// A name that begins with % is taken for none at all.
std::string node(const Graph& graph, StateId s) {
    const std::string name = graph.name(s);
    if (name.starts_with('%')) throw unsayable(name);
    return dot_text(name);
}

std::string joined(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + ", " + b;
}

}  // namespace

// DOT knows one escape, \" for a quotation mark, and takes \\ for two backslashes. So a backslash that stands
// alone before a quotation mark, before the end of the line or at the end cannot be written. Graphviz also
// loses the end of a line at the beginning.
std::string dot_text(const std::string& text) {
    std::string result = "\"";
    if (text.starts_with('\n')) throw unsayable(text);
    bool odd = false;  // an odd number of backslashes stands before this character
    const auto refuse_if_odd = [&] {
        if (odd) throw unsayable(text);
    };
    for (const char c : text) {
        if (c == '"' || c == '\n' || c == '\r') refuse_if_odd();
        if (c == '"') result += '\\';
        result += c;
        odd = c == '\\' && !odd;
    }
    refuse_if_odd();
    return result + '"';
}

void write_styled_dot(std::ostream& out, const Graph& graph, const DotStyle& style) {
    out << "digraph game {\n"
        << fmt::format("  players={};\n", dot_text(fmt::format("{}", fmt::join(graph.players, ","))))
        << fmt::format("  initial={};\n", node(graph, graph.initial));
    if (!graph.description.empty()) out << "  comment=" << dot_text(graph.description) << ";\n";
    if (!style.legend.empty()) out << "  label=" << dot_text(style.legend) << ";\n";
    out << "  rankdir=LR;\n"
           "  fontname=\"Helvetica\";\n"
           "  node [fontname=\"Helvetica\", style=filled, fillcolor=white];\n"
        << dot_edge_style;
    for (std::size_t i = 0; i < graph.states(); ++i) {
        const auto s = static_cast<StateId>(i);
        const std::string base = fmt::format("{}shape={}{}", meaning(graph, s), shape(graph, s),
                                             s == graph.initial ? ", penwidth=3" : "");
        out << fmt::format("  {} [{}];\n", node(graph, s), joined(base, style.state(s)));
    }
    for (std::size_t i = 0; i < graph.states(); ++i) {
        const auto s = static_cast<StateId>(i);
        for (std::uint64_t move = graph.start[s]; move < graph.start[s + 1]; ++move) {
            const std::string attributes =
                joined(joined(label(graph, move), weight(graph, move)), style.move(s, move));
            out << fmt::format("  {} -> {}{};\n", node(graph, s), node(graph, graph.to[move]),
                               attributes.empty() ? "" : " [" + attributes + "]");
        }
    }
    out << "}\n";
}

void write_graph_dot(std::ostream& out, const Graph& graph) {
    const auto plain_state = [](StateId) { return std::string(); };
    const auto plain_move = [](StateId, std::uint64_t) { return std::string(); };
    write_styled_dot(out, graph, {plain_state, plain_move, ""});
}

}  // namespace zermelo::game
