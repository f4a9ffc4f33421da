#include <fmt/format.h>

#include <map>
#include <ostream>

#include "game/strategy/graph.hpp"

namespace zermelo::game {

namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result;
}

std::string joined(const std::vector<std::string>& moves) {
    std::string text;
    for (const std::string& move : moves) text += (text.empty() ? "" : "\\n") + escaped(move);
    return text;
}

}  // namespace

void write_plan_dot(std::ostream& out, const PlanGraph& graph) {
    out << "digraph plan {\n"
           "  rankdir=LR;\n"
           "  node [fontname=\"Helvetica\"];\n"
           "  edge [fontname=\"Helvetica\", fontsize=11];\n";
    std::map<std::vector<int>, std::size_t> leaves;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlanGraph::Node& node = graph.nodes[i];
        out << fmt::format(
            "  n{} [label=\"{}\", tooltip=\"{}\", {}];\n", i + 1, escaped(node.player), escaped(node.state),
            node.player == graph.owner ? "shape=box, style=filled, fillcolor=\"#cfe3f7\"" : "shape=ellipse");
        for (const PlanGraph::Edge& edge : node.edges) {
            const std::string to =
                edge.to != PlanGraph::ended
                    ? fmt::format("n{}", edge.to)
                    : fmt::format("e{}", leaves.try_emplace(edge.payoffs, leaves.size()).first->second);
            out << fmt::format("  n{} -> {} [label=\"{}\"];\n", i + 1, to, joined(edge.moves));
        }
    }
    for (const auto& [payoffs, number] : leaves) {
        out << fmt::format("  e{} [shape=plaintext, label=\"{}\"];\n", number, fmt::join(payoffs, " : "));
    }
    out << fmt::format("  label=\"{} gets at least {}\";\n}}\n", escaped(graph.owner), graph.promise);
}

}  // namespace zermelo::game
