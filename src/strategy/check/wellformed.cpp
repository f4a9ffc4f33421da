#include "strategy/check/wellformed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::strategy {

namespace {

bool comes_before(const model::Structure& structure, model::VarId a, model::VarId b) {
    const int block = structure.block_of[static_cast<std::size_t>(a)];
    const int later = structure.block_of[static_cast<std::size_t>(b)];
    if (block != later) return block < later;
    const auto& variables = structure.prefix[static_cast<std::size_t>(block)].variables;
    return std::find(variables.begin(), variables.end(), a) <
           std::find(variables.begin(), variables.end(), b);
}

}  // namespace

std::optional<std::string> malformed(const model::Model& model, const model::Structure& structure,
                                     model::Quantifier owner, const StrategyNode& node) {
    const auto variable = static_cast<std::size_t>(node.variable);
    if (node.variable < 0 || variable >= model.variables.size())
        return "it names a variable that does not exist";
    const std::string& name = model.name_of(node.variable);
    if (structure.block_of[variable] < 0)
        return fmt::format("{} is not a variable that a player chooses", name);

    const model::Domain& domain = model.domain(node.variable);
    std::vector<model::Value> values;
    for (const Edge& edge : node.edges) {
        if (edge.values.empty()) return fmt::format("an edge of {} has no value", name);
        values.insert(values.end(), edge.values.begin(), edge.values.end());
    }
    if (values.empty()) return fmt::format("a node of {} has no edge", name);
    for (const model::Value value : values) {
        if (!domain.contains(value)) {
            return fmt::format("{} = {} is outside the domain {}", name, value, domain.text());
        }
    }
    std::sort(values.begin(), values.end());
    const auto twice = std::adjacent_find(values.begin(), values.end());
    if (twice != values.end()) return fmt::format("{} = {} is named twice in one node", name, *twice);

    const auto block = static_cast<std::size_t>(structure.block_of[variable]);
    if (structure.prefix[block].quantifier == owner && values.size() != 1) {
        return fmt::format("{} belongs to the strategy's owner, but a node offers {} values", name,
                           values.size());
    }
    return std::nullopt;
}

std::optional<std::string> malformed(const model::Model& model, const model::Structure& structure,
                                     const Strategy& strategy) {
    const auto size = static_cast<NodeId>(strategy.nodes.size());
    if (size == 0) return "the strategy has no leaf";
    if (strategy.root < 0 || strategy.root >= size) return "the root does not exist";
    for (NodeId id = 1; id < size; ++id) {
        const StrategyNode& node = strategy.nodes[static_cast<std::size_t>(id)];
        if (auto problem = malformed(model, structure, strategy.owner, node)) {
            return fmt::format("node {}: {}", id, *problem);
        }
        for (const Edge& edge : node.edges) {
            if (edge.to < 0 || edge.to >= id) {
                return fmt::format("node {}: an edge leads to {}, which is not an earlier node", id, edge.to);
            }
            const model::VarId next = strategy.nodes[static_cast<std::size_t>(edge.to)].variable;
            if (model.strategic && next >= 0 && !comes_before(structure, node.variable, next)) {
                return fmt::format(
                    "node {}: {} stands above {}, which is chosen first; in a strategic model "
                    "the order is that of the prefix",
                    id, model.name_of(node.variable), model.name_of(next));
            }
        }
    }
    return std::nullopt;
}

}  // namespace zermelo::strategy
