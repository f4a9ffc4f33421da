// Strategy graphs of models: strategies of quantified models and policies of stochastic ones, renumbered
// breadth first.

#include <fmt/format.h>

#include "web/session/strategy_graph.hpp"

namespace zermelo::web {

using Id = StrategyGraph::Id;
using NodeKind = StrategyGraph::Kind;

namespace {

// 1, 2, 3, 7: 1..3 and 7.
std::vector<std::string> ranges(const std::vector<model::Value>& values) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        while (end < values.size() && values[end] == values[end - 1] + 1) ++end;
        all.push_back(end == i + 1 ? fmt::to_string(values[i])
                                   : fmt::format("{}..{}", values[i], values[end - 1]));
        i = end;
    }
    return all;
}

// Renumbers a graph of variables breadth first. `kind(node)` and `label(edge)` say the rest.
template <class Nodes, class KindOf, class LabelsOf>
StrategyGraph renumbered(const model::Model& model, const Nodes& nodes, std::int32_t root,
                         std::optional<int> payoff, const Bounds& bounds, const KindOf& kind,
                         const LabelsOf& labels_of) {
    StrategyGraph graph;
    std::vector<std::int32_t> original = {root};
    std::vector<std::optional<Id>> number(nodes.size());
    number[static_cast<std::size_t>(root)] = graph.add_node(0, 0);
    bool full = false;
    for (Id id = 0; id < original.size(); ++id) {
        const auto& node = nodes[static_cast<std::size_t>(original[id])];
        if (node.variable < 0) {
            graph.describe(NodeKind::end, "", payoff);
            continue;
        }
        full = full || graph.size() >= bounds.nodes || graph.bytes() >= bounds.bytes;
        graph.describe(kind(node), model.name_of(node.variable), {}, full);
        if (full) continue;
        for (const auto& edge : node.edges) {
            auto& to = number[static_cast<std::size_t>(edge.to)];
            if (!to) {
                to = graph.add_node(graph.node(id).depth + 1, id);
                original.push_back(edge.to);
            }
            graph.add_edge(*to, labels_of(edge));
        }
    }
    graph.finish();
    return graph;
}

}  // namespace

StrategyGraph graph_of(const model::Model& model, const strategy::Strategy& strategy, const Bounds& bounds) {
    std::vector<bool> own(model.variables.size(), false);
    std::vector<bool> quantified(model.variables.size(), false);
    for (const model::Block& block : model.prefix) {
        for (const model::VarId v : block.variables) {
            quantified[static_cast<std::size_t>(v)] = true;
            own[static_cast<std::size_t>(v)] = block.quantifier == strategy.owner;
        }
    }
    // What is not in the prefix is innermost, and ∃'s.
    const auto owned = [&](model::VarId v) {
        const auto at = static_cast<std::size_t>(v);
        return quantified[at] ? own[at] : strategy.owner == model::Quantifier::exists;
    };
    return renumbered(
        model, strategy.nodes, strategy.root, game::win, bounds,
        [&](const strategy::StrategyNode& node) {
            return owned(node.variable) ? NodeKind::owner : NodeKind::other;
        },
        [](const strategy::Edge& edge) { return ranges(edge.values); });
}

StrategyGraph graph_of(const stochastic::StochasticModel& model, const stochastic::Policy& policy,
                       const Bounds& bounds) {
    std::vector<bool> decided(model.model.variables.size(), false);
    for (const stochastic::Turn& turn : model.order)
        decided[static_cast<std::size_t>(turn.variable)] = turn.decision();
    return renumbered(
        model.model, policy.nodes, policy.root, {}, bounds,
        [&](const stochastic::PolicyNode& node) {
            return decided[static_cast<std::size_t>(node.variable)] ? NodeKind::owner : NodeKind::chance;
        },
        [](const stochastic::PolicyEdge& edge) { return ranges(edge.values); });
}

}  // namespace zermelo::web
