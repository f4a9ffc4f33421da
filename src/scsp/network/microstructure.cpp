#include "scsp/microstructure.hpp"

#include <algorithm>
#include <unordered_map>

#include "symmetry/normal_form.hpp"

namespace zermelo::scsp {

namespace {

using gdl::Network;
using gdl::Signal;
using symmetry::ColouredGraph;
using symmetry::Symmetry;
using symmetry::Vertex;

// What a vertex stands for, beside its kind of variable; the upper part of its colour.
enum class Thing : std::uint8_t {
    variable,
    literal,
    nothing,  // a literal that stands for no fluent, move, goal or percept: no, none
    same,     // between a fluent now and next
    constraint,
    allowed,
    forbidden,
    link,
    constant,
    disjunction,
    gate,
    loop_atom,
    loop_rule,
    members,
    term,
    negation,
    nogood
};

// Marks on top of a colour.
constexpr std::uint64_t lost_mark = std::uint64_t{1} << 63;   // not in the domain
constexpr std::uint64_t first_mark = std::uint64_t{1} << 62;  // holds in the first state
constexpr std::uint64_t now_mark = std::uint64_t{1} << 61;    // holds in the state that is asked about

std::uint64_t colour(Thing thing, std::uint64_t kind = 0, std::uint64_t role = 0, std::uint64_t value = 0) {
    return std::uint64_t{static_cast<std::uint8_t>(thing)} << 48 | kind << 40 | (role & 0xFF) << 32 |
           (value & 0xFFFFFFFF);
}

class GraphBuilder {
public:
    GraphBuilder(const MicroScsp& micro, const MicrostructureOptions& options)
        : micro_(micro), network_(*micro.network), options_(options) {}

    void run() {
        fluents.assign(network_.fluents.size(), none);
        for (const auto& role : network_.moves) moves.emplace_back(role.size(), none);
        for (const Variable& variable : micro_.variables) add_variable(variable);
        tie_now_to_next();
        for (const std::size_t most_terms : {4096, 256, 16}) {
            if (!options_.normal_form || form_) break;
            form_ = symmetry::normal_form(network_, {.most_terms = most_terms}, {});
        }
        find_loops();
        for (const Constraint& constraint : micro_.constraints) add_constraint(constraint);
        while (!unfinished_.empty()) {
            const std::uint32_t node = unfinished_.back();
            unfinished_.pop_back();
            const Vertex members = graph.add(colour(Thing::members));
            join(members, nodes_.at(node));
            form_ ? join_terms(members, node) : join_inputs(members, node);
        }
    }

    ColouredGraph graph;
    std::vector<Vertex> fluents;
    std::vector<std::vector<Vertex>> moves;

private:
    static constexpr Vertex none = ~Vertex{0};

    void join(Vertex a, Vertex b) { graph.edges.emplace_back(a, b); }

    // The worth of a goal tells it apart; other values are told apart by what they are joined to.
    [[nodiscard]] std::uint64_t worth(const Variable& variable, Value value) const {
        if (variable.kind != Kind::goal) return 0;
        return 1 + static_cast<std::uint64_t>(network_.goals[variable.role][variable.meaning[value]].value);
    }

    void add_variable(const Variable& variable) {
        const auto kind = static_cast<std::uint64_t>(variable.kind);
        const Vertex own = graph.add(colour(Thing::variable, kind, variable.role));
        variables_.push_back(own);
        auto& literals = literals_.emplace_back();
        for (Value value = 0; value < variable.values.size(); ++value) {
            const std::uint32_t meaning = variable.meaning[value];
            const bool some = meaning != Variable::nothing;
            std::uint64_t its_colour =
                some ? colour(Thing::literal, kind, variable.role, worth(variable, value))
                     : colour(Thing::nothing, kind, variable.role);
            if (!std::ranges::binary_search(variable.domain, value)) its_colour |= lost_mark;
            const bool fluent_now = some && variable.kind == Kind::now;
            if (fluent_now && options_.first_state && network_.initial[meaning]) its_colour |= first_mark;
            literals.push_back(graph.add(its_colour));
            join(own, literals.back());
            if (fluent_now) fluents[meaning] = literals.back();
            if (some && variable.kind == Kind::next) next_.emplace(meaning, literals.back());
            if (some && (variable.kind == Kind::action || variable.kind == Kind::chance))
                moves[variable.role][meaning] = literals.back();
        }
    }

    void tie_now_to_next() {
        for (std::uint32_t f = 0; f < fluents.size(); ++f) {
            const auto after = next_.find(f);
            if (fluents[f] == none || after == next_.end()) continue;
            const Vertex tie = graph.add(colour(Thing::same));
            join(tie, fluents[f]);
            join(tie, after->second);
        }
    }

    void join_inputs(Vertex members, std::uint32_t gate) {
        for (const Signal input : network_.inputs_of(gate)) join(members, vertex_of(input));
    }

    void join_terms(Vertex members, std::uint32_t disjunction) {
        for (const auto& literals : form_->ors[disjunction - form_->first_or].terms) {
            const Vertex term = graph.add(colour(Thing::term));
            join(members, term);
            for (const Signal s : literals) join(term, vertex_of(s));
        }
    }

    // What decides a value, in the normal form if there is one.
    [[nodiscard]] Signal signal_of(const Link& link) const {
        if (!form_) return link.signal;
        const Variable& variable = micro_.variables[link.variable];
        const std::uint32_t meaning = variable.meaning[link.value];
        switch (variable.kind) {
            case Kind::next:
                return form_->next[meaning];
            case Kind::action:
            case Kind::chance:
                return form_->legal[variable.role][meaning];
            case Kind::goal:
                return form_->goals[variable.role][meaning];
            case Kind::percept:
                return form_->sees[variable.role][meaning];
            case Kind::terminal:
            case Kind::now:
                break;
        }
        return form_->terminal;
    }

    void find_loops() {
        kind_of_gate_.assign(network_.gates(), Thing::gate);
        for (const auto& stretch : network_.stretches) {
            if (!stretch.loop) continue;
            for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
                kind_of_gate_[gate - network_.first_gate] =
                    gate < stretch.rules ? Thing::loop_atom : Thing::loop_rule;
        }
    }

    void add_constraint(const Constraint& constraint) {
        const auto rule = static_cast<std::uint64_t>(constraint.rule);
        const Vertex own = graph.add(colour(Thing::constraint, rule));
        for (const VariableId variable : constraint.scope) join(own, variables_[variable]);
        if (constraint.table) {
            add_tuples(constraint, own);
            return;
        }
        for (const Link& link : constraint.links) {
            const Vertex vertex = graph.add(colour(Thing::link, static_cast<std::uint64_t>(link.sense)));
            join(own, vertex);
            join(vertex, literals_[link.variable][link.value]);
            join(vertex, vertex_of(signal_of(link)));
        }
    }

    // Tuples of values that are in no domain any more are kept: the colours of literals tell.
    void add_tuples(const Constraint& constraint, Vertex own) {
        std::uint64_t all = 1;
        for (const VariableId variable : constraint.scope) all *= micro_.variables[variable].values.size();
        if (2 * constraint.count() <= all) {
            for (std::size_t i = 0; i < constraint.count(); ++i)
                add_tuple(constraint, constraint.tuple(i), Thing::allowed, own);
            return;
        }
        std::vector<Value> tuple(constraint.scope.size(), 0);
        std::size_t next_allowed = 0;  // tuples are in order
        for (std::uint64_t i = 0; i < all; ++i) {
            if (next_allowed < constraint.count() &&
                std::ranges::equal(constraint.tuple(next_allowed), tuple)) {
                ++next_allowed;
            } else {
                add_tuple(constraint, tuple, Thing::forbidden, own);
            }
            for (std::size_t at = tuple.size(); at-- > 0;) {
                if (++tuple[at] < micro_.variables[constraint.scope[at]].values.size()) break;
                tuple[at] = 0;
            }
        }
    }

    void add_tuple(const Constraint& constraint, std::span<const Value> tuple, Thing thing, Vertex own) {
        const Vertex vertex = graph.add(colour(thing, static_cast<std::uint64_t>(constraint.rule)));
        join(own, vertex);
        for (std::size_t i = 0; i < tuple.size(); ++i) join(vertex, literals_[constraint.scope[i]][tuple[i]]);
    }

    // A gate gets a vertex when it is first met, and its inputs later.
    Vertex vertex_of(Signal signal) {
        const std::uint32_t node = signal.node();
        auto found = nodes_.find(node);
        if (found == nodes_.end()) found = nodes_.emplace(node, new_vertex(node)).first;
        if (!signal.negated()) return found->second;
        const auto [negation, added] = negations_.try_emplace(node, none);
        if (added) {
            negation->second = graph.add(colour(Thing::negation));
            join(negation->second, found->second);
        }
        return negation->second;
    }

    Vertex new_vertex(std::uint32_t node) {
        if (node == 0) return graph.add(colour(Thing::constant));
        if (node < network_.first_gate) {
            const auto& literal = micro_.literals[node];
            return literals_[literal.variable][literal.value];
        }
        unfinished_.push_back(node);
        if (!form_) return graph.add(colour(kind_of_gate_[node - network_.first_gate]));
        const auto& disjunction = form_->ors[node - form_->first_or];
        return graph.add(
            colour(Thing::disjunction, static_cast<std::uint64_t>(disjunction.kind), 0, disjunction.answers));
    }

    const MicroScsp& micro_;
    const Network& network_;
    const MicrostructureOptions& options_;
    std::vector<Vertex> variables_;
    std::vector<std::vector<Vertex>> literals_;        // by variable and value
    std::unordered_map<std::uint32_t, Vertex> next_;   // by fluent: that it holds next
    std::unordered_map<std::uint32_t, Vertex> nodes_;  // of the network, as far as they are needed
    std::unordered_map<std::uint32_t, Vertex> negations_;
    std::optional<symmetry::NormalForm> form_;
    std::vector<Thing> kind_of_gate_;
    std::vector<std::uint32_t> unfinished_;  // gates whose inputs are not joined yet
};

}  // namespace

Microstructure::Microstructure(const MicroScsp& micro, const MicrostructureOptions& options) {
    GraphBuilder builder(micro, options);
    builder.run();
    graph_ = std::move(builder.graph);
    fluents_ = std::move(builder.fluents);
    moves_ = std::move(builder.moves);
}

std::vector<Symmetry> Microstructure::generators(const Limits& limits) const {
    return generators_of(graph_, limits);
}

std::vector<Symmetry> Microstructure::generators(const gdl::State& state, const Nogoods& nogoods,
                                                 const Limits& limits) const {
    return generators_of(at(state, nogoods), limits);
}

std::optional<Hash128> Microstructure::key(const gdl::State& state, const Nogoods& nogoods,
                                           const Limits& limits) const {
    return symmetry::canonical_key(at(state, nogoods), limits);
}

ColouredGraph Microstructure::at(const gdl::State& state, const Nogoods& nogoods) const {
    ColouredGraph result = graph_;
    for (std::size_t f = 0; f < fluents_.size(); ++f) {
        if ((state[f / 64] >> (f % 64) & 1) != 0) result.colour[fluents_[f]] |= now_mark;
    }
    for (const gdl::JointMove& nogood : nogoods) {
        const Vertex tuple = result.add(colour(Thing::nogood));
        for (std::size_t role = 0; role < nogood.size(); ++role)
            result.edges.emplace_back(tuple, moves_[role][nogood[role]]);
    }
    return result;
}

std::vector<Symmetry> Microstructure::generators_of(const ColouredGraph& graph, const Limits& limits) const {
    std::unordered_map<Vertex, std::uint32_t> meaning;  // of the vertices of fluents and moves
    for (std::uint32_t f = 0; f < fluents_.size(); ++f) meaning.emplace(fluents_[f], f);
    for (const auto& role : moves_) {
        for (std::uint32_t m = 0; m < role.size(); ++m) meaning.emplace(role[m], m);
    }
    std::vector<Symmetry> result;
    for (const symmetry::Permutation& image : symmetry::generators(graph, limits)) {
        Symmetry one;
        bool identity = true;
        const auto mapped = [&](const std::vector<Vertex>& vertices) {
            std::vector<std::uint32_t> images;
            for (const Vertex v : vertices) {
                images.push_back(meaning.at(image[v]));
                identity = identity && image[v] == v;
            }
            return images;
        };
        one.fluent = mapped(fluents_);
        for (const auto& role : moves_) one.move.push_back(mapped(role));
        if (!identity) result.push_back(std::move(one));
    }
    return result;
}

}  // namespace zermelo::scsp
