#include "symmetry/game_graph.hpp"

#include <unordered_map>

namespace zermelo::symmetry {

using gdl::Network;
using Term = NormalForm::Term;

namespace {

constexpr std::size_t most_vertices = 200'000;
constexpr std::size_t most_edges = 2'000'000;

// What a vertex stands for; with a role or a number it is the colour of the vertex.
enum class Kind : std::uint8_t {
    constant,
    fluent,
    initial_fluent,
    move,
    disjunction,
    loop_atom,
    loop_rule,
    count,
    negation,
    members,
    term,
    next,
    next_signal,
    legal,
    goal,
    percept,
    terminal
};

std::uint64_t colour(Kind kind, std::size_t role = 0, int value = 0) {
    return std::uint64_t{static_cast<std::uint8_t>(kind)} << 56 | std::uint64_t{role} << 32 |
           static_cast<std::uint32_t>(value);
}

Kind kind_of(NormalForm::Kind kind) {
    switch (kind) {
        case NormalForm::Kind::plain:
            return Kind::disjunction;
        case NormalForm::Kind::loop_atom:
            return Kind::loop_atom;
        case NormalForm::Kind::loop_rule:
            return Kind::loop_rule;
        case NormalForm::Kind::count:
            return Kind::count;
    }
    return Kind::disjunction;
}

// The vertex of a signal is its code: every node has one for itself and one for its negation, joined by an
// edge. A disjunction is joined, through a vertex of its own, to its terms, and a term to its literals. A
// vertex between a node and what it is tied to keeps the two ends apart.
class GraphBuilder {
public:
    GraphBuilder(const Network& network, const NormalForm& form) : network_(network), form_(form) {}

    ColouredGraph run() {
        add_nodes();
        add_disjunctions();
        add_outputs();
        return std::move(graph_);
    }

private:
    void join(Vertex a, Vertex b) { graph_.edges.emplace_back(a, b); }
    void join(Vertex a, Signal s) { graph_.edges.emplace_back(a, s.code()); }

    void add_node(std::uint64_t its_colour) {
        const Vertex positive = graph_.add(its_colour);
        join(positive, graph_.add(colour(Kind::negation)));
    }

    void add_nodes() {
        add_node(colour(Kind::constant));
        for (const bool holds : network_.initial)
            add_node(colour(holds ? Kind::initial_fluent : Kind::fluent));
        std::vector<std::size_t> role_of(network_.first_gate - network_.first_move);
        for (std::size_t role = 0; role < network_.moves.size(); ++role) {
            for (const auto& move : network_.moves[role]) role_of[move.node - network_.first_move] = role;
        }
        for (const std::size_t role : role_of) add_node(colour(Kind::move, role));
        for (const auto& disjunction : form_.ors)
            add_node(colour(kind_of(disjunction.kind), 0, static_cast<int>(disjunction.answers)));
    }

    void add_disjunctions() {
        std::unordered_map<Hash128, Vertex, LowBitsHash> known;
        for (std::size_t i = 0; i < form_.ors.size(); ++i) {
            const Vertex members = graph_.add(colour(Kind::members));
            join(members, Signal(form_.first_or + static_cast<std::uint32_t>(i), false));
            for (const Term& term : form_.ors[i].terms) join(members, vertex_of(term, known));
        }
    }

    Vertex vertex_of(const Term& term, std::unordered_map<Hash128, Vertex, LowBitsHash>& known) {
        Hasher hasher;
        for (const Signal s : term) hasher.add(s.code());
        const auto [found, added] = known.try_emplace(hasher.value(), 0);
        if (added) {
            found->second = graph_.add(colour(Kind::term));
            for (const Signal s : term) join(found->second, s);
        }
        return found->second;
    }

    void add_outputs() {
        for (std::size_t f = 0; f < form_.next.size(); ++f) {
            const Vertex next = graph_.add(colour(Kind::next));
            const Vertex signal = graph_.add(colour(Kind::next_signal));
            join(next, Signal(1 + static_cast<std::uint32_t>(f), false));
            join(next, signal);
            join(signal, form_.next[f]);
        }
        for (std::size_t role = 0; role < form_.legal.size(); ++role) {
            for (std::size_t m = 0; m < form_.legal[role].size(); ++m) {
                const Vertex legal = graph_.add(colour(Kind::legal));
                join(legal, Signal(network_.moves[role][m].node, false));
                join(legal, form_.legal[role][m]);
            }
            for (std::size_t g = 0; g < form_.goals[role].size(); ++g) {
                join(graph_.add(colour(Kind::goal, role, network_.goals[role][g].value)),
                     form_.goals[role][g]);
            }
            for (const Signal s : form_.sees[role]) join(graph_.add(colour(Kind::percept, role)), s);
        }
        join(graph_.add(colour(Kind::terminal)), form_.terminal);
    }

    const Network& network_;
    const NormalForm& form_;
    ColouredGraph graph_;
};

}  // namespace

std::optional<GameGraph> game_graph(const Network& network, NormalFormOptions options, const Limits& limits) {
    options.constants = true;
    for (bool more = true; more; options.most_terms = options.most_terms > 16 ? options.most_terms / 16 : 1) {
        more = options.most_terms > 1;
        auto form = normal_form(network, options, limits);
        if (!form) continue;
        ColouredGraph graph = GraphBuilder(network, *form).run();
        if (graph.colour.size() > most_vertices || graph.edges.size() > most_edges) continue;
        return GameGraph{std::move(*form), std::move(graph)};
    }
    return std::nullopt;
}

}  // namespace zermelo::symmetry
