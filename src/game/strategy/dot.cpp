#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "core/format/dot.hpp"
#include "game/strategy/graph.hpp"

namespace zermelo::game {

namespace {

std::string in_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::string joined(const std::vector<std::string>& moves) {
    std::string text;
    for (const std::string& move : moves)
        text += (text.empty() ? "" : "\\n") + dot_escaped(in_one_line(move));
    return text;
}

}  // namespace

void write_plan_dot(std::ostream& out, const PlanGraph& graph) {
    DotDecisions picture(out, "plan");
    std::map<std::vector<int>, std::size_t> leaves;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlanGraph::Node& node = graph.nodes[i];
        picture.node(i + 1, in_one_line(node.player), in_one_line(node.state), node.player == graph.owner);
        for (const PlanGraph::Edge& edge : node.edges) {
            if (edge.to != PlanGraph::ended) {
                picture.edge(i + 1, edge.to, joined(edge.moves));
            } else {
                const auto leaf = leaves.try_emplace(edge.payoffs, leaves.size()).first->second;
                picture.edge_to(i + 1, fmt::format("e{}", leaf), joined(edge.moves));
            }
        }
    }
    for (const auto& [payoffs, number] : leaves) {
        out << fmt::format("  e{} [shape=plaintext, label=\"{}\"];\n", number, fmt::join(payoffs, " : "));
    }
    picture.end(fmt::format("{} gets at least {}", in_one_line(graph.owner), graph.promise));
}

}  // namespace zermelo::game
