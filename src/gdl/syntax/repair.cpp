#include "gdl/syntax/repair.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "core/format/nearest.hpp"
#include "gdl/syntax/domains.hpp"

namespace zermelo::gdl {

namespace {

using Marks = std::vector<bool>;  // by variable

void mark_variables(const Term& term, Marks& marks) {
    if (term.kind == Term::Kind::variable) marks[term.id] = true;
    for (const Term& argument : term.arguments) mark_variables(argument, marks);
}
Marks variables_in(const Atom& atom, std::size_t variables) {
    Marks marks(variables, false);
    for (const Term& argument : atom.arguments) mark_variables(argument, marks);
    return marks;
}

class Repairer {
public:
    Repairer(Description& game, const std::string& prefix) : game_(game), prefix_(prefix) {}

    void run() {
        name_roles();
        for (std::size_t i = 0; i < game_.rules.size(); ++i) bind_head(i);
        for (auto& [rule, literal] : bindings_) game_.rules[rule].body.push_back(std::move(literal));
        for (Rule& rule : game_.rules) {
            if (rule.variables.empty()) continue;
            const Marks bound = bound_by(rule);
            for (BodyLiteral& literal : rule.body) {
                if (literal.kind == BodyLiteral::Kind::negative) project(rule, literal, bound);
            }
        }
        std::ranges::move(added_, std::back_inserter(game_.rules));
    }

private:
    // Which variables the positive literals of the body bind.
    [[nodiscard]] static Marks bound_by(const Rule& rule) {
        Marks bound(rule.variables.size(), false);
        for (const BodyLiteral& literal : rule.body) {
            if (literal.kind != BodyLiteral::Kind::positive) continue;
            for (const Term& argument : literal.atom.arguments) mark_variables(argument, bound);
        }
        return bound;
    }

    void tell(const Place& where, const std::string& message, const std::string& remedy) {
        game_.repairs.push_back({where, message, remedy});
    }
    Symbol fresh() {
        const Symbol symbol = game_.symbols.intern(fmt::format("{}{}", prefix_, game_.hidden.size() + 1));
        game_.hidden.push_back(symbol);
        return symbol;
    }

    void name_roles() {
        const auto heads = [&](Symbol relation) {
            return [=](const Rule& rule) { return rule.head.relation == relation; };
        };
        if (std::ranges::any_of(game_.rules, heads(kw_role))) return;
        const auto first = std::ranges::find_if(game_.rules, heads(kw_legal));
        if (first == game_.rules.end()) return;
        const std::set<Symbol> found = Domains(game_).roles();
        std::vector<Symbol> roles(found.begin(), found.end());
        std::stable_partition(roles.begin(), roles.end(), [](Symbol role) { return role != kw_random; });
        if (roles.empty()) return;
        const Place where = game_.place(*first);
        std::vector<std::string> facts;
        std::vector<Rule> rules;
        for (const Symbol role : roles) {
            facts.push_back(fmt::format("(role {})", game_.symbols.name(role)));
            rules.push_back({{kw_role, {{Term::Kind::constant, role}}}, {}, {}, where.line, where.column});
        }
        tell(where,
             fmt::format("no rule for `role`, and the players are those whose moves and goals are given"),
             fmt::format("add {}", fmt::join(facts, " ")));
        game_.rules.insert(game_.rules.begin(), rules.begin(), rules.end());
    }

    // A literal for each variable of the head that has no value. The rules do not change while the domains are used.
    void bind_head(std::size_t index) {
        const Rule& rule = game_.rules[index];
        if (rule.variables.empty()) return;
        const Marks bound = bound_by(rule);
        const Marks needed = variables_in(rule.head, rule.variables.size());
        for (std::uint32_t v = 0; v < needed.size(); ++v) {
            if (!needed[v] || bound[v] || misspelt(rule, v, bound, needed) || is_goal_of(rule, v)) continue;
            if (!domains_) domains_.emplace(game_);
            const std::set<Symbol> domain = domains_->of(rule, v);
            if (domain.empty()) continue;
            const Place where = game_.place(rule);
            tell(where,
                 fmt::format(
                     "variable {} in {} does not occur in a positive literal of the body, and stands for {}",
                     rule.variables[v], head_of(rule), listed(domain)),
                 fmt::format("add a literal that binds {}", rule.variables[v]));
            bindings_.push_back({index,
                                 {BodyLiteral::Kind::positive,
                                  {relation_for(domain), {{Term::Kind::variable, v}}},
                                  where.line,
                                  where.column}});
        }
    }

    // A variable that the body binds, and the head does not use, has nearly this name: that one is meant, or not.
    [[nodiscard]] static bool misspelt(const Rule& rule, std::uint32_t v, const Marks& bound,
                                       const Marks& needed) {
        constexpr std::size_t shortest = 5;  // with the question mark; ?x and ?y differ on purpose
        for (std::uint32_t w = 0; w < bound.size(); ++w) {
            if (!bound[w] || needed[w] || rule.variables[w].size() < shortest) continue;
            if (edit_distance(rule.variables[v], rule.variables[w]) <= 1) return true;
        }
        return false;
    }
    // A role gets one goal, so an unbound one cannot mean all.
    static bool is_goal_of(const Rule& rule, std::uint32_t v) {
        if (rule.head.relation != kw_goal) return false;
        const Term& value = rule.head.arguments.back();
        return value.kind == Term::Kind::variable && value.id == v;
    }

    [[nodiscard]] std::string head_of(const Rule& rule) const {
        const bool hidden = std::ranges::find(game_.hidden, rule.head.relation) != game_.hidden.end();
        return hidden ? "this part of a rule"
                      : fmt::format("the head of `{}`", game_.symbols.name(rule.head.relation));
    }

    [[nodiscard]] std::string listed(const std::set<Symbol>& domain) const {
        constexpr std::size_t most = 4;
        std::vector<std::string> names;
        for (const Symbol symbol : domain) {
            if (names.size() == most) break;
            names.push_back(game_.symbols.name(symbol));
        }
        return fmt::format("{}{}", fmt::join(names, ", "), domain.size() > most ? ", …" : "");
    }

    Symbol relation_for(const std::set<Symbol>& domain) {
        const auto [found, is_new] = relations_.try_emplace(domain, Symbol{0});
        if (!is_new) return found->second;
        found->second = fresh();
        for (const Symbol value : domain)
            added_.push_back({{found->second, {{Term::Kind::constant, value}}}});
        return found->second;
    }

    // (not (p ?x ?y)), where nothing binds ?y, becomes (not (h ?x)) with (<= (h ?x) (p ?x ?y)).
    void project(const Rule& rule, BodyLiteral& literal, const Marks& bound) {
        const Marks inside = variables_in(literal.atom, bound.size());
        std::optional<std::uint32_t> unbound;
        Rule hidden;
        for (std::uint32_t v = 0; v < inside.size(); ++v) {
            if (!inside[v]) continue;
            if (bound[v]) {
                hidden.head.arguments.push_back({Term::Kind::variable, v});
            } else if (!unbound) {
                unbound = v;
            }
        }
        if (!unbound || !all_alone(rule, inside, bound)) return;
        const Place where{game_.file, literal.line, literal.column};
        tell(where,
             fmt::format(
                 "variable {} in a negation does not occur in a positive literal of the body, and stands for "
                 "any value",
                 rule.variables[*unbound]),
             fmt::format("add a literal that binds {}, or negate a relation without it",
                         rule.variables[*unbound]));
        hidden.head.relation = fresh();
        hidden.variables = rule.variables;
        hidden.line = literal.line;
        hidden.column = literal.column;
        hidden.body.push_back(literal);
        hidden.body.front().kind = BodyLiteral::Kind::positive;
        literal.atom = hidden.head;
        added_.push_back(std::move(hidden));
    }

    // Do the variables that nothing binds occur in this negation only? Two that share one may mean the same value.
    static bool all_alone(const Rule& rule, const Marks& inside, const Marks& bound) {
        for (std::uint32_t v = 0; v < inside.size(); ++v) {
            if (!inside[v] || bound[v]) continue;
            const auto mentions = std::ranges::count_if(rule.body, [&](const BodyLiteral& literal) -> bool {
                return variables_in(literal.atom, inside.size())[v];
            });
            if (mentions > 1) return false;
        }
        return true;
    }

    Description& game_;
    const std::string& prefix_;
    std::optional<Domains> domains_;
    std::map<std::set<Symbol>, Symbol> relations_;
    std::vector<std::pair<std::size_t, BodyLiteral>> bindings_;  // to be added to the rule of this number
    std::vector<Rule> added_;
};

}  // namespace

void repair(Description& game, const std::string& prefix) { Repairer(game, prefix).run(); }

}  // namespace zermelo::gdl
