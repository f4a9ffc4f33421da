// The dependency graph of the rules: which relations are static, and in which strata they are evaluated.
//
// A relation is dynamic if it depends on the state or the moves; the others fall into strata, the strongly
// connected components of the graph, so that negation refers to strata that are complete (Apt, Blair and
// Walker 1988).

#include <fmt/format.h>

#include <algorithm>

#include "gdl/ground/grounder.hpp"
#include "gdl/ground/patterns.hpp"
#include "gdl/syntax/components.hpp"

namespace zermelo::gdl {

RelationId Grounder::relation(Symbol symbol, std::size_t arity) {
    const std::uint64_t name = static_cast<std::uint64_t>(symbol) << 16 | arity;
    const auto [at, added] = relation_index_.try_emplace(name, static_cast<RelationId>(relations_.size()));
    if (added) {
        relations_.emplace_back();
        relations_.back().symbol = symbol;
        relations_.back().arity = arity;
    }
    return at->second;
}

void Grounder::compile_rules() {
    std::size_t most_variables = 0;
    for (std::uint32_t r = 0; r < rules_.size(); ++r) {
        const Rule& rule = rules_[r];
        Compiled compiled{&rule, relation(rule.head.relation, rule.head.arguments.size()), {}, {}};
        for (std::uint32_t l = 0; l < rule.body.size(); ++l) {
            const BodyLiteral& literal = rule.body[l];
            const bool distinct = literal.kind == BodyLiteral::Kind::distinct;
            compiled.relations.push_back(
                distinct ? never : relation(literal.atom.relation, literal.atom.arguments.size()));
            if (literal.kind == BodyLiteral::Kind::positive)
                relations_[compiled.relations.back()].uses.emplace_back(r, l);
        }
        compiled.plans.resize(rule.body.size() + 1);
        compiled_.push_back(std::move(compiled));
        most_variables = std::max(most_variables, rule.variables.size());
    }
    binding_.assign(most_variables, unbound);
}

// Whatever depends on the state or on moves, and what the machine asks for.
void Grounder::find_dynamic() {
    for (Relation& r : relations_) {
        const Symbol s = r.symbol;
        r.dynamic = s == kw_true || s == kw_does || s == kw_legal || s == kw_next || s == kw_terminal ||
                    s == kw_goal || s == kw_sees;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const Compiled& rule : compiled_) {
            if (relations_[rule.head].dynamic) continue;
            for (const RelationId r : rule.relations) {
                if (r == never || !relations_[r].dynamic) continue;
                relations_[rule.head].dynamic = changed = true;
                if (const Symbol s = rule.rule->head.relation; s == kw_init || s == kw_role) {
                    throw Error(game_.place(*rule.rule),
                                fmt::format("`{}` depends on the state or the moves", game_.symbols.name(s)),
                                "it is evaluated before any state exists; use only static relations");
                }
                break;
            }
        }
    }
    for (Compiled& rule : compiled_) {
        // Variables that neither the head nor a dynamic literal fixes may take several values for one
        // instance.
        std::vector<bool> fixed(rule.rule->variables.size(), false);
        each_variable(rule.rule->head, [&](std::uint32_t v) { fixed[v] = true; });
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            if (rule.relations[l] == never || !relations_[rule.relations[l]].dynamic) continue;
            each_variable(rule.rule->body[l].atom, [&](std::uint32_t v) { fixed[v] = true; });
        }
        rule.may_repeat = std::find(fixed.begin(), fixed.end(), false) != fixed.end();
    }
}

// Static relations in an order in which every relation comes after those it needs; relations that need each
// other share a stratum. A negation inside a stratum has no meaning and is refused.
void Grounder::find_strata() {
    const auto n = relations_.size();
    std::vector<std::vector<RelationId>> needs(n);
    for (const Compiled& rule : compiled_) {
        if (relations_[rule.head].dynamic) continue;
        for (const RelationId r : rule.relations) {
            if (r != never) needs[rule.head].push_back(r);
        }
    }
    const Components parts = components(needs);  // those that others need have smaller numbers
    for (RelationId r = 0; r < n; ++r) relations_[r].stratum = static_cast<int>(parts.of[r]);
    strata_.assign(parts.members.size(), {});
    for (std::uint32_t c = 0; c < compiled_.size(); ++c) {
        const Compiled& rule = compiled_[c];
        if (relations_[rule.head].dynamic) continue;
        strata_[relations_[rule.head].stratum].push_back(c);
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            if (rule.rule->body[l].kind == BodyLiteral::Kind::negative &&
                relations_[rule.relations[l]].stratum == relations_[rule.head].stratum) {
                throw Error(game_.place(*rule.rule),
                            fmt::format("{} depends on its own negation",
                                        game_.symbols.name(rule.rule->head.relation)),
                            "break the loop through `not`");
            }
        }
    }
}

}  // namespace zermelo::gdl
