// Join order of a rule's body, and the indexes that it needs: greedy, by estimated selectivity (after
// Selinger et al. 1979).

#include <algorithm>
#include <cmath>

#include "gdl/ground/grounder.hpp"
#include "gdl/ground/patterns.hpp"

namespace zermelo::gdl {

namespace {

// The pattern with what is bound marked as key and what is open marked as such.
Term shape_of(const Term& term, const std::vector<bool>& bound) {
    if (ground_under(term, bound)) return {Term::Kind::variable, key_mark};
    if (term.kind == Term::Kind::variable) return {Term::Kind::variable, open_mark};
    Term shape{term.kind, term.id};
    for (const Term& argument : term.arguments) shape.arguments.push_back(shape_of(argument, bound));
    return shape;
}

}  // namespace

std::uint32_t Grounder::index_for(RelationId r, const Atom& atom, const std::vector<bool>& bound) {
    std::vector<Term> shape;
    bool keyed = false;
    for (const Term& argument : atom.arguments) {
        shape.push_back(shape_of(argument, bound));
        keyed = keyed || !(shape.back().kind == Term::Kind::variable && shape.back().id == open_mark);
    }
    if (!keyed) return never;
    auto& indexes = relations_[r].indexes;
    for (std::uint32_t i = 0; i < indexes.size(); ++i) {
        if (indexes[i].shape == shape) return i;
    }
    indexes.push_back({std::move(shape), {}});
    Index& index = indexes.back();
    for (const AtomId a : relations_[r].atoms) {
        std::uint64_t hash = 0;
        if (key(index.shape, arguments(a), hash)) index.atoms[hash].push_back(a);
    }
    return static_cast<std::uint32_t>(indexes.size()) - 1;
}

// A guess: every bound argument of a relation divides its size by the number of values it may take.
double Grounder::expected_matches(RelationId relation, const Atom& atom,
                                  const std::vector<bool>& bound) const {
    const Relation& r = relations_[relation];
    const auto size = static_cast<double>(r.atoms.size() + (r.dynamic ? 1000 : 0));
    std::size_t places = 0;
    std::size_t keys = 0;
    const auto count = [&](const auto& self, const Term& term) -> void {
        if (term.kind == Term::Kind::compound && !ground_under(term, bound)) {
            for (const Term& a : term.arguments) self(self, a);
        } else {
            ++places;
            if (ground_under(term, bound)) ++keys;
        }
    };
    for (const Term& a : atom.arguments) count(count, a);
    if (keys == 0) return size;
    const double open = 1.0 - static_cast<double>(keys) / (static_cast<double>(places) + 0.2);
    return std::pow(std::max(1.0, size), open);
}

// Checks as soon as their variables are bound, then the literal that promises fewest matches.
void Grounder::make_plan(Compiled& rule, std::uint32_t driver, Plan& result) {
    result.made = true;
    const Rule& source = *rule.rule;
    std::vector<bool> bound(source.variables.size(), false);
    std::vector<bool> done(source.body.size(), false);
    const auto bind = [&](const Atom& atom) {
        each_variable(atom, [&](std::uint32_t v) { bound[v] = true; });
    };
    if (driver != never) {
        done[driver] = true;
        bind(source.body[driver].atom);
    }
    const auto checks = [&] {
        for (std::uint32_t l = 0; l < source.body.size(); ++l) {
            if (done[l] || !ground_under(source.body[l].atom, bound)) continue;
            const auto kind = source.body[l].kind;
            done[l] = true;
            // A negated dynamic literal becomes part of the instance; nothing can be checked.
            if (kind == BodyLiteral::Kind::negative && relations_[rule.relations[l]].dynamic) continue;
            result.steps.push_back({kind == BodyLiteral::Kind::distinct   ? Step::Kind::distinct
                                    : kind == BodyLiteral::Kind::negative ? Step::Kind::check_negative
                                                                          : Step::Kind::check_positive,
                                    l, never});
        }
    };
    checks();
    while (true) {
        std::uint32_t best = never;
        double least = 0;
        for (std::uint32_t l = 0; l < source.body.size(); ++l) {
            if (done[l] || source.body[l].kind != BodyLiteral::Kind::positive) continue;
            const double size = expected_matches(rule.relations[l], source.body[l].atom, bound);
            if (best == never || size < least) {
                best = l;
                least = size;
            }
        }
        if (best == never) break;
        done[best] = true;
        result.steps.push_back(
            {Step::Kind::match, best, index_for(rule.relations[best], source.body[best].atom, bound)});
        bind(source.body[best].atom);
        checks();
    }
    check_bound(source, bound, done);
}

// Range restriction: every variable occurs in a positive literal of the body.
void Grounder::check_bound(const Rule& rule, const std::vector<bool>& bound,
                           const std::vector<bool>& joined) const {
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
        if (!joined[l]) {
            throw Error({game_.file, rule.body[l].line, rule.body[l].column},
                        "a variable of this literal occurs in no positive literal of the rule",
                        "add a literal that binds it");
        }
    }
    if (!ground_under(rule.head, bound)) {
        throw Error(game_.place(rule), "a variable of the head occurs in no positive literal of the body",
                    "add a literal that binds it");
    }
}

}  // namespace zermelo::gdl
