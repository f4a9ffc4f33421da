#include "gdl/circuit/network.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "gdl/circuit/network_builder.hpp"

namespace zermelo::gdl {

Network NetworkBuilder::run() {
    make_inputs();
    group_rules();
    find_components();
    for (const auto& component : components_) build(component);
    collect_outputs();
    order_gates();
    return std::move(result_);
}

void NetworkBuilder::make_inputs() {
    result_.roles = g_.roles;
    result_.moves.resize(g_.roles.size());
    result_.goals.resize(g_.roles.size());
    result_.sees.resize(g_.roles.size());
    value_.assign(g_.atoms(), Network::never);
    known_.assign(g_.atoms(), false);
    std::uint32_t node = 1;
    for (AtomId a = 0; a < g_.atoms(); ++a) {
        if (g_.kind[a] != AtomKind::fluent) continue;
        check_limits(g_.partner[a] == Grounding::none ? g_.initial.size() : 1);
        // A fluent that nothing makes true is false for ever, unless it holds at the start.
        if (g_.partner[a] == Grounding::none &&
            std::find(g_.initial.begin(), g_.initial.end(), a) == g_.initial.end()) {
            known_[a] = true;
            continue;
        }
        set_input(a, node++);
        result_.fluents.push_back(g_.term[a]);
        fluent_atom_.push_back(a);
    }
    result_.first_move = node;
    for (AtomId a = 0; a < g_.atoms(); ++a) {
        if (g_.kind[a] != AtomKind::move) continue;
        if (g_.partner[a] == Grounding::none) {
            known_[a] = true;
            continue;
        }
        set_input(a, node);
        result_.moves[g_.role[a]].push_back({g_.term[a], Network::never, node});
        role_of_move_.push_back(g_.role[a]);
        move_atom_.push_back(a);
        ++node;
    }
    result_.first_gate = node;
    for (const AtomId a : g_.facts) {
        if (known_[a]) continue;
        known_[a] = true;
        value_[a] = Network::always;
    }
}

void NetworkBuilder::set_input(AtomId a, std::uint32_t node) {
    known_[a] = true;
    value_[a] = Signal(node, false);
}

void NetworkBuilder::group_rules() {
    rules_of_.assign(g_.atoms() + 1, 0);
    g_.each_rule([&](const Grounding::Rule& rule) {
        check_limits(1);
        ++rules_of_[rule.head + 1];
    });
    for (std::size_t a = 0; a < g_.atoms(); ++a) rules_of_[a + 1] += rules_of_[a];
    rule_at_.resize(g_.rule_count);
    std::vector<std::uint32_t> fill(rules_of_.begin(), rules_of_.end());
    for (std::size_t at = 0; at < g_.rules.size(); at += 3 + g_.rules[at + 1] + g_.rules[at + 2]) {
        check_limits(1);
        rule_at_[fill[g_.rules[at]]++] = static_cast<std::uint32_t>(at);
    }
}

// Strongly connected components of the atoms (Tarjan 1972, without recursion), those that others need first.
void NetworkBuilder::find_components() {
    const auto n = static_cast<AtomId>(g_.atoms());
    std::vector<std::uint32_t> index(n, unset);
    std::vector<std::uint32_t> low(n, 0);
    std::vector<bool> on_stack(n, false);
    std::vector<AtomId> stack;
    struct Frame {
        AtomId atom;
        std::uint32_t rule;
        std::uint32_t place;
    };
    std::vector<Frame> frames;
    std::uint32_t counter = 0;
    const auto enter = [&](AtomId a) {
        index[a] = low[a] = counter++;
        stack.push_back(a);
        on_stack[a] = true;
        frames.push_back({a, 0, 0});
    };
    for (AtomId root = 0; root < n; ++root) {
        if (index[root] != unset || known_[root]) continue;
        enter(root);
        while (!frames.empty()) {
            check_limits(1);
            Frame& frame = frames.back();
            const AtomId a = frame.atom;
            const auto own = rules(a);
            bool descended = false;
            while (!descended && frame.rule < own.size()) {  // entering another atom moves the frames
                const std::uint32_t at = own[frame.rule];
                const std::uint32_t count = g_.rules[at + 1] + g_.rules[at + 2];
                if (frame.place == count) {
                    ++frame.rule;
                    frame.place = 0;
                    continue;
                }
                const AtomId to = g_.rules[at + 3 + frame.place++];
                if (known_[to]) continue;
                if (index[to] == unset) {
                    enter(to);
                    descended = true;
                } else if (on_stack[to]) {
                    low[a] = std::min(low[a], index[to]);
                }
            }
            if (descended) continue;
            frames.pop_back();
            if (!frames.empty()) low[frames.back().atom] = std::min(low[frames.back().atom], low[a]);
            if (low[a] != index[a]) continue;
            auto& component = components_.emplace_back();
            for (bool more = true; more;) {
                component.push_back(stack.back());
                on_stack[stack.back()] = false;
                more = stack.back() != a;
                stack.pop_back();
            }
        }
    }
}

void NetworkBuilder::build(const std::vector<AtomId>& component) {
    const AtomId first = component.front();
    check_limits(component.size());
    bool loop = component.size() > 1;
    if (!loop) each_body_atom(first, [&](AtomId a, bool) { loop = loop || a == first; });
    if (!loop) {
        value_[first] = disjunction(first);
        known_[first] = true;
        return;
    }
    // Every atom of a loop gets a gate before the gates of its rules can refer to it. Gates of a loop are
    // not shared with others: their values are not settled until the loop is.
    loop_ = static_cast<int>(loops_++);
    std::vector<std::uint32_t> gates;
    for (const AtomId a : component) {
        gates.push_back(add_gate({}));
        gates_.back().atom = true;
        value_[a] = Signal(gates.back(), true);
        known_[a] = true;
    }
    for (const AtomId a : component) {
        each_body_atom(a, [&](AtomId body, bool negative) {
            check_limits(negative ? component.size() : 1);
            if (negative && std::find(component.begin(), component.end(), body) != component.end()) {
                throw NegativeLoop("a relation depends on its own negation", "break the loop through `not`");
            }
        });
    }
    for (std::size_t i = 0; i < component.size(); ++i) {
        std::vector<Signal> inputs;
        for (const std::uint32_t at : rules(component[i])) inputs.push_back(!conjunction(at));
        check_limits(inputs.size());
        gates_[gates[i] - result_.first_gate].inputs = std::move(inputs);
    }
    loop_ = -1;
}

Signal NetworkBuilder::disjunction(AtomId a) {
    std::vector<std::vector<Signal>> terms;
    for (const std::uint32_t at : rules(a)) terms.push_back(inputs_of_rule(at));
    check_limits(terms.size());
    if (terms.size() > 1) factor_moves(terms);
    return any_term(std::move(terms));
}

std::vector<Signal> NetworkBuilder::inputs_of_rule(std::uint32_t at) {
    const std::uint32_t p = g_.rules[at + 1];
    const std::uint32_t n = g_.rules[at + 2];
    check_limits(1 + p + n);
    std::vector<Signal> inputs;
    for (std::uint32_t i = 0; i < p + n; ++i) {
        const Signal s = value_[g_.rules[at + 3 + i]];
        inputs.push_back(i < p ? s : !s);
    }
    std::sort(inputs.begin(), inputs.end(), [](Signal x, Signal y) { return x.code() < y.code(); });
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    return inputs;
}

// Structural hashing: equal conjunctions outside of loops are one gate.
Signal NetworkBuilder::conjunction(std::vector<Signal> inputs) {
    std::sort(inputs.begin(), inputs.end(), [](Signal a, Signal b) { return a.code() < b.code(); });
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    std::erase(inputs, Network::always);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i] == Network::never || (i > 0 && inputs[i].node() == inputs[i - 1].node()))
            return Network::never;
    }
    if (inputs.empty()) return Network::always;
    if (inputs.size() == 1) return inputs.front();
    if (loop_ >= 0) return {add_gate(std::move(inputs)), false};
    Hasher hasher;
    for (const Signal s : inputs) hasher.add(s.code());
    const auto [found, added] = shared_.try_emplace(hasher.value(), 0);
    if (added) found->second = add_gate(std::move(inputs));
    return {found->second, false};
}

std::uint32_t NetworkBuilder::add_gate(std::vector<Signal> inputs) {
    ask_to_grow(gates_, building);
    gates_.push_back({std::move(inputs), loop_, false});
    return result_.first_gate + static_cast<std::uint32_t>(gates_.size()) - 1;
}

void NetworkBuilder::collect_outputs() {
    result_.initial.assign(result_.fluents.size(), false);
    result_.next.assign(result_.fluents.size(), Network::never);
    std::vector<std::uint32_t> fluent_of(g_.atoms(), unset);
    for (std::size_t i = 0; i < fluent_atom_.size(); ++i) {
        const AtomId a = fluent_atom_[i];
        fluent_of[a] = static_cast<std::uint32_t>(i);
        if (g_.partner[a] != Grounding::none) result_.next[i] = value_[g_.partner[a]];
    }
    for (const AtomId a : g_.initial) result_.initial[fluent_of[a]] = true;
    std::vector<std::size_t> filled(result_.moves.size(), 0);
    for (const AtomId a : move_atom_) {
        result_.moves[g_.role[a]][filled[g_.role[a]]++].legal = value_[g_.partner[a]];
    }
    result_.terminal = Network::never;
    for (AtomId a = 0; a < g_.atoms(); ++a) {
        if (g_.kind[a] == AtomKind::terminal) result_.terminal = value_[a];
        if (g_.kind[a] == AtomKind::sees) result_.sees[g_.role[a]].push_back({g_.term[a], value_[a]});
        if (g_.kind[a] != AtomKind::goal) continue;
        // A goal that is not a number from 0 to 100 means nothing; the checks complain about it.
        const std::string& name = symbols_.name(g_.terms.symbol(g_.term[a]));
        int value = 0;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), value);
        if (problem == std::errc() && end == name.data() + name.size()) {
            result_.goals[g_.role[a]].push_back({value, value_[a]});
        }
    }
    result_.terms = std::move(g_.terms);
}

Network build_network(Grounding grounding, const Symbols& symbols) {
    return NetworkBuilder(std::move(grounding), symbols).run();
}

}  // namespace zermelo::gdl
