#include "model/qbf/gates.hpp"

#include <algorithm>
#include <map>

namespace zermelo::model {

namespace {

class GateFinder {
public:
    explicit GateFinder(Model& model)
        : model_(model), taken_(model.constraints.size(), false), definition_(model.variables.size()) {
        for (std::size_t c = 0; c < model.constraints.size(); ++c) {
            known_.emplace(codes_of(literals(c)), c);
            for (const Literal literal : literals(c)) {
                if (occurrences_.size() <= code(literal)) occurrences_.resize(code(literal) + 1);
                occurrences_[code(literal)].push_back(c);
            }
        }
        occurrences_.resize(2 * model.variables.size());
    }

    void run() {
        // Who writes a circuit numbers its gates after what they read.
        std::vector<VarId> candidates = model_.prefix.back().variables;
        std::sort(candidates.begin(), candidates.end(), std::greater<>());
        for (const VarId v : candidates) {
            for (const bool positive : {true, false}) {
                if (!definition_[index(v)] && !find_disjunction({v, positive})) find_parity({v, positive});
            }
        }
        in_both_directions_ = taken_;
        for (const bool only_older : {true, false}) {
            for (const VarId v : candidates) {
                for (const bool positive : {true, false}) {
                    if (!definition_[index(v)]) find_one_sided({v, positive}, only_older);
                }
            }
        }
        break_circles(candidates);
        apply();
    }

private:
    struct Definition {
        Constraint constraint;
        std::vector<std::size_t> clauses;
    };

    static std::size_t index(VarId v) { return static_cast<std::size_t>(v); }
    static std::size_t code(Literal literal) {
        return 2 * index(literal.variable) + (literal.positive ? 1 : 0);
    }
    static std::vector<std::size_t> codes_of(const std::vector<Literal>& literals) {
        std::vector<std::size_t> codes;
        for (const Literal literal : literals) codes.push_back(code(literal));
        std::sort(codes.begin(), codes.end());
        return codes;
    }
    [[nodiscard]] const std::vector<Literal>& literals(std::size_t c) const {
        return std::get<Clause>(model_.constraints[c].body).literals;
    }
    // The clause with exactly these literals, if no definition has it.
    [[nodiscard]] std::optional<std::size_t> clause(const std::vector<Literal>& literals) const {
        const auto found = known_.find(codes_of(literals));
        return found == known_.end() || taken_[found->second] ? std::nullopt : std::optional(found->second);
    }

    // gate ∨ l₁ ∨ … ∨ lₖ with all of ¬gate ∨ ¬lᵢ: ¬gate ↔ l₁ ∨ … ∨ lₖ. The longest such clause.
    bool find_disjunction(Literal gate) {
        std::vector<std::size_t> long_ones = occurrences_[code(gate)];
        std::stable_sort(long_ones.begin(), long_ones.end(), [&](std::size_t a, std::size_t b) {
            return literals(a).size() > literals(b).size();
        });
        for (const std::size_t c : long_ones) {
            if (taken_[c] || literals(c).size() < 2 ||
                occurrences_[code(!gate)].size() + 1 < literals(c).size())
                continue;
            Clause body{{}, !gate};
            std::vector<std::size_t> used = {c};
            for (const Literal literal : literals(c)) {
                if (literal == gate) continue;
                body.literals.push_back(literal);
                if (const auto short_one = clause({!gate, !literal})) used.push_back(*short_one);
            }
            if (used.size() != literals(c).size()) continue;
            accept({{std::move(body), model_.constraints[c].place, gate.variable}, std::move(used)});
            return true;
        }
        return false;
    }

    // All four clauses of three variables with an odd number of negations, or with an even one.
    bool find_parity(Literal gate) {
        for (const std::size_t c : occurrences_[code(gate)]) {
            if (taken_[c] || literals(c).size() != 3) continue;
            const std::vector<Literal> three = literals(c);
            std::vector<std::size_t> used = {c};
            for (std::size_t kept = 0; kept < 3; ++kept) {
                std::vector<Literal> other = three;
                for (std::size_t i = 0; i < 3; ++i) {
                    if (i != kept) other[i] = !other[i];
                }
                if (const auto found = clause(other)) used.push_back(*found);
            }
            if (used.size() != 4) continue;
            accept({{Parity{three}, model_.constraints[c].place, gate.variable}, std::move(used)});
            return true;
        }
        return false;
    }

    // One direction of a definition (Plaisted and Greenbaum 1986): all clauses with ¬gate are gate → l₁, …, gate → lₖ, or there
    // is one, gate → l₁ ∨ … ∨ lₖ. Everything else can only gain when the gate is true, as long as it is not read by a
    // definition in both directions; so it may as well be true whenever it can.
    bool find_one_sided(Literal gate, bool only_older) {
        const std::vector<std::size_t>& claimed = occurrences_[code(!gate)];
        if (claimed.empty()) return false;
        for (const std::size_t c : occurrences_[code(gate)]) {
            if (in_both_directions_[c]) return false;
        }
        bool all_short = true;
        for (const std::size_t c : claimed) {
            if (taken_[c] || literals(c).size() < 2) return false;
            all_short = all_short && literals(c).size() == 2;
            for (const Literal literal : literals(c)) {
                if (only_older && literal.variable > gate.variable) return false;
            }
        }
        if (!all_short && claimed.size() > 1) return false;
        Clause body{{}, all_short ? !gate : gate};
        for (const std::size_t c : claimed) {
            for (const Literal literal : literals(c)) {
                if (literal != !gate) body.literals.push_back(all_short ? !literal : literal);
            }
        }
        accept({{std::move(body), model_.constraints[claimed.front()].place, gate.variable}, claimed});
        return true;
    }

    void accept(Definition definition) {
        for (const std::size_t c : definition.clauses) taken_[c] = true;
        definition_[index(*definition.constraint.defines)] = std::move(definition);
    }

    // Depth first, without recursion; a definition that reads one that is still open is given up.
    void break_circles(const std::vector<VarId>& candidates) {
        enum class Visit : std::uint8_t { none, open, done };
        std::vector<Visit> visit(model_.variables.size(), Visit::none);
        for (const VarId root : candidates) {
            std::vector<VarId> path = {root};
            while (!path.empty()) {
                const VarId v = path.back();
                if (visit[index(v)] == Visit::done || !definition_[index(v)]) {
                    visit[index(v)] = Visit::done;
                    path.pop_back();
                    continue;
                }
                const bool back = visit[index(v)] == Visit::open;
                visit[index(v)] = Visit::open;
                bool circle = false;
                const std::size_t before = path.size();
                each_variable(definition_[index(v)]->constraint, [&](VarId input) {
                    if (input == v) return;
                    circle = circle || visit[index(input)] == Visit::open;
                    if (visit[index(input)] == Visit::none && !back) path.push_back(input);
                });
                if (circle) {
                    path.resize(before);
                    for (const std::size_t c : definition_[index(v)]->clauses) taken_[c] = false;
                    definition_[index(v)].reset();
                } else if (path.size() == before) {
                    visit[index(v)] = Visit::done;
                    path.pop_back();
                }
            }
        }
    }

    void apply() {
        std::erase_if(model_.prefix.back().variables,
                      [&](VarId v) { return definition_[index(v)].has_value(); });
        if (model_.prefix.back().variables.empty()) model_.prefix.pop_back();
        std::vector<Constraint> kept;
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            if (!taken_[c]) kept.push_back(std::move(model_.constraints[c]));
        }
        for (auto& definition : definition_) {
            if (definition) kept.push_back(std::move(definition->constraint));
        }
        model_.constraints = std::move(kept);
    }

    Model& model_;
    std::map<std::vector<std::size_t>, std::size_t> known_;  // clauses by their literals
    std::vector<std::vector<std::size_t>> occurrences_;      // clauses by literal
    std::vector<bool> in_both_directions_;                   // by clause: part of such a definition
    std::vector<bool> taken_;                                // by clause: it is part of a definition
    std::vector<std::optional<Definition>> definition_;      // by variable
};

}  // namespace

void define_gates(Model& model) {
    // The values of the first block are the answer.
    if (model.prefix.size() < 2 || model.prefix.back().quantifier != Quantifier::exists) return;
    GateFinder(model).run();
}

}  // namespace zermelo::model
