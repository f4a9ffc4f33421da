#include <fmt/format.h>

#include "core/files.hpp"
#include "core/format/json.hpp"
#include "stochastic/format/policy_file.hpp"
#include "strategy/format/diagram.hpp"
#include "strategy/format/dot.hpp"
#include "strategy/format/value_set.hpp"

namespace zermelo::stochastic {

namespace {

std::string ranges_text(const model::Domain& domain) {
    fmt::memory_buffer text;
    strategy::append_ranges(text, domain);
    return fmt::to_string(text);
}

std::string values_text(const std::vector<model::Value>& values) {
    fmt::memory_buffer text;
    strategy::append_values(text, values);
    return fmt::to_string(text);
}

// By variable: its turn in the order.
std::vector<const Turn*> turns_of(const StochasticModel& model) {
    std::vector<const Turn*> result(model.model.variables.size(), nullptr);
    for (const Turn& turn : model.order) result[static_cast<std::size_t>(turn.variable)] = &turn;
    return result;
}

std::string edge_text(const Turn& turn, const PolicyEdge& edge) {
    const std::string values = strategy::edge_label(edge.values);
    return turn.decision() ? values : fmt::format("{} ({})", values, text(edge.probability));
}

}  // namespace

void write_json(std::ostream& out, const StochasticModel& model, const Policy& policy) {
    out << fmt::format(
        "{{\n  \"format\": \"zermelo-strategy\",\n  \"version\": {},\n  \"kind\": \"policy\",\n  \"model\": "
        "{},\n  \"order\": [",
        policy_format_version, quoted_json(model.model.name));
    const char* separator = "\n";
    for (const Turn& turn : model.order) {
        out << fmt::format("{}    {{\"name\": {}, \"kind\": {}, \"stage\": {}, \"domain\": {}}}", separator,
                           quoted_json(model.model.name_of(turn.variable)),
                           turn.decision() ? fmt::format("\"decision\", \"player\": {}", turn.owner + 1)
                                           : std::string("\"chance\""),
                           turn.stage + 1, ranges_text(model.model.domain(turn.variable)));
        separator = ",\n";
    }
    out << "\n  ],\n  \"utilities\": [";
    for (std::size_t p = 0; p < policy.utilities.size(); ++p)
        out << (p > 0 ? ", " : "") << quoted_json(text(policy.utilities[p]));
    out << fmt::format("],\n  \"root\": {},\n  \"nodes\": [", policy.root);
    const auto turns = turns_of(model);
    for (std::size_t id = 1; id < policy.nodes.size(); ++id) {
        const PolicyNode& node = policy.nodes[id];
        const Turn& turn = *turns[static_cast<std::size_t>(node.variable)];
        out << fmt::format("{}    {{\"id\": {}, \"variable\": {}, \"edges\": [", id == 1 ? "\n" : ",\n", id,
                           quoted_json(model.model.name_of(node.variable)));
        const char* comma = "";
        for (const PolicyEdge& edge : node.edges) {
            out << fmt::format("{}{{\"values\": {}, ", comma, values_text(edge.values));
            if (!turn.decision())
                out << fmt::format("\"probability\": {}, ", quoted_json(text(edge.probability)));
            out << fmt::format("\"to\": {}}}", edge.to);
            comma = ", ";
        }
        out << "]}";
    }
    out << "\n  ]\n}\n";
}

void save_policy(const std::string& file, const StochasticModel& model, const Policy& policy) {
    replace_file(file, [&](std::ostream& out) { write_json(out, model, policy); });
}

void write_dot(std::ostream& out, const StochasticModel& model, const Policy& policy,
               std::size_t most_nodes) {
    const auto turns = turns_of(model);
    const auto turn_of = [&](const PolicyNode& node) -> const Turn& {
        return *turns[static_cast<std::size_t>(node.variable)];
    };
    const auto drawn = strategy::nearest(policy, most_nodes);
    DotDecisions picture(out, "policy");
    strategy::draw_nodes(
        picture, policy, drawn, [&](const PolicyNode& node) { return model.model.name_of(node.variable); },
        [&](const PolicyNode& node) { return turn_of(node).decision(); },
        [&](const PolicyNode& node, const PolicyEdge& edge) { return edge_text(turn_of(node), edge); });
    std::string note = "expected utility " + text(policy.utilities);
    if (drawn.size() < policy.size())
        note += fmt::format("; {} of {} nodes are drawn", drawn.size(), policy.size());
    picture.end(note);
}

void write_text(std::ostream& out, const StochasticModel& model, const Policy& policy, std::size_t most_nodes,
                const std::string& how_to_see_more) {
    const auto turns = turns_of(model);
    out << fmt::format("policy, {} nodes, expected utility {}; start at {}\n", policy.size(),
                       text(policy.utilities), policy.root);
    const auto shown = strategy::nearest(policy, most_nodes);
    for (const std::size_t id : shown) {
        const PolicyNode& node = policy.nodes[id];
        const Turn& turn = *turns[static_cast<std::size_t>(node.variable)];
        out << fmt::format("{}: {}{}\n", id, model.model.name_of(node.variable),
                           turn.decision() ? "" : " by chance");
        for (const PolicyEdge& edge : node.edges)
            out << fmt::format("    {} → {}\n", edge_text(turn, edge),
                               edge.to == leaf ? "□" : std::to_string(edge.to));
    }
    if (shown.size() < policy.size())
        out << fmt::format("… and {} more{}\n", policy.size() - shown.size(),
                           how_to_see_more.empty() ? "" : fmt::format(" ({})", how_to_see_more));
}

}  // namespace zermelo::stochastic
