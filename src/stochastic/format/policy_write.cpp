#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/json.hpp"
#include "stochastic/format/policy_file.hpp"
#include "strategy/format/dot.hpp"

namespace zermelo::stochastic {

namespace {

std::string ranges_text(const model::Domain& domain) {
    std::string result;
    for (const model::Domain::Range& range : domain.ranges())
        result += fmt::format("{}[{}, {}]", result.empty() ? "" : ", ", range.low, range.high);
    return "[" + result + "]";
}

// Numbers, and ranges from three values on.
std::string values_text(const std::vector<model::Value>& values) {
    std::string result;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t last = i;
        while (last + 1 < values.size() && values[last + 1] == values[last] + 1) ++last;
        if (i > 0) result += ", ";
        if (last >= i + 2) {
            result += fmt::format("[{}, {}]", values[i], values[last]);
            i = last + 1;
        } else {
            result += std::to_string(values[i++]);
        }
    }
    return "[" + result + "]";
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

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result;
}

// The nodes nearest to the root, in breadth-first order, without the leaf.
std::vector<NodeId> nearest(const Policy& policy, std::size_t most) {
    std::vector<NodeId> order;
    std::vector<bool> seen(policy.nodes.size(), false);
    seen[leaf] = true;
    const auto meet = [&](NodeId id) {
        if (seen[static_cast<std::size_t>(id)] || order.size() >= most) return;
        seen[static_cast<std::size_t>(id)] = true;
        order.push_back(id);
    };
    meet(policy.root);
    for (std::size_t i = 0; i < order.size(); ++i) {
        for (const PolicyEdge& edge : policy.at(order[i]).edges) meet(edge.to);
    }
    return order;
}

}  // namespace

void write_json(std::ostream& out, const StochasticModel& model, const Policy& policy) {
    out << fmt::format(
        "{{\n  \"format\": \"zermelo-policy\",\n  \"version\": {},\n  \"model\": {},\n  \"order\": [",
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
    std::ofstream out(file, std::ios::binary);
    if (!out) throw Error({file}, "cannot be written", "check the folder and its permissions");
    write_json(out, model, policy);
    out.close();
    if (!out) throw Error({file}, "could not be written completely", "make room on the disk");
}

void write_dot(std::ostream& out, const StochasticModel& model, const Policy& policy,
               std::size_t most_nodes) {
    const auto turns = turns_of(model);
    const auto drawn = nearest(policy, std::max<std::size_t>(most_nodes, 1));
    std::vector<bool> is_drawn(policy.nodes.size(), false);
    for (const NodeId id : drawn) is_drawn[static_cast<std::size_t>(id)] = true;

    out << "digraph policy {\n"
           "  rankdir=LR;\n"
           "  node [fontname=\"Helvetica\"];\n"
           "  edge [fontname=\"Helvetica\", fontsize=11];\n"
           "  leaf [shape=square, label=\"\", width=0.15, style=filled, fillcolor=black];\n";
    for (const NodeId id : drawn) {
        const PolicyNode& node = policy.at(id);
        const Turn& turn = *turns[static_cast<std::size_t>(node.variable)];
        out << fmt::format(
            "  n{} [label=\"{}\", {}];\n", id, escaped(model.model.name_of(node.variable)),
            turn.decision() ? "shape=box, style=filled, fillcolor=\"#cfe3f7\"" : "shape=ellipse");
        for (const PolicyEdge& edge : node.edges) {
            const std::string label = edge_text(turn, edge);
            if (edge.to == leaf) {
                out << fmt::format("  n{} -> leaf [label=\"{}\"];\n", id, label);
            } else if (is_drawn[static_cast<std::size_t>(edge.to)]) {
                out << fmt::format("  n{} -> n{} [label=\"{}\"];\n", id, edge.to, label);
            } else {
                out << fmt::format(
                    "  m{0}_{1} [shape=plaintext, label=\"…\"];\n  n{0} -> m{0}_{1} [label=\"{2}\"];\n", id,
                    edge.to, label);
            }
        }
    }
    std::string note = "expected utility " + text(policy.utilities);
    if (drawn.size() < policy.size())
        note += fmt::format("; {} of {} nodes are drawn", drawn.size(), policy.size());
    out << fmt::format("  label=\"{}\";\n}}\n", note);
}

void write_text(std::ostream& out, const StochasticModel& model, const Policy& policy,
                std::size_t most_nodes) {
    const auto turns = turns_of(model);
    out << fmt::format("policy, {} nodes, expected utility {}; start at {}\n", policy.size(),
                       text(policy.utilities), policy.root);
    const auto shown = nearest(policy, std::max<std::size_t>(most_nodes, 1));
    for (const NodeId id : shown) {
        const PolicyNode& node = policy.at(id);
        const Turn& turn = *turns[static_cast<std::size_t>(node.variable)];
        out << fmt::format("{}: {}{}\n", id, model.model.name_of(node.variable),
                           turn.decision() ? "" : " by chance");
        for (const PolicyEdge& edge : node.edges)
            out << fmt::format("    {} → {}\n", edge_text(turn, edge),
                               edge.to == leaf ? "□" : std::to_string(edge.to));
    }
    if (shown.size() < policy.size())
        out << fmt::format("… and {} more (--nodes shows more)\n", policy.size() - shown.size());
}

}  // namespace zermelo::stochastic
