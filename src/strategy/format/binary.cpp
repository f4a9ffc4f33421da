#include "strategy/format/binary.hpp"

namespace zermelo::strategy {

using zermelo::put;

void put(Bytes& bytes, const std::vector<StrategyNode>& nodes) {
    put(bytes, static_cast<std::uint32_t>(nodes.size()));
    for (std::size_t id = 1; id < nodes.size(); ++id) {
        put(bytes, nodes[id].variable);
        put(bytes, static_cast<std::uint32_t>(nodes[id].edges.size()));
        for (const Edge& edge : nodes[id].edges) {
            put(bytes, edge.to);
            put(bytes, static_cast<std::uint32_t>(edge.values.size()));
            for (const model::Value value : edge.values) put(bytes, value);
        }
    }
}

std::vector<StrategyNode> take_nodes(std::span<const std::byte>& bytes) {
    std::vector<StrategyNode> nodes(1);
    const auto count = take<std::uint32_t>(bytes);
    while (nodes.size() < count) {
        StrategyNode node;
        node.variable = take<model::VarId>(bytes);
        const auto edges = take<std::uint32_t>(bytes);
        for (std::uint32_t e = 0; e < edges; ++e) {
            Edge& edge = node.edges.emplace_back();
            edge.to = take<NodeId>(bytes);
            const auto values = take<std::uint32_t>(bytes);
            for (std::uint32_t v = 0; v < values; ++v) edge.values.push_back(take<model::Value>(bytes));
        }
        nodes.push_back(std::move(node));
    }
    return nodes;
}

void put(Bytes& bytes, const Strategy& strategy) {
    put(bytes, static_cast<std::uint8_t>(strategy.owner == model::Quantifier::exists ? 1 : 0));
    put(bytes, strategy.root);
    put(bytes, strategy.nodes);
}

Strategy take_strategy(std::span<const std::byte>& bytes) {
    Strategy strategy;
    strategy.owner = take<std::uint8_t>(bytes) != 0 ? model::Quantifier::exists : model::Quantifier::forall;
    strategy.root = take<NodeId>(bytes);
    strategy.nodes = take_nodes(bytes);
    return strategy;
}

}  // namespace zermelo::strategy
