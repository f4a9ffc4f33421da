#include "scsp/micro_scsp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <set>

#include "core/format/dot.hpp"

namespace zermelo::scsp {

using gdl::Network;
using gdl::Signal;

const char* describe(Kind kind) {
    switch (kind) {
        case Kind::terminal:
            return "terminal";
        case Kind::now:
            return "now";
        case Kind::next:
            return "next";
        case Kind::action:
            return "action";
        case Kind::chance:
            return "chance";
        case Kind::goal:
            return "goal";
        case Kind::percept:
            return "percept";
    }
    return "";
}

const char* describe(Rule rule) {
    switch (rule) {
        case Rule::terminal:
            return "terminal";
        case Rule::legal:
            return "legal";
        case Rule::next:
            return "next";
        case Rule::goal:
            return "goal";
        case Rule::sees:
            return "sees";
        case Rule::goes_on:
            return "goes on";
        case Rule::other:
            return "other";
    }
    return "";
}

std::optional<std::uint32_t> chance_role(const Network& network) {
    for (std::uint32_t r = 0; r < network.roles.size(); ++r) {
        const gdl::TermId role = network.roles[r];
        if (network.terms.symbol(role) == gdl::kw_random && network.terms.arguments(role).empty()) return r;
    }
    return std::nullopt;
}

// ------------------------------------------------------------------------------------------ the network

std::size_t MicroScsp::largest_domain() const {
    std::size_t largest = 0;
    for (const Variable& variable : variables) largest = std::max(largest, variable.domain.size());
    return largest;
}

std::size_t MicroScsp::tables() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(constraints, [](const Constraint& constraint) { return constraint.table; }));
}

void MicroScsp::fix(VariableId variable, Value value) {
    auto& domain = variables[variable].domain;
    const bool had = std::ranges::binary_search(domain, value);
    domain.clear();
    if (had) {
        domain.push_back(value);
    } else {
        consistent = false;
    }
}

void MicroScsp::load(const gdl::State& state) {
    for (VariableId v = 0; v < variables.size(); ++v) {
        const Variable& variable = variables[v];
        if (variable.kind != Kind::now) continue;
        std::optional<Value> held;
        std::optional<Value> otherwise;
        for (Value value = 0; value < variable.values.size(); ++value) {
            const std::uint32_t f = variable.meaning[value];
            if (f == Variable::nothing) {
                otherwise = value;
            } else if ((state[f / 64] >> (f % 64) & 1) != 0) {
                if (held) {
                    throw Error(fmt::format("this state holds {} and {} of {} at once",
                                            variable.values[*held], variable.values[value], variable.name),
                                "no play reaches this state; give another one");
                }
                held = value;
            }
        }
        if (!held && !otherwise) {
            throw Error(fmt::format("this state gives no value to {}", variable.name),
                        "no play reaches this state; give another one");
        }
        fix(v, held ? *held : *otherwise);
    }
}

// ------------------------------------------------------------------------------------------ the evaluator

std::vector<std::uint32_t> nodes_below(const Network& network, std::uint32_t node) {
    std::set<std::uint32_t> met = {node};
    std::vector<std::uint32_t> todo = {node};
    const auto meet = [&](std::uint32_t other) {
        if (met.insert(other).second) todo.push_back(other);
    };
    while (!todo.empty()) {
        const std::uint32_t gate = todo.back();
        todo.pop_back();
        if (gate < network.first_gate) continue;
        for (const Signal s : network.inputs_of(gate)) meet(s.node());
        const auto stretch =
            std::upper_bound(network.stretches.begin(), network.stretches.end(), gate,
                             [](std::uint32_t g, const Network::Stretch& s) { return g < s.last; });
        for (std::uint32_t other = stretch->first; stretch->loop && other < stretch->last; ++other)
            meet(other);
    }
    met.erase(0);
    return {met.begin(), met.end()};
}

ConstraintEvaluator::ConstraintEvaluator(const MicroScsp& micro) : micro_(micro) {
    if (micro.network == nullptr) return;
    value_.assign(micro.network->nodes, 0);
    value_[0] = 1;
    stretch_of_.resize(micro.network->gates());
    for (std::uint32_t i = 0; i < micro.network->stretches.size(); ++i) {
        const auto& stretch = micro.network->stretches[i];
        for (std::uint32_t gate = stretch.first; gate < stretch.last; ++gate)
            stretch_of_[gate - micro.network->first_gate] = i;
    }
}

const std::vector<std::uint32_t>& ConstraintEvaluator::cone(std::uint32_t node) {
    const auto [found, added] = cones_.try_emplace(node);
    if (added) found->second = nodes_below(*micro_.network, node);
    return found->second;
}

bool ConstraintEvaluator::holds(Signal signal, std::span<const Value> assignment) {
    const Network& network = *micro_.network;
    const auto evaluate = [&](std::uint32_t gate) {
        return std::ranges::all_of(network.inputs_of(gate),
                                   [&](Signal s) { return (value_[s.node()] != 0) != s.negated(); });
    };
    const auto& nodes = cone(signal.node());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const std::uint32_t node = nodes[i];
        if (node < network.first_gate) {
            const auto& literal = micro_.literals[node];
            value_[node] = assignment[literal.variable] == literal.value ? 1 : 0;
            continue;
        }
        const auto& stretch = network.stretches[stretch_of_[node - network.first_gate]];
        if (!stretch.loop) {
            value_[node] = evaluate(node) ? 1 : 0;
            continue;
        }
        for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) value_[gate] = 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (std::uint32_t gate = stretch.rules; gate < stretch.last; ++gate)
                value_[gate] = evaluate(gate) ? 1 : 0;
            for (std::uint32_t gate = stretch.first; gate < stretch.rules; ++gate) {
                if (value_[gate] == 0 || evaluate(gate)) continue;
                value_[gate] = 0;
                grown = true;
            }
        }
        i += stretch.last - node - 1;
    }
    return (value_[signal.node()] != 0) != signal.negated();
}

namespace {

bool respected(const Link& link, bool holds, Value value) {
    if (!holds) return value != link.value;
    switch (link.sense) {
        case Link::Sense::exactly:
            return value == link.value;
        case Link::Sense::only_if:
            return true;
        case Link::Sense::first:
            return value <= link.value;
    }
    return false;
}

}  // namespace

bool ConstraintEvaluator::allows(const Constraint& constraint, std::span<const Value> assignment) {
    if (!constraint.table) {
        return std::ranges::all_of(constraint.links, [&](const Link& link) {
            return respected(link, holds(link.signal, assignment), assignment[link.variable]);
        });
    }
    // Tuples are in order: halve the part in which this one would be.
    std::size_t low = 0;
    std::size_t high = constraint.count();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const auto tuple = constraint.tuple(middle);
        std::size_t i = 0;
        while (i < tuple.size() && tuple[i] == assignment[constraint.scope[i]]) ++i;
        if (i == tuple.size()) return true;
        (tuple[i] < assignment[constraint.scope[i]] ? low : high) =
            tuple[i] < assignment[constraint.scope[i]] ? middle + 1 : middle;
    }
    return false;
}

std::vector<VariableId> ConstraintEvaluator::inputs(Signal signal) {
    std::vector<VariableId> variables;
    if (signal.node() == 0) return variables;
    for (const std::uint32_t node : cone(signal.node())) {
        if (node < micro_.network->first_gate) variables.push_back(micro_.literals[node].variable);
    }
    std::ranges::sort(variables);
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
    return variables;
}

// ------------------------------------------------------------------------------------------ from a game

namespace {

class Translation {
public:
    Translation(const gdl::Game& game, const MutexGroups& mutex_groups, const MicroScspOptions& options)
        : game_(game), network_(game.machine().network()), mutex_groups_(mutex_groups), options_(options) {}

    MicroScsp run() {
        result_.network = &network_;
        result_.literals.resize(network_.first_gate);
        add_variables();
        ConstraintEvaluator evaluator(result_);
        for (const auto& [rule, link] : links_) {
            if (options_.limits.reached() != Stop::none) {
                throw LimitReached(options_.limits.reached(), "while building the constraints",
                                   "raise the limit, or allow fewer tuples per table");
            }
            add_constraint(rule, link, evaluator);
        }
        return std::move(result_);
    }

private:
    VariableId add(Kind kind, std::uint32_t role, std::string name) {
        result_.variables.push_back({kind, role, std::move(name), {}, {}, {}});
        return static_cast<VariableId>(result_.variables.size() - 1);
    }
    Value add_value(VariableId variable, std::string text, std::uint32_t meaning) {
        Variable& of = result_.variables[variable];
        of.values.push_back(std::move(text));
        of.meaning.push_back(meaning);
        of.domain.push_back(static_cast<Value>(of.domain.size()));
        return of.domain.back();
    }

    // The place in which the terms of a group differ; each has another argument there.
    [[nodiscard]] std::optional<std::size_t> place(const std::vector<std::uint32_t>& group) const {
        const auto first = network_.terms.arguments(network_.fluents[group[0]]);
        const auto second = network_.terms.arguments(network_.fluents[group[1]]);
        for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
            if (first[i] != second[i]) return i;
        }
        return std::nullopt;
    }

    void add_state(Kind kind) {
        std::vector<const MutexGroups::Group*> group_of(network_.fluents.size(), nullptr);
        for (const auto& group : mutex_groups_.groups) {
            for (const std::uint32_t f : group.fluents) group_of[f] = &group;
        }
        const auto set_value = [&](std::uint32_t fluent, VariableId variable, Value value) {
            if (kind == Kind::now) {
                result_.literals[1 + fluent] = {variable, value};
            } else {
                links_.push_back(
                    {Rule::next, {variable, value, network_.next[fluent], Link::Sense::exactly}});
            }
        };
        std::set<const MutexGroups::Group*> done;
        for (std::uint32_t f = 0; f < network_.fluents.size(); ++f) {
            const MutexGroups::Group* group = group_of[f];
            if (group == nullptr) {
                const VariableId variable = add(kind, Variable::nothing, game_.text(network_.fluents[f]));
                add_value(variable, "no", Variable::nothing);
                set_value(f, variable, add_value(variable, "yes", f));
            } else if (done.insert(group).second) {
                add_group(kind, *group, set_value);
            }
        }
    }

    template <class SetValue>
    void add_group(Kind kind, const MutexGroups::Group& group, const SetValue& set_value) {
        const auto differ = place(group.fluents);
        const gdl::TermId first = network_.fluents[group.fluents[0]];
        std::string name = game_.text(first);
        if (differ) {
            std::vector<std::string> words = {game_.description().symbols.name(network_.terms.symbol(first))};
            for (const gdl::TermId argument : network_.terms.arguments(first))
                words.push_back(game_.text(argument));
            words[*differ + 1] = "?";
            name = fmt::format("({})", fmt::join(words, " "));
        }
        const VariableId variable = add(kind, Variable::nothing, std::move(name));
        for (const std::uint32_t f : group.fluents) {
            const gdl::TermId term = network_.fluents[f];
            set_value(
                f, variable,
                add_value(variable, game_.text(differ ? network_.terms.arguments(term)[*differ] : term), f));
        }
        if (!group.exact) add_value(variable, "none", Variable::nothing);
    }

    void add_variables() {
        const VariableId terminal = add(Kind::terminal, Variable::nothing, "terminal");
        add_value(terminal, "no", Variable::nothing);
        add_value(terminal, "yes", 0);
        result_.constraints.push_back({Rule::goes_on, {terminal}, true, {0}, {}});
        links_.push_back({Rule::terminal, {terminal, 1, network_.terminal, Link::Sense::exactly}});
        add_state(Kind::now);
        add_state(Kind::next);
        const auto chance = chance_role(network_);
        for (std::uint32_t r = 0; r < network_.roles.size(); ++r) {
            const std::string role = game_.text(network_.roles[r]);
            const VariableId action =
                add(chance == r ? Kind::chance : Kind::action, r, fmt::format("(does {})", role));
            for (gdl::MoveId m = 0; m < network_.moves[r].size(); ++m) {
                const auto& move = network_.moves[r][m];
                const Value value = add_value(action, game_.text(move.term), m);
                result_.literals[move.node] = {action, value};
                links_.push_back({Rule::legal, {action, value, move.legal, Link::Sense::only_if}});
            }
            result_.consistent = result_.consistent && !network_.moves[r].empty();
        }
        for (std::uint32_t r = 0; r < network_.roles.size(); ++r) {
            if (network_.goals[r].empty()) continue;
            const VariableId goal =
                add(Kind::goal, r, fmt::format("(goal {})", game_.text(network_.roles[r])));
            bool always = false;
            for (std::uint32_t i = 0; i < network_.goals[r].size(); ++i) {
                const auto& stated = network_.goals[r][i];
                const Value value = add_value(goal, std::to_string(stated.value), i);
                links_.push_back({Rule::goal, {goal, value, stated.holds, Link::Sense::first}});
                always = always || stated.holds == Network::always;
            }
            if (!always) add_value(goal, "none", Variable::nothing);
        }
        for (std::uint32_t r = 0; options_.percepts && r < network_.roles.size(); ++r) {
            for (std::uint32_t i = 0; i < network_.sees[r].size(); ++i) {
                const auto& percept = network_.sees[r][i];
                const VariableId seen =
                    add(Kind::percept, r,
                        fmt::format("(sees {} {})", game_.text(network_.roles[r]), game_.text(percept.term)));
                add_value(seen, "no", Variable::nothing);
                add_value(seen, "yes", i);
                links_.push_back({Rule::sees, {seen, 1, percept.seen, Link::Sense::exactly}});
            }
        }
    }

    void add_constraint(Rule rule, const Link& link, ConstraintEvaluator& evaluator) {
        if (link.sense == Link::Sense::only_if && link.signal == Network::always) return;
        const std::vector<VariableId> inputs = evaluator.inputs(link.signal);
        Constraint made{rule, inputs, true, {}, {}};
        made.scope.insert(std::ranges::upper_bound(made.scope, link.variable), link.variable);
        std::size_t combinations = 1;
        for (const VariableId v : made.scope) {
            combinations *= result_.variables[v].values.size();
            if (combinations > options_.most_tuples) break;
        }
        if (combinations > options_.most_tuples) {
            made.table = false;
            made.links.push_back(link);
        } else {
            fill(made, link, evaluator);
        }
        result_.constraints.push_back(std::move(made));
    }

    // Counts through all values of the inputs; the last one moves fastest.
    void fill(Constraint& table, const Link& link, ConstraintEvaluator& evaluator) {
        table.table = false;
        table.links = {link};
        std::vector<Value> assignment(result_.variables.size(), 0);
        for (bool more = true; more;) {
            if (evaluator.allows(table, assignment)) {
                for (const VariableId v : table.scope) table.tuples.push_back(assignment[v]);
            }
            more = false;
            for (std::size_t i = table.scope.size(); i-- > 0 && !more;) {
                Value& value = assignment[table.scope[i]];
                more = ++value < result_.variables[table.scope[i]].values.size();
                if (!more) value = 0;
            }
        }
        table.table = true;
        table.links.clear();
    }

    const gdl::Game& game_;
    const Network& network_;
    const MutexGroups& mutex_groups_;
    const MicroScspOptions& options_;
    MicroScsp result_;
    std::vector<std::pair<Rule, Link>> links_;
};

}  // namespace

MicroScsp make_micro_scsp(const gdl::Game& game, const MutexGroups& mutex_groups,
                          const MicroScspOptions& options) {
    return Translation(game, mutex_groups, options).run();
}

// ------------------------------------------------------------------------------------------ printing

void print(std::ostream& out, const MicroScsp& micro, std::size_t most_tuples) {
    const auto name = [&](VariableId v) {
        const Variable& variable = micro.variables[v];
        return variable.kind == Kind::next ? fmt::format("next {}", variable.name) : variable.name;
    };
    for (VariableId v = 0; v < micro.variables.size(); ++v) {
        const Variable& variable = micro.variables[v];
        std::vector<std::string> left;
        for (const Value value : variable.domain) left.push_back(variable.values[value]);
        out << fmt::format("{:<8} {} in {{{}}}\n", describe(variable.kind), name(v), fmt::join(left, ", "));
    }
    for (const Constraint& constraint : micro.constraints) {
        std::vector<std::string> scope;
        for (const VariableId v : constraint.scope) scope.push_back(name(v));
        if (!constraint.table) {
            std::vector<std::string> about;
            for (const Link& link : constraint.links)
                about.push_back(fmt::format("{} = {}", name(link.variable),
                                            micro.variables[link.variable].values[link.value]));
            out << fmt::format("{}: [{}] gates for {}\n", describe(constraint.rule), fmt::join(scope, ", "),
                               fmt::join(about, ", "));
            continue;
        }
        out << fmt::format("{}: [{}] {} {}\n", describe(constraint.rule), fmt::join(scope, ", "),
                           constraint.count(), constraint.count() == 1 ? "tuple" : "tuples");
        for (std::size_t i = 0; i < constraint.count() && constraint.count() <= most_tuples; ++i) {
            std::vector<std::string> words;
            for (std::size_t k = 0; k < constraint.scope.size(); ++k)
                words.push_back(micro.variables[constraint.scope[k]].values[constraint.tuple(i)[k]]);
            out << fmt::format("  {}\n", fmt::join(words, ", "));
        }
    }
}

namespace {

std::string quoted(const std::string& text) { return '"' + dot_escaped(text) + '"'; }

}  // namespace

void write_dot(std::ostream& out, const MicroScsp& micro) {
    out << "graph network {\n"
           "  graph [layout=neato, overlap=false, splines=line, outputorder=edgesfirst];\n"
           "  node [fontname=\"sans-serif\"];\n  edge [color=grey50];\n";
    for (VariableId v = 0; v < micro.variables.size(); ++v) {
        const Variable& variable = micro.variables[v];
        const char* colour = variable.kind == Kind::now      ? "lightblue"
                             : variable.kind == Kind::next   ? "lightgreen"
                             : variable.kind == Kind::action ? "orange"
                             : variable.kind == Kind::chance ? "violet"
                                                             : "white";
        out << fmt::format("  v{} [label={}, shape=ellipse, style=filled, fillcolor={}];\n", v,
                           quoted(fmt::format("{}\n{} {}", variable.name, variable.domain.size(),
                                              variable.domain.size() == 1 ? "value" : "values")),
                           colour);
    }
    for (std::size_t c = 0; c < micro.constraints.size(); ++c) {
        const Constraint& constraint = micro.constraints[c];
        out << fmt::format("  c{} [label={}, shape=box{}];\n", c, quoted(describe(constraint.rule)),
                           constraint.table ? ", style=filled, fillcolor=lightgrey" : "");
        for (const VariableId v : constraint.scope) out << fmt::format("  c{} -- v{};\n", c, v);
    }
    out << "}\n";
}

}  // namespace zermelo::scsp
