#include "gdl/ground/ground.hpp"
#include "gdl/ground/grounder.hpp"

namespace zermelo::gdl {

Grounder::Grounder(const Description& game, const GroundOptions& options) : game_(game), options_(options) {}

void Grounder::evaluate_static() {
    std::vector<bool> active(compiled_.size(), false);
    for (const auto& stratum : strata_) {
        if (stratum.empty()) continue;
        std::size_t done = derived_.size();
        const auto inside = [&](RelationId r) {
            return r != never && relations_[r].stratum == relations_[compiled_[stratum.front()].head].stratum;
        };
        for (const std::uint32_t c : stratum) {
            active[c] = true;
            Compiled& rule = compiled_[c];
            bool recursive = false;
            for (std::size_t l = 0; l < rule.relations.size(); ++l) {
                recursive = recursive || (rule.rule->body[l].kind == BodyLiteral::Kind::positive &&
                                          inside(rule.relations[l]));
            }
            if (!recursive) evaluate(rule, never, 0);
        }
        drain(done, active);
        for (const std::uint32_t c : stratum) active[c] = false;
    }
}

void Grounder::evaluate_dynamic() {
    recording_ = true;
    std::size_t done = derived_.size();
    std::vector<bool> active(compiled_.size(), false);
    const std::vector<AtomId> init = relations_[relation(kw_init, 1)].atoms;
    for (const AtomId a : init) {
        const TermId fluent = arguments(a)[0];
        derive(atom(relation(kw_true, 1), std::span(&fluent, 1)));
    }
    for (std::uint32_t c = 0; c < compiled_.size(); ++c) {
        Compiled& rule = compiled_[c];
        if (!relations_[rule.head].dynamic) continue;
        active[c] = true;
        bool driven = false;
        for (std::size_t l = 0; l < rule.relations.size(); ++l) {
            driven = driven || (rule.rule->body[l].kind == BodyLiteral::Kind::positive &&
                                relations_[rule.relations[l]].dynamic);
        }
        if (!driven) evaluate(rule, never, 0);
    }
    drain(done, active);
}

Grounding Grounder::run() {
    Symbols symbols = game_.symbols;
    rules_ = project_rules(game_.rules, symbols);
    if (options_.split) rules_ = split_rules(std::move(rules_), symbols);
    compile_rules();
    // Relations that the machine asks for exist even where no rule mentions them.
    for (const auto& [symbol, arity] :
         {std::pair<Symbol, std::size_t>{kw_role, 1}, {kw_init, 1}, {kw_true, 1}, {kw_does, 2}}) {
        (void)relation(symbol, arity);
    }
    find_dynamic();
    find_strata();
    evaluate_static();
    evaluate_dynamic();
    return finish();
}

Grounding ground(const Description& game, const GroundOptions& options) {
    const LimitScope scope(options.limits);
    return Grounder(game, options).run();
}

}  // namespace zermelo::gdl
