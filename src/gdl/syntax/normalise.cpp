#include "gdl/syntax/normalise.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace zermelo::gdl {

namespace {

using Variables =
    std::vector<std::uint32_t>;  // how often each variable of the rule occurs, or whether it does

constexpr std::size_t most_distributed = 16;
constexpr std::size_t most_rules = 100'000;  // out of one

using Kind = Formula::Kind;

void count(const Term& term, Variables& seen) {
    if (term.kind == Term::Kind::variable) ++seen[term.id];
    for (const Term& argument : term.arguments) count(argument, seen);
}
void count(const Atom& atom, Variables& seen) {
    for (const Term& argument : atom.arguments) count(argument, seen);
}
void count(const Formula& formula, Variables& seen) {
    count(formula.literal.atom, seen);
    for (const Formula& part : formula.parts) count(part, seen);
}

// How many conjunctions distributing everything would make; saturates.
std::size_t alternatives(const Formula& formula) {
    constexpr std::size_t many = 1'000'000;
    if (formula.kind == Kind::all) {
        std::size_t product = 1;
        for (const Formula& part : formula.parts) product = std::min(many, product * alternatives(part));
        return product;
    }
    if (formula.kind == Kind::any) {
        std::size_t sum = 0;
        for (const Formula& part : formula.parts) sum = std::min(many, sum + alternatives(part));
        return sum;
    }
    return 1;
}

bool is_positive(const Formula& formula) {
    return formula.kind == Kind::literal && formula.literal.kind == BodyLiteral::Kind::positive;
}

// The variables that get a value in every way to satisfy the formula.
Variables bound(const Formula& formula, std::size_t variables) {
    Variables result(variables, 0);
    if (is_positive(formula)) count(formula.literal.atom, result);
    for (std::size_t i = 0; i < formula.parts.size() && formula.kind != Kind::negation; ++i) {
        const Variables part = bound(formula.parts[i], variables);
        for (std::size_t v = 0; v < variables; ++v) {
            const bool both =
                i == 0 || formula.kind == Kind::all ? result[v] || part[v] : result[v] && part[v];
            result[v] = both ? 1 : 0;
        }
    }
    return result;
}

void substitute(Term& term, std::uint32_t variable, const Term& value) {
    if (term.kind == Term::Kind::variable && term.id == variable) {
        term = Term(value);  // a copy, since `value` may be inside `term`
        return;
    }
    for (Term& argument : term.arguments) substitute(argument, variable, value);
}

bool occurs(std::uint32_t variable, const Term& term) {
    if (term.kind == Term::Kind::variable) return term.id == variable;
    return std::any_of(term.arguments.begin(), term.arguments.end(),
                       [&](const Term& argument) { return occurs(variable, argument); });
}

// Makes a and b equal in the whole rule; false where that is impossible.
bool unify(const Term& a, const Term& b, Rule& rule, std::vector<std::pair<Term, Term>>& rest) {
    if (a == b) return true;
    if (a.kind != Term::Kind::variable && b.kind == Term::Kind::variable) return unify(b, a, rule, rest);
    if (a.kind == Term::Kind::variable) {
        if (occurs(a.id, b)) return false;
        const auto replace = [&](Term& term) { substitute(term, a.id, b); };
        std::for_each(rule.head.arguments.begin(), rule.head.arguments.end(), replace);
        for (BodyLiteral& literal : rule.body) {
            std::for_each(literal.atom.arguments.begin(), literal.atom.arguments.end(), replace);
        }
        for (auto& [left, right] : rest) {
            replace(left);
            replace(right);
        }
        return true;
    }
    if (a.kind != b.kind || a.id != b.id || a.arguments.size() != b.arguments.size()) return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) rest.emplace_back(a.arguments[i], b.arguments[i]);
    return true;
}

void renumber(Term& term, std::vector<std::optional<std::uint32_t>>& number, Rule& rule,
              const std::vector<std::string>& names) {
    if (term.kind == Term::Kind::variable) {
        auto& fresh = number[term.id];
        if (!fresh) {
            fresh = static_cast<std::uint32_t>(rule.variables.size());
            rule.variables.push_back(names[term.id]);
        }
        term.id = *fresh;
    }
    for (Term& argument : term.arguments) renumber(argument, number, rule, names);
}

class Normaliser {
public:
    Normaliser(Description& game, const Rule& rule, const std::string& prefix)
        : game_(game),
          prefix_(prefix),
          names_(rule.variables),
          first_(game.rules.size()),
          place_(game.place(rule)) {}

    void run(Rule rule, const Formula& body) {
        Variables all(names_.size(), 0);
        count(rule.head, all);
        count(body, all);
        Formula whole{Kind::all, {}};
        add(whole, inward(body, true, all));
        emit(std::move(rule), std::move(whole));
    }

private:
    // Negations inwards, until only literals and conjunctions with variables of their own are negated.
    Formula inward(const Formula& formula, bool positive, const Variables& all) const {
        if (formula.kind == Kind::negation) return inward(formula.parts.front(), !positive, all);
        if (formula.kind == Kind::literal) {
            if (positive) return formula;
            Formula result = formula;
            if (formula.literal.kind == BodyLiteral::Kind::distinct) {
                result.kind = Kind::equal;
            } else {
                result.literal.kind = BodyLiteral::Kind::negative;
            }
            return result;
        }
        if (!positive && formula.kind == Kind::all && formula.parts.size() > 1) {
            Variables inside(names_.size(), 0);
            count(formula, inside);
            for (std::size_t v = 0; v < inside.size(); ++v) {
                if (inside[v] == 0 || inside[v] != all[v]) continue;
                Formula absent{Kind::negation, {}, {}, formula.line, formula.column};
                absent.parts.push_back(inward(formula, true, all));
                return absent;
            }
        }
        Formula result{positive == (formula.kind == Kind::all) ? Kind::all : Kind::any,
                       {},
                       {},
                       formula.line,
                       formula.column};
        for (const Formula& part : formula.parts) add(result, inward(part, positive, all));
        return result;
    }

    // Into `whole`, without a level of its own where it is of the same kind.
    static void add(Formula& whole, Formula part) {
        if (part.kind == whole.kind) {
            for (Formula& inner : part.parts) add(whole, std::move(inner));
        } else if (part.kind == Kind::all && part.parts.size() == 1) {
            add(whole, Formula(std::move(part.parts.front())));
        } else {
            whole.parts.push_back(std::move(part));
        }
    }

    // `body` is a conjunction.
    void emit(Rule rule, Formula body) {
        hide_negations(rule.head, body.parts);
        while (alternatives(body) > most_distributed) {
            const bool only_disjunction = body.parts.size() == 1;
            if (only_disjunction || !hide_one(rule, body)) {
                split(rule, body);
                return;
            }
        }
        std::vector<std::vector<Formula>> conjunctions{{}};
        distribute(body, conjunctions);
        for (auto& conjunction : conjunctions) finish(rule, std::move(conjunction));
    }

    // One rule for each alternative of the largest disjunction.
    void split(const Rule& rule, const Formula& body) {
        const std::size_t chosen = largest(body);
        for (const Formula& alternative : body.parts[chosen].parts) {
            Formula branch{Kind::all, {}, {}, body.line, body.column};
            for (std::size_t i = 0; i < body.parts.size(); ++i) {
                add(branch, i == chosen ? alternative : body.parts[i]);
            }
            emit(rule, std::move(branch));
        }
    }

    static std::size_t largest(const Formula& body) {
        const auto most = std::max_element(
            body.parts.begin(), body.parts.end(),
            [](const Formula& a, const Formula& b) { return alternatives(a) < alternatives(b); });
        return static_cast<std::size_t>(most - body.parts.begin());
    }

    // Makes the largest disjunction that can be one a hidden relation.
    bool hide_one(const Rule& rule, Formula& body) {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < body.parts.size(); ++i) {
            if (body.parts[i].kind == Kind::any) order.push_back(i);
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return alternatives(body.parts[a]) > alternatives(body.parts[b]);
        });
        for (const std::size_t chosen : order) {
            Formula disjunction = body.parts[chosen];
            if (auto literal = hide(rule.head, body.parts, chosen, disjunction.parts, false)) {
                body.parts[chosen] = std::move(*literal);
                return true;
            }
        }
        return false;
    }

    // A hidden relation that holds when one of `choices` does, as a literal; `around[itself]` is left out of
    // the context. Nothing if a variable would remain unbound and `always` is not set.
    std::optional<Formula> hide(const Atom& head, const std::vector<Formula>& around, std::size_t itself,
                                const std::vector<Formula>& choices, bool always) {
        const std::size_t size = names_.size();
        Variables outside(size, 0);
        Variables inside(size, 0);
        count(head, outside);
        for (std::size_t i = 0; i < around.size(); ++i) count(around[i], i == itself ? inside : outside);

        std::vector<Formula> context;
        std::vector<bool> used(around.size(), false);
        for (const Formula& choice : choices) {
            const Variables has = bound(choice, size);
            Variables needs(size, 0);
            count(choice, needs);
            for (std::uint32_t v = 0; v < size; ++v) {
                const bool shared = inside[v] && outside[v];
                if (has[v] || !(needs[v] || shared)) continue;
                if (!outside[v]) continue;  // unsafe as it was written
                if (!binder(v, around, itself, used, context) && !always) return std::nullopt;
            }
        }

        Rule hidden;
        hidden.head.relation = fresh();
        hidden.line = around[itself].line;
        hidden.column = around[itself].column;
        for (std::uint32_t v = 0; v < size; ++v) {
            if (inside[v] && outside[v]) hidden.head.arguments.push_back({Term::Kind::variable, v});
        }
        for (const Formula& choice : choices) {
            Formula body{Kind::all, context, {}, hidden.line, hidden.column};
            add(body, choice);
            emit(hidden, std::move(body));
        }
        return Formula{Kind::literal,
                       {},
                       {BodyLiteral::Kind::positive, hidden.head, hidden.line, hidden.column},
                       hidden.line,
                       hidden.column};
    }

    void hide_negations(const Atom& head, std::vector<Formula>& conjunction) {
        for (std::size_t i = 0; i < conjunction.size(); ++i) {
            if (conjunction[i].kind != Kind::negation) continue;
            const std::vector<Formula> choices = conjunction[i].parts;
            conjunction[i] = *hide(head, conjunction, i, choices, true);
            conjunction[i].literal.kind = BodyLiteral::Kind::negative;
        }
    }

    // Adds a literal that binds the variable to the context, unless one is there.
    static bool binder(std::uint32_t variable, const std::vector<Formula>& around, std::size_t itself,
                       std::vector<bool>& used, std::vector<Formula>& context) {
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < around.size(); ++i) {
            if (i == itself || !is_positive(around[i])) continue;
            const auto& terms = around[i].literal.atom.arguments;
            if (std::none_of(terms.begin(), terms.end(), [&](const Term& t) { return occurs(variable, t); }))
                continue;
            if (used[i]) return true;
            if (!found) found = i;
        }
        if (!found) return false;
        used[*found] = true;
        context.push_back(around[*found]);
        return true;
    }

    Symbol fresh() {
        const Symbol symbol = game_.symbols.intern(prefix_ + std::to_string(game_.hidden.size() + 1));
        game_.hidden.push_back(symbol);
        return symbol;
    }

    static void distribute(const Formula& formula, std::vector<std::vector<Formula>>& conjunctions) {
        if (formula.kind == Kind::all) {
            for (const Formula& part : formula.parts) distribute(part, conjunctions);
        } else if (formula.kind == Kind::any) {
            std::vector<std::vector<Formula>> result;
            for (const Formula& part : formula.parts) {
                auto copy = conjunctions;
                distribute(part, copy);
                std::move(copy.begin(), copy.end(), std::back_inserter(result));
            }
            conjunctions = std::move(result);
        } else {
            for (auto& conjunction : conjunctions) conjunction.push_back(formula);
        }
    }

    // A conjunction of literals, equalities and negated conjunctions.
    void finish(Rule rule, std::vector<Formula> conjunction) {
        std::vector<std::pair<Term, Term>> equal;
        hide_negations(rule.head, conjunction);
        for (const Formula& part : conjunction) {
            if (part.kind == Kind::equal) {
                equal.emplace_back(part.literal.atom.arguments[0], part.literal.atom.arguments[1]);
            } else {
                rule.body.push_back(part.literal);
            }
        }
        while (!equal.empty()) {
            const auto [a, b] = std::move(equal.back());
            equal.pop_back();
            if (!unify(a, b, rule, equal)) return;
        }
        rule.variables.clear();
        std::vector<std::optional<std::uint32_t>> number(names_.size());
        for (Term& term : rule.head.arguments) renumber(term, number, rule, names_);
        for (BodyLiteral& literal : rule.body) {
            for (Term& term : literal.atom.arguments) renumber(term, number, rule, names_);
        }
        if (game_.rules.size() - first_ == most_rules) {
            throw Error(place_, "its disjunctions make too many rules",
                        "give parts of it relations of their own");
        }
        game_.rules.push_back(std::move(rule));
    }

    Description& game_;
    const std::string& prefix_;
    const std::vector<std::string> names_;
    const std::size_t first_;
    const Place place_;
};

}  // namespace

void normalise(Description& game, Rule rule, const Formula& body, const std::string& prefix) {
    Normaliser normaliser(game, rule, prefix);
    normaliser.run(std::move(rule), body);
}

}  // namespace zermelo::gdl
