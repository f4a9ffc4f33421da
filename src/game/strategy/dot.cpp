#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <unordered_map>

#include "core/format/dot.hpp"
#include "core/format/text.hpp"
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

// A position by its picture, or by its name where that is no longer than a few words.
std::string position(const PlanGraph::Node& node) {
    constexpr std::size_t longest_name = 40;
    if (!node.picture.empty()) return node.picture;
    return node.state.size() <= longest_name ? in_one_line(node.state) : "";
}

}  // namespace

PlanGraph nearest_positions(const PlanGraph& whole, std::size_t most_nodes) {
    if (whole.nodes.size() <= most_nodes) return whole;
    std::vector<PlanGraph::Id> kept{whole.root};
    std::unordered_map<PlanGraph::Id, PlanGraph::Id> id{{whole.root, 1},
                                                        {PlanGraph::ended, PlanGraph::ended}};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        for (const PlanGraph::Edge& edge : whole.node(kept[i]).edges) {
            if (kept.size() == most_nodes) break;
            if (id.try_emplace(edge.to, static_cast<PlanGraph::Id>(kept.size() + 1)).second)
                kept.push_back(edge.to);
        }
    }
    PlanGraph part = whole;
    part.root = 1;
    part.nodes.clear();
    const auto others = static_cast<PlanGraph::Id>(kept.size() + 1);
    for (const PlanGraph::Id old : kept) {
        part.nodes.push_back(whole.node(old));
        for (PlanGraph::Edge& edge : part.nodes.back().edges) {
            const auto found = id.find(edge.to);
            edge.to = found == id.end() ? others : found->second;
        }
    }
    const std::size_t omitted = whole.nodes.size() - kept.size();
    part.nodes.push_back({fmt::format("… {} more", count_text(omitted)), "not drawn", {}});
    return part;
}

void write_plan_dot(std::ostream& out, const PlanGraph& graph) {
    DotDecisions picture(out, "plan");
    std::map<std::vector<int>, std::size_t> leaves;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const PlanGraph::Node& node = graph.nodes[i];
        picture.node(i + 1, {in_one_line(node.player), position(node), in_one_line(node.state)},
                     node.player == graph.owner);
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
