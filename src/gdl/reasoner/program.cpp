// From the rules of a description to a stratified Datalog program (Apt, Blair and Walker 1988).
//
// The dependency graph of the relations falls into strongly connected components; each is evaluated as a
// whole after those that it needs, so that a negated relation is complete when it is asked about. Rules that
// break this, or that leave a variable unbound, are refused.

#include <fmt/format.h>

#include <algorithm>

#include "gdl/reasoner/engine.hpp"
#include "gdl/syntax/parse.hpp"
#include "gdl/syntax/stratify.hpp"

namespace zermelo::gdl {

using datalog::covered;
using datalog::mark;
using datalog::nothing;

namespace {

constexpr std::size_t most_literals = 2000;  // in a body, since joining them is recursive

}  // namespace

Reasoner::Engine::Engine(const Description& game, const ReasonerOptions& options)
    : options_(options), file_(game.file) {
    for (const Symbol keyword : {kw_role, kw_init, kw_true, kw_next}) relation(keyword, 1);
    for (const Symbol keyword : {kw_does, kw_legal, kw_goal, kw_sees}) relation(keyword, 2);
    relation(kw_terminal, 0);
    // Where this fails, order() says which rule is to blame.
    const Description usable = stratified(game).value_or(game);
    symbols_ = usable.symbols;
    for (const Rule& rule : usable.rules) add(usable, rule);
    order();
    const Relation& role = complete(kw_role, 1);
    for (const std::uint32_t row : role.present) roles_.push_back(role.rows[row][0]);
    if (roles_.empty()) throw Error({file_}, "no roles", "name the players with (role …)");
}

std::uint32_t Reasoner::Engine::relation(Symbol symbol, std::size_t width) {
    const auto [place, is_new] =
        names_.try_emplace({symbol, width}, static_cast<std::uint32_t>(relations_.size()));
    if (is_new) relations_.emplace_back(symbol, width);
    return place->second;
}

namespace {

// Equal compounds of a rule get the same alias.
void give_aliases(datalog::Pattern& pattern, std::vector<datalog::Pattern>& seen, std::size_t variables) {
    if (pattern.kind != datalog::Pattern::Kind::compound) return;
    auto found = std::ranges::find(seen, pattern);
    if (found == seen.end()) found = seen.insert(seen.end(), pattern);
    const auto number = static_cast<std::size_t>(found - seen.begin());
    for (datalog::Pattern& argument : pattern.arguments) give_aliases(argument, seen, variables);
    pattern.alias = static_cast<std::uint32_t>(variables + number);
}

}  // namespace

datalog::Pattern Reasoner::Engine::pattern(const Term& term) {
    if (term.kind == Term::Kind::variable) return {Pattern::Kind::variable, term.id};
    Pattern result{Pattern::Kind::compound, term.id};
    std::vector<Ground> ground;
    for (const Term& argument : term.arguments) {
        result.arguments.push_back(pattern(argument));
        if (result.arguments.back().kind == Pattern::Kind::ground)
            ground.push_back(result.arguments.back().id);
    }
    if (ground.size() < term.arguments.size()) return result;
    return {Pattern::Kind::ground, terms_.make(term.id, ground)};
}

std::vector<datalog::Pattern> Reasoner::Engine::patterns(const Atom& atom) {
    std::vector<Pattern> result;
    for (const Term& term : atom.arguments) result.push_back(pattern(term));
    return result;
}

void Reasoner::Engine::add(const Description& game, const Rule& rule) {
    CompiledRule result{relation(rule.head.relation, rule.head.arguments.size()),
                        patterns(rule.head),
                        {},
                        rule.variables.size(),
                        game.place(rule),
                        rule.body.empty() ? "" : gdl::text(game.symbols, rule.head, &rule.variables)};
    for (const BodyLiteral& literal : rule.body) {
        result.body.push_back({literal.kind, nothing, patterns(literal.atom)});
        if (literal.kind == BodyLiteral::Kind::distinct) continue;
        result.body.back().relation = relation(literal.atom.relation, literal.atom.arguments.size());
    }
    std::vector<Pattern> compounds;
    const std::size_t variables = result.variables;
    for (Pattern& p : result.head) give_aliases(p, compounds, variables);
    for (Literal& literal : result.body) {
        for (Pattern& p : literal.patterns) give_aliases(p, compounds, variables);
    }
    result.variables += compounds.size();
    rules_.push_back(std::move(result));
}

// Strata: relations that depend on each other form a group, and groups are numbered so that each needs only
// earlier ones.
void Reasoner::Engine::group_relations() {
    std::vector<std::vector<std::uint32_t>> needs(relations_.size());
    for (const CompiledRule& rule : rules_) {
        for (const Literal& literal : rule.body) {
            if (literal.relation != nothing) needs[rule.relation].push_back(literal.relation);
        }
    }
    Components parts = components(needs);
    group_of_ = std::move(parts.of);
    groups_.resize(parts.members.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) groups_[g].members = std::move(parts.members[g]);
    for (std::uint32_t r = 0; r < relations_.size(); ++r) {
        for (const std::uint32_t other : needs[r]) {
            if (group_of_[other] != group_of_[r]) groups_[group_of_[r]].needs.push_back(group_of_[other]);
        }
    }
    Group& facts = groups_[group_of_[relation(kw_true, 1)]];
    Group& moves = groups_[group_of_[relation(kw_does, 2)]];
    facts.given = moves.given = true;
    facts.level = Level::state;
    moves.level = Level::moves;
    for (Group& group : groups_) {
        for (const std::uint32_t other : group.needs)
            group.level = std::max(group.level, groups_[other].level);
    }
    for (std::uint32_t i = 0; i < rules_.size(); ++i)
        groups_[group_of_[rules_[i].relation]].rules.push_back(i);
}

void Reasoner::Engine::order() {
    group_relations();
    std::vector<bool> asked(groups_.size(), false);
    for (const Symbol keyword : {kw_role, kw_init, kw_next}) schedule(keyword, 1, asked);
    for (const Symbol keyword : {kw_legal, kw_goal, kw_sees}) schedule(keyword, 2, asked);
    schedule(kw_terminal, 0, asked);
    for (CompiledRule& rule : rules_) {
        Join& join = joins_.emplace_back();
        join.rule = &rule;
        join.bindings.assign(rule.variables, nothing);
        if (asked[group_of_[rule.relation]]) check(rule);
    }
    choose_upkeep(asked);
}

// Which groups are counted, and who reads what.
void Reasoner::Engine::choose_upkeep(const std::vector<bool>& asked) {
    uses_.resize(relations_.size());
    readers_.resize(relations_.size());
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        if (!asked[g] || group.given) continue;
        group.recursive =
            std::ranges::any_of(group.rules, [&](std::uint32_t i) { return !rules_[i].recursive.empty(); });
        const bool open =
            std::ranges::any_of(group.rules, [&](std::uint32_t i) { return rules_[i].open_negation; });
        if (group.level == Level::state && !group.recursive && !open) group.upkeep = Group::Upkeep::counted;
        for (const std::uint32_t i : group.rules) {
            for (std::uint32_t l = 0; l < rules_[i].body.size(); ++l) {
                const std::uint32_t r = rules_[i].body[l].relation;
                if (r == nothing || group_of_[r] == g) continue;
                if (group.upkeep == Group::Upkeep::counted && groups_[group_of_[r]].level == Level::state) {
                    Use use{i, l};
                    const auto& patterns = rules_[i].body[l].patterns;
                    for (std::uint32_t c = 0; c < patterns.size() && use.column == nothing; ++c) {
                        if (patterns[c].kind == Pattern::Kind::variable) continue;
                        use.column = c;
                        use.function = patterns[c].kind == Pattern::Kind::compound;
                        use.id = patterns[c].id;
                    }
                    uses_[r].push_back(use);
                }
                if (readers_[r].empty() || readers_[r].back() != g) readers_[r].push_back(g);
            }
        }
    }
}

// What has to be computed, in order, to know the relation.
void Reasoner::Engine::schedule(Symbol keyword, std::size_t width, std::vector<bool>& asked) {
    const std::uint32_t target = group_of_[relation(keyword, width)];
    std::vector<std::uint32_t> open{target};
    std::vector<bool> found(groups_.size(), false);
    found[target] = true;
    while (!open.empty()) {
        const std::uint32_t group = open.back();
        open.pop_back();
        asked[group] = true;
        schedule_[keyword].push_back(group);
        for (const std::uint32_t other : groups_[group].needs) {
            if (!found[other]) open.push_back(other);
            found[other] = true;
        }
    }
    std::sort(schedule_[keyword].begin(), schedule_[keyword].end());
}

// Refuses recursion through negation and variables without a value; notes which literals are recursive.
void Reasoner::Engine::check(CompiledRule& rule) {
    if (rule.body.size() > most_literals) {
        throw Error(rule.place, fmt::format("more than {} literals in one rule", most_literals),
                    "split the rule");
    }
    std::vector<bool> bound(rule.variables, false);
    for (std::uint32_t i = 0; i < rule.body.size(); ++i) {
        const Literal& literal = rule.body[i];
        const bool inside =
            literal.relation != nothing && group_of_[literal.relation] == group_of_[rule.relation];
        if (literal.kind == BodyLiteral::Kind::positive) {
            if (inside) rule.recursive.push_back(i);
            for (const Pattern& p : literal.patterns) mark(p, bound);
        } else if (inside) {
            throw Error(rule.place,
                        fmt::format("{} depends on its own negation through `{}`", rule.text,
                                    symbols_.name(relations_[literal.relation].symbol)),
                        "break the circle");
        }
    }
    rule.plans.resize(rule.body.size() + 1);
    for (const Literal& literal : rule.body) {
        if (literal.kind == BodyLiteral::Kind::negative && !covered(literal.patterns, bound))
            rule.open_negation = true;
    }
    check_bound(rule, bound);
}

// Range restriction: variables of the head and of `distinct` occur in a positive literal.
void Reasoner::Engine::check_bound(const CompiledRule& rule, const std::vector<bool>& bound) const {
    const auto demand_bound = [&](const std::vector<Pattern>& terms, const char* where) {
        if (covered(terms, bound)) return;
        throw Error(rule.place, fmt::format("a variable of {} has no value", where),
                    "add a positive literal that binds it");
    };
    demand_bound(rule.head, "the head");
    for (const Literal& literal : rule.body) {
        if (literal.kind == BodyLiteral::Kind::distinct) demand_bound(literal.patterns, "`distinct`");
    }
}

}  // namespace zermelo::gdl
