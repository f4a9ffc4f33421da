#include "game/graph/graph.hpp"
#include "core/files.hpp"

#include <fstream>

namespace zermelo::game {

Turn Graph::turn(StateId s) const {
    const Label l = label[s];
    if (l >= ended) return {};
    if (l == chance) return {Turn::Kind::chance};
    if (l == simultaneous) return {Turn::Kind::simultaneous};
    return {Turn::Kind::player, l};
}

void Graph::set_last_weight(std::uint64_t last) {
    if (weight.empty()) {
        if (last == 1) return;
        weight.assign(to.size() - 1, 1);
    }
    weight.push_back(last);
}

std::string Graph::name(StateId s) const { return names.empty() ? std::to_string(s) : names[s]; }

std::string Graph::move_name(std::uint64_t move) const {
    return move_names.empty() || move_names[move].empty() ? name(to[move]) : move_names[move];
}

std::size_t Graph::bytes() const {
    std::size_t sum = label.size() * sizeof(Label) + start.size() * sizeof(std::uint64_t) +
                      to.size() * sizeof(StateId) + weight.size() * sizeof(std::uint64_t);
    for (const auto* list : {&names, &move_names}) {
        for (const std::string& text : *list) sum += sizeof(std::string) + text.size();
    }
    return sum;
}

Hash128 rules_fingerprint(const Graph& graph) {
    Hasher hasher;
    hasher.add(graph.initial);
    for (const auto& player : graph.players) {
        for (const char c : player) hasher.add(static_cast<unsigned char>(c));
        hasher.add('\n');
    }
    for (StateId s = 0; s < graph.states(); ++s) {
        hasher.add(graph.label[s]);
        if (graph.over(s)) {
            for (const int payoff : graph.payoffs(s)) hasher.add(static_cast<std::uint64_t>(payoff));
        }
        for (const StateId to : graph.successors(s)) hasher.add(to);
        hasher.add(graph.start[s + 1]);
    }
    for (const std::uint64_t weight : graph.weight) hasher.add(weight);
    return hasher.value();
}

Hash128 GraphGame::key(StateId state) const {
    Hasher hasher;
    hasher.add(state);
    return hasher.value();
}

Graph read_graph(const std::string& file) {
    const bool dot = file.ends_with(".dot") || file.ends_with(".gv");
    if (!dot && !file.ends_with(".json")) {
        throw Error({file}, "the name does not tell the format of this graph",
                    "use a name that ends with .json, .dot or .gv");
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) throw Error({file}, "cannot be opened", remedy_for_unreadable(file));
    return dot ? read_graph_dot(in, file) : read_graph_json(in, file);
}

}  // namespace zermelo::game
