#include "scsp/micro_scsp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "core/format/dot.hpp"

namespace zermelo::scsp {

using gdl::Network;

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
