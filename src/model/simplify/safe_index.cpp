#include "model/simplify/safe_index.hpp"

#include <algorithm>
#include <unordered_map>

namespace zermelo::model {

namespace {

class Search {
public:
    Search(Model& model, const std::vector<bool>& candidate) : model_(model), candidate_(candidate) {
        for (std::size_t c = 0; c < model.constraints.size(); ++c) {
            const Constraint& constraint = model.constraints[c];
            if (const auto literal = reified_by(constraint)) {
                gate_.try_emplace(literal->variable, c);
                if (const auto* clause = std::get_if<Clause>(&constraint.body)) {
                    for (const Literal l : clause->literals)
                        conjunctions_[l.variable].push_back(literal->variable);
                }
            } else if (const auto* clause = std::get_if<Clause>(&constraint.body)) {
                for (const Literal l : clause->literals) clauses_[l.variable].push_back(c);
            }
            if (const auto* sum = std::get_if<Linear>(&constraint.body); sum && !sum->reified) {
                if (constraint.defines) sum_of_.try_emplace(*constraint.defines, sum);
            }
            if (const auto* sum = std::get_if<Linear>(&constraint.body);
                sum && sum->reified && sum->reified->positive && sum->relation == Relation::equal) {
                for (const Term& term : sum->terms) {
                    if (is_candidate(term.variable)) equations_[term.variable].push_back(sum);
                }
            }
        }
        dropped_.assign(model.constraints.size(), false);
    }

    void run() {
        std::vector<Found> all;
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            if (auto found = outside_clause(c)) all.push_back(std::move(*found));
        }
        if (all.empty()) return;
        std::vector<Constraint> kept;
        for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
            if (!dropped_[c]) kept.push_back(std::move(model_.constraints[c]));
        }
        model_.constraints = std::move(kept);
        for (const Found& found : all) define(found);
    }

private:
    struct Index {
        VarId index;   // always in bounds
        VarId source;  // what the modeller wrote
        Value otherwise;
    };
    struct Found {
        VarId in_bounds;
        std::vector<Index> indices;
        Place place;
    };

    [[nodiscard]] bool is_candidate(VarId v) const {
        const auto i = static_cast<std::size_t>(v);
        return i < candidate_.size() && candidate_[i] && model_.domain(v).ranges().size() == 1;
    }
    [[nodiscard]] const Constraint* gate(VarId v) const {
        const auto found = gate_.find(v);
        return found == gate_.end() ? nullptr : &model_.constraints[found->second];
    }

    // The variables whose conjunction v is; v itself when it is none.
    [[nodiscard]] std::vector<VarId> conjuncts(VarId v) const {
        const Constraint* constraint = gate(v);
        const auto* clause = constraint ? std::get_if<Clause>(&constraint->body) : nullptr;
        if (clause == nullptr || clause->reified->positive) return {v};
        std::vector<VarId> all;
        for (const Literal l : clause->literals) {
            if (l.positive) return {v};
            all.push_back(l.variable);
        }
        std::sort(all.begin(), all.end());
        return all;
    }

    // One clause `in bounds ∨ all indices are the first ones`, if this is one and its partner is there too.
    std::optional<Found> outside_clause(std::size_t c) {
        const auto* clause = std::get_if<Clause>(&model_.constraints[c].body);
        if (clause == nullptr || clause->reified || clause->literals.size() != 2 || dropped_[c])
            return std::nullopt;
        if (!clause->literals[0].positive || !clause->literals[1].positive) return std::nullopt;
        for (const std::size_t k : {0U, 1U}) {
            Found found{clause->literals[1 - k].variable, {}, model_.constraints[c].place};
            bool good = true;
            for (const VarId equation : conjuncts(clause->literals[k].variable)) {
                const Constraint* constraint = gate(equation);
                const auto* sum = constraint ? std::get_if<Linear>(&constraint->body) : nullptr;
                good = good && sum && sum->relation == Relation::equal && sum->reified->positive &&
                       sum->terms.size() == 1 && sum->terms[0].coefficient == 1 &&
                       is_candidate(sum->terms[0].variable);
                if (good) found.indices.push_back({sum->terms[0].variable, -1, sum->constant});
            }
            if (!good) continue;
            if (const auto partner = inside_clause(found)) {
                dropped_[c] = dropped_[*partner] = true;
                return found;
            }
        }
        return std::nullopt;
    }

    // The clause `not in bounds ∨ all indices are what the modeller wrote`; notes in `found` what that is.
    std::optional<std::size_t> inside_clause(Found& found) const {
        const auto bounds = conjuncts(found.in_bounds);
        const auto equations = equations_.find(found.indices.front().index);
        if (equations == equations_.end()) return std::nullopt;
        for (const Linear* equation : equations->second) {
            if (equation->terms.size() < 2) continue;
            for (const auto& [holder, uses] : holders(equation->reified->variable, found.indices.size())) {
                for (const std::size_t c : uses) {
                    if (dropped_[c] ||
                        !guarded(std::get<Clause>(model_.constraints[c].body), holder, bounds, found))
                        continue;
                    if (sources(holder, bounds, found)) return c;
                }
            }
        }
        return std::nullopt;
    }

    // The equation itself or, for several indices, the conjunctions that it is part of; with their clauses.
    [[nodiscard]] std::vector<std::pair<VarId, std::vector<std::size_t>>> holders(VarId equation,
                                                                                  std::size_t indices) const {
        std::vector<std::pair<VarId, std::vector<std::size_t>>> result;
        if (indices == 1) {
            if (const auto uses = clauses_.find(equation); uses != clauses_.end())
                result.emplace_back(equation, uses->second);
            return result;
        }
        const auto parents = conjunctions_.find(equation);
        if (parents == conjunctions_.end()) return result;
        for (const VarId parent : parents->second) {
            if (conjuncts(parent).size() != indices) continue;
            const auto uses = clauses_.find(parent);
            if (uses != clauses_.end()) result.emplace_back(parent, uses->second);
        }
        return result;
    }

    static bool guarded(const Clause& clause, VarId holder, const std::vector<VarId>& bounds,
                        const Found& found) {
        std::vector<VarId> guards;
        for (const Literal l : clause.literals) {
            if (l.variable == holder && l.positive) continue;
            if (l.positive) return false;
            guards.push_back(l.variable);
        }
        std::sort(guards.begin(), guards.end());
        return guards == bounds || guards == std::vector<VarId>{found.in_bounds};
    }

    // For every index the variable that it equals in bounds, and a guard that really keeps this one in
    // bounds.
    bool sources(VarId holder, const std::vector<VarId>& bounds, Found& found) const {
        const auto parts = found.indices.size() == 1 ? std::vector<VarId>{holder} : conjuncts(holder);
        for (Index& index : found.indices) {
            index.source = -1;
            for (const VarId part : parts) {
                const Constraint* constraint = gate(part);
                const auto* sum = constraint ? std::get_if<Linear>(&constraint->body) : nullptr;
                if (sum == nullptr || sum->relation != Relation::equal || !sum->reified->positive) continue;
                for (const VarId guard : bounds) {
                    const VarId source = kept_by(guard, model_.domain(index.index));
                    if (source >= 0 && says(*sum, index.index, source)) index.source = source;
                }
            }
            if (index.source < 0) return false;
        }
        return true;
    }

    // The variable that the guard keeps within the domain; -1 when it keeps none.
    [[nodiscard]] VarId kept_by(VarId guard, const Domain& domain) const {
        const Constraint* constraint = gate(guard);
        if (constraint == nullptr || !reified_by(*constraint)->positive) return -1;
        if (const auto* member = std::get_if<Member>(&constraint->body)) {
            return domain.contains(member->set) ? member->variable : -1;
        }
        const auto* sum = std::get_if<Linear>(&constraint->body);
        if (sum == nullptr || sum->relation != Relation::at_most || sum->terms.size() != 1) return -1;
        const Term term = sum->terms[0];
        const Domain& all = model_.domain(term.variable);
        Domain inside;
        if (term.coefficient == 1) inside = Domain(all.low(), std::min(all.high(), sum->constant));
        if (term.coefficient == -1) inside = Domain(std::max(all.low(), -sum->constant), all.high());
        return !inside.empty() && domain.contains(inside) ? term.variable : -1;
    }

    // Whether the equation says index = source, directly or with source written out as the sum that it is.
    [[nodiscard]] bool says(const Linear& equation, VarId index, VarId source) const {
        const auto solved = solve_for(equation, index);
        if (!solved) return false;
        if (solved->second == 0 && solved->first.size() == 1 && solved->first[0].variable == source &&
            solved->first[0].coefficient == 1) {
            return true;
        }
        const auto sum = sum_of_.find(source);
        if (sum == sum_of_.end()) return false;
        const auto other = solve_for(*sum->second, source);
        return other && other->second == solved->second &&
               std::equal(solved->first.begin(), solved->first.end(), other->first.begin(),
                          other->first.end(), [](const Term& a, const Term& b) {
                              return a.variable == b.variable && a.coefficient == b.coefficient;
                          });
    }

    // v = Σ terms + constant, where the equation has v with a coefficient of 1 or -1.
    static std::optional<std::pair<std::vector<Term>, Value>> solve_for(const Linear& equation, VarId v) {
        if (equation.relation != Relation::equal) return std::nullopt;
        Value sign = 0;
        std::vector<Term> rest;
        for (const Term& term : equation.terms) {
            if (term.variable == v) {
                sign = term.coefficient;
            } else {
                rest.push_back(term);
            }
        }
        if (sign != 1 && sign != -1) return std::nullopt;
        for (Term& term : rest) term.coefficient *= -sign;
        std::sort(rest.begin(), rest.end(),
                  [](const Term& a, const Term& b) { return a.variable < b.variable; });
        return std::pair(std::move(rest), sign * equation.constant);
    }

    void define(const Found& found) {
        const auto add = [&](VarId v, decltype(Constraint::body) body) {
            model_.constraints.push_back({std::move(body), found.place, v});
        };
        const VarId which = model_.add_variable("case", Domain(1, 2));
        add(which, Linear{{{1, found.in_bounds}, {1, which}}, Relation::equal, 2, std::nullopt});
        for (const Index& index : found.indices) {
            const Domain domain = model_.domain(index.index);
            const Domain source = model_.domain(index.source);
            const VarId raised = model_.add_variable("raised", Domain(std::max(source.low(), domain.low()),
                                                                      std::max(source.high(), domain.low())));
            add(raised, Extremum{true, {index.source, model_.constant(domain.low())}, raised});
            const VarId inside = model_.add_variable("inside", domain);
            add(inside, Extremum{false, {raised, model_.constant(domain.high())}, inside});
            add(index.index, Element{which, {inside, model_.constant(index.otherwise)}, index.index});
        }
    }

    Model& model_;
    const std::vector<bool>& candidate_;
    std::unordered_map<VarId, std::size_t> gate_;                  // the constraint that a Boolean reifies
    std::unordered_map<VarId, std::vector<std::size_t>> clauses_;  // the demanded clauses with a Boolean
    std::unordered_map<VarId, std::vector<VarId>>
        conjunctions_;                                 // the Booleans that reify a clause with a Boolean
    std::unordered_map<VarId, const Linear*> sum_of_;  // the sum that defines a variable
    std::unordered_map<VarId, std::vector<const Linear*>> equations_;
    std::vector<bool> dropped_;
};

}  // namespace

void define_safe_indices(Model& model, const std::vector<bool>& candidate) {
    if (std::find(candidate.begin(), candidate.end(), true) == candidate.end()) return;
    Search(model, candidate).run();
}

}  // namespace zermelo::model
