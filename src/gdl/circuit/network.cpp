#include "gdl/circuit/network.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/hash.hpp"
#include "core/limits.hpp"

namespace zermelo::gdl {

namespace {

class Builder {
public:
    Builder(Grounding grounding, const Symbols& symbols) : g_(std::move(grounding)), symbols_(symbols) {}

    Network run() {
        make_inputs();
        group_rules();
        find_components();
        for (const auto& component : components_) build(component);
        collect_outputs();
        order_gates();
        return std::move(result_);
    }

private:
    static constexpr std::uint32_t unset = ~std::uint32_t{0};
    static constexpr std::size_t least_to_factor = 16;
    static constexpr std::size_t work_between_questions = 16'384;

    struct Gate {
        std::vector<Signal> inputs;
        int loop = -1;      // which loop it belongs to
        bool atom = false;  // it is the negation of an atom of the loop
    };

    // Work that nobody waits for any more ends here.
    void ask(std::size_t work) {
        work_ += work;
        if (work_ < work_between_questions) return;
        work_ = 0;
        if (const Stop stop = limits_.reached(); stop != Stop::none)
            throw LimitReached(stop, "while the network was built", "allow more");
    }

    void make_inputs() {
        result_.roles = g_.roles;
        result_.moves.resize(g_.roles.size());
        result_.goals.resize(g_.roles.size());
        result_.sees.resize(g_.roles.size());
        value_.assign(g_.atoms(), Network::never);
        known_.assign(g_.atoms(), false);
        std::uint32_t node = 1;
        for (AtomId a = 0; a < g_.atoms(); ++a) {
            if (g_.kind[a] != AtomKind::fluent) continue;
            ask(g_.partner[a] == Grounding::none ? g_.initial.size() : 1);
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

    void set_input(AtomId a, std::uint32_t node) {
        known_[a] = true;
        value_[a] = Signal(node, false);
    }

    void group_rules() {
        rules_of_.assign(g_.atoms() + 1, 0);
        g_.each_rule([&](const Grounding::Rule& rule) { ++rules_of_[rule.head + 1]; });
        for (std::size_t a = 0; a < g_.atoms(); ++a) rules_of_[a + 1] += rules_of_[a];
        rule_at_.resize(g_.rule_count);
        std::vector<std::uint32_t> fill(rules_of_.begin(), rules_of_.end());
        for (std::size_t at = 0; at < g_.rules.size(); at += 3 + g_.rules[at + 1] + g_.rules[at + 2]) {
            rule_at_[fill[g_.rules[at]]++] = static_cast<std::uint32_t>(at);
        }
    }

    [[nodiscard]] std::span<const std::uint32_t> rules(AtomId a) const {
        return {rule_at_.data() + rules_of_[a], rules_of_[a + 1] - rules_of_[a]};
    }

    template <class Visit>
    void each_body_atom(AtomId a, Visit visit) const {  // visit(atom, negative)
        for (const std::uint32_t at : rules(a)) {
            const std::uint32_t p = g_.rules[at + 1];
            const std::uint32_t n = g_.rules[at + 2];
            for (std::uint32_t i = 0; i < p + n; ++i) visit(g_.rules[at + 3 + i], i >= p);
        }
    }

    // Tarjan's algorithm without recursion: components of atoms, those that others need first.
    void find_components() {
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
                ask(1);
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

    void build(const std::vector<AtomId>& component) {
        const AtomId first = component.front();
        ask(component.size());
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
                ask(negative ? component.size() : 1);
                if (negative && std::find(component.begin(), component.end(), body) != component.end()) {
                    throw NegativeLoop("a relation depends on its own negation",
                                       "break the loop through `not`");
                }
            });
        }
        for (std::size_t i = 0; i < component.size(); ++i) {
            std::vector<Signal> inputs;
            for (const std::uint32_t at : rules(component[i])) inputs.push_back(!conjunction(at));
            ask(inputs.size());
            gates_[gates[i] - result_.first_gate].inputs = std::move(inputs);
        }
        loop_ = -1;
    }

    Signal disjunction(AtomId a) {
        std::vector<std::vector<Signal>> terms;
        for (const std::uint32_t at : rules(a)) terms.push_back(inputs_of_rule(at));
        ask(terms.size());
        if (terms.size() > 1) factor_moves(terms);
        return any_term(std::move(terms));
    }

    // The disjunction of conjunctions. Many of them are taken apart by their most frequent input, again and
    // again, so that what they share is one gate: lines over all combinations of pieces shrink to a few
    // decisions a cell.
    Signal any_term(std::vector<std::vector<Signal>> terms) {
        std::vector<Signal> none_of;
        std::unordered_map<std::uint32_t, std::uint32_t> frequency;
        while (terms.size() >= least_to_factor) {
            ask(terms.size());
            frequency.clear();
            for (const auto& term : terms) {
                if (term.empty()) return Network::always;
                for (const Signal s : term) ++frequency[s.code()];
            }
            std::pair<std::uint32_t, std::uint32_t> best{0,
                                                         0};  // how often, and which: the smallest of equals
            for (const auto& [code, count] : frequency) {
                if (count > best.first || (count == best.first && code < best.second)) best = {count, code};
            }
            if (best.first < 2) break;
            const Signal shared(best.second >> 1, (best.second & 1) != 0);
            std::vector<std::vector<Signal>> with;
            std::vector<std::vector<Signal>> without;
            for (auto& term : terms) {
                const auto at = std::find(term.begin(), term.end(), shared);
                if (at == term.end()) {
                    without.push_back(std::move(term));
                } else {
                    term.erase(at);
                    with.push_back(std::move(term));
                }
            }
            none_of.push_back(!conjunction({shared, any_term(std::move(with))}));
            terms = std::move(without);
        }
        for (auto& term : terms) none_of.push_back(!conjunction(std::move(term)));
        return !conjunction(std::move(none_of));
    }

    Signal conjunction(std::uint32_t at) { return conjunction(inputs_of_rule(at)); }

    [[nodiscard]] std::vector<Signal> inputs_of_rule(std::uint32_t at) const {
        const std::uint32_t p = g_.rules[at + 1];
        const std::uint32_t n = g_.rules[at + 2];
        std::vector<Signal> inputs;
        for (std::uint32_t i = 0; i < p + n; ++i) {
            const Signal s = value_[g_.rules[at + 3 + i]];
            inputs.push_back(i < p ? s : !s);
        }
        std::sort(inputs.begin(), inputs.end(), [](Signal x, Signal y) { return x.code() < y.code(); });
        inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
        return inputs;
    }

    // Terms that differ only in the move of one role become one term with the disjunction of these moves. A
    // role makes exactly one move, so the disjunction of most of its moves is the negation of the few others:
    // a frame rule that lists all moves which leave a fluent alone shrinks to those that do not.
    void factor_moves(std::vector<std::vector<Signal>>& terms) {
        for (std::size_t role = g_.roles.size(); role-- > 0;) {
            const auto is_move = [&](Signal s) {
                return !s.negated() && s.node() >= result_.first_move && s.node() < result_.first_gate &&
                       role_of_move_[s.node() - result_.first_move] == role;
            };
            std::unordered_map<Hash128, std::size_t, LowBitsHash> group_of;
            struct Group {
                std::vector<Signal> rest;
                std::vector<Signal> moves;
            };
            std::vector<Group> groups;
            std::vector<std::vector<Signal>> others;
            for (auto& term : terms) {
                const auto move = std::find_if(term.begin(), term.end(), is_move);
                if (move == term.end()) {
                    others.push_back(std::move(term));
                    continue;
                }
                const Signal chosen = *move;
                term.erase(move);
                Hasher hasher;
                for (const Signal s : term) hasher.add(s.code());
                const auto [found, added] = group_of.try_emplace(hasher.value(), groups.size());
                if (added) groups.push_back({std::move(term), {}});
                groups[found->second].moves.push_back(chosen);
            }
            for (Group& group : groups) {
                group.rest.push_back(any_of(role, std::move(group.moves)));
                others.push_back(std::move(group.rest));
            }
            terms = std::move(others);
        }
    }

    Signal any_of(std::size_t role, std::vector<Signal> moves) {
        const auto& all = result_.moves[role];
        ask(moves.size() * 2 > all.size() ? all.size() : moves.size());
        bool inverted = false;
        if (moves.size() * 2 > all.size()) {
            std::vector<bool> listed(result_.first_gate - result_.first_move, false);
            for (const Signal s : moves) listed[s.node() - result_.first_move] = true;
            moves.clear();
            for (const auto& move : all) {
                if (!listed[move.node - result_.first_move]) moves.emplace_back(move.node, false);
            }
            inverted = true;
        }
        for (Signal& s : moves) s = !s;
        const Signal none = conjunction(std::move(moves));
        return inverted ? none : !none;
    }

    Signal conjunction(std::vector<Signal> inputs) {
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

    std::uint32_t add_gate(std::vector<Signal> inputs) {
        gates_.push_back({std::move(inputs), loop_, false});
        return result_.first_gate + static_cast<std::uint32_t>(gates_.size()) - 1;
    }

    void collect_outputs() {
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

    // Keeps what the outputs need, gates that depend only on the state first, and renumbers.
    void order_gates() {
        const std::uint32_t base = result_.first_gate;
        std::vector<bool> needed(gates_.size(), false);
        std::vector<std::uint32_t> todo;
        const auto need = [&](Signal s) {
            if (s.node() >= base && !needed[s.node() - base]) {
                needed[s.node() - base] = true;
                todo.push_back(s.node() - base);
            }
        };
        need(result_.terminal);
        for (const Signal s : result_.next) need(s);
        for (const auto& role : result_.moves)
            for (const auto& move : role) need(move.legal);
        for (const auto& role : result_.goals)
            for (const auto& goal : role) need(goal.holds);
        for (const auto& role : result_.sees)
            for (const auto& percept : role) need(percept.seen);
        while (!todo.empty()) {
            const std::uint32_t gate = todo.back();
            todo.pop_back();
            for (const Signal s : gates_[gate].inputs) need(s);
        }
        // A gate is late when an input is a move or late; all gates of a loop are late together.
        std::vector<bool> late(gates_.size(), false);
        std::vector<bool> late_loop(loops_, false);
        for (bool changed = true; changed;) {
            changed = false;
            ask(gates_.size());
            for (std::size_t i = 0; i < gates_.size(); ++i) {
                if (late[i]) continue;
                bool is = gates_[i].loop >= 0 && late_loop[gates_[i].loop];
                for (const Signal s : gates_[i].inputs) {
                    is = is || (s.node() >= result_.first_move && (s.node() < base || late[s.node() - base]));
                }
                if (!is) continue;
                late[i] = true;
                if (gates_[i].loop >= 0 && !late_loop[gates_[i].loop]) {
                    late_loop[gates_[i].loop] = true;
                    changed = true;
                }
            }
        }
        std::vector<std::uint32_t> number(gates_.size(), unset);
        std::vector<std::uint32_t> order;
        std::uint32_t next = base;
        for (const bool phase : {false, true}) {
            if (phase) {
                result_.first_late = next;
                result_.early_stretches = result_.stretches.size();
            }
            bool fresh = true;  // a stretch may not go on across the phases
            for (std::uint32_t i = 0; i < gates_.size(); ++i) {
                if (!needed[i] || late[i] != phase) continue;
                const bool loop = gates_[i].loop >= 0;
                const bool same = !fresh && !result_.stretches.empty() &&
                                  result_.stretches.back().loop == loop &&
                                  (!loop || gates_[order.back()].loop == gates_[i].loop);
                if (same) {
                    ++result_.stretches.back().last;
                } else {
                    result_.stretches.push_back({next, next + 1, loop, next});
                }
                if (gates_[i].atom) result_.stretches.back().rules = next + 1;
                fresh = false;
                order.push_back(i);
                number[i] = next++;
            }
        }
        const auto renumber = [&](Signal s) {
            return s.node() < base ? s : Signal(number[s.node() - base], s.negated());
        };
        result_.nodes = next;
        for (const std::uint32_t i : order) {
            result_.start.push_back(static_cast<std::uint32_t>(result_.inputs.size()));
            for (const Signal s : gates_[i].inputs) result_.inputs.push_back(renumber(s));
        }
        result_.start.push_back(static_cast<std::uint32_t>(result_.inputs.size()));
        result_.terminal = renumber(result_.terminal);
        for (Signal& s : result_.next) s = renumber(s);
        for (auto& role : result_.moves)
            for (auto& move : role) move.legal = renumber(move.legal);
        for (auto& role : result_.goals)
            for (auto& goal : role) goal.holds = renumber(goal.holds);
        for (auto& role : result_.sees)
            for (auto& percept : role) percept.seen = renumber(percept.seen);
    }

    Grounding g_;
    const Symbols& symbols_;
    Network result_;
    std::vector<Signal> value_;  // by atom
    std::vector<bool> known_;
    std::vector<AtomId> fluent_atom_;
    std::vector<AtomId> move_atom_;
    std::vector<std::uint16_t> role_of_move_;
    std::vector<std::uint32_t> rules_of_;
    std::vector<std::uint32_t> rule_at_;
    std::vector<std::vector<AtomId>> components_;
    std::vector<Gate> gates_;
    std::unordered_map<Hash128, std::uint32_t, LowBitsHash> shared_;
    int loop_ = -1;
    std::size_t loops_ = 0;
    Limits limits_;  // no deadline: a grounding that was made in time becomes a network
    std::size_t work_ = 0;
};

}  // namespace

Network build_network(Grounding grounding, const Symbols& symbols) {
    return Builder(std::move(grounding), symbols).run();
}

}  // namespace zermelo::gdl
