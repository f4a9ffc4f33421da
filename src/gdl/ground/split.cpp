// Splitting: a variable that does not reach the head is projected out where only some literals share it.
//
// (<= (next (connected ?k ?m ?n)) (transfer ?e) (true (connected ?e ?m ?n)) (true (step ?k))) joins four
// variables; nothing but the first two literals knows ?e, so they become a relation of ?m and ?n of their
// own. This is one step of variable elimination, as in the rewritings that make answer-set grounders follow a
// tree decomposition (Bichler, Morak and Woltran 2016).

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "gdl/ground/grounder.hpp"

namespace zermelo::gdl {

namespace {

using Variables = std::set<std::uint32_t>;

void collect(const Term& term, Variables& variables) {
    if (term.kind == Term::Kind::variable) variables.insert(term.id);
    for (const Term& argument : term.arguments) collect(argument, variables);
}

Variables variables_of(const Atom& atom) {
    Variables variables;
    for (const Term& argument : atom.arguments) collect(argument, variables);
    return variables;
}

// The literals that share a variable, and what is known about them.
struct Share {
    std::vector<std::size_t> literals;
    Variables all;        // variables of these literals
    Variables elsewhere;  // those of them that the head or other literals need
};

std::optional<Share> share_of(const Rule& rule, std::uint32_t variable) {
    Share share;
    Variables bound;
    Variables others = variables_of(rule.head);
    for (std::size_t l = 0; l < rule.body.size(); ++l) {
        const Variables own = variables_of(rule.body[l].atom);
        if (!own.contains(variable)) {
            others.insert(own.begin(), own.end());
            continue;
        }
        share.literals.push_back(l);
        share.all.insert(own.begin(), own.end());
        if (rule.body[l].kind == BodyLiteral::Kind::positive) bound.insert(own.begin(), own.end());
    }
    // A negation in the new rule may only speak of what the new rule binds.
    if (bound != share.all || share.literals.size() == rule.body.size()) return std::nullopt;
    std::set_intersection(share.all.begin(), share.all.end(), others.begin(), others.end(),
                          std::inserter(share.elsewhere, share.elsewhere.end()));
    return share;
}

// The narrowest share of a variable that the head does not need, if taking it out narrows the rule.
std::optional<Share> best_share(const Rule& rule) {
    Variables all = variables_of(rule.head);
    const Variables head = all;
    for (const BodyLiteral& literal : rule.body) {
        const Variables own = variables_of(literal.atom);
        all.insert(own.begin(), own.end());
    }
    std::optional<Share> best;
    for (const std::uint32_t v : all) {
        if (head.contains(v)) continue;
        auto share = share_of(rule, v);
        if (!share || share->all.size() >= all.size()) continue;
        if (!best || share->all.size() < best->all.size()) best = std::move(share);
    }
    return best;
}

}  // namespace

std::vector<Rule> split_rules(std::vector<Rule> rules, Symbols& symbols) {
    std::vector<Rule> result;
    std::size_t fresh = 0;
    for (Rule& rule : rules) {
        while (const auto share = best_share(rule)) {
            Rule part;
            part.variables = rule.variables;
            part.line = rule.line;
            part.column = rule.column;
            part.head.relation =
                symbols.intern("split " + std::to_string(fresh++));  // no name of a game has a blank
            for (const std::uint32_t v : share->elsewhere)
                part.head.arguments.push_back({Term::Kind::variable, v});
            for (const std::size_t l : share->literals) part.body.push_back(rule.body[l]);
            std::vector<BodyLiteral> rest;
            for (std::size_t l = 0; l < rule.body.size(); ++l) {
                if (!std::binary_search(share->literals.begin(), share->literals.end(), l))
                    rest.push_back(rule.body[l]);
            }
            rest.push_back({BodyLiteral::Kind::positive, part.head, rule.line, rule.column});
            rule.body = std::move(rest);
            result.push_back(std::move(part));
        }
        result.push_back(std::move(rule));
    }
    return result;
}

}  // namespace zermelo::gdl
