// Tabling (Tamaki and Sato 1986) of relations that are too large to be computed as a whole.
//
// A query gives values to some arguments; the rows that fit it are computed once, by joining each rule's body
// with those variables of the head already bound, and stay in the relation. Recursive relations and keywords
// are always computed as a whole.

#include <limits>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::Bindings;
using datalog::covered;
using datalog::mark;
using datalog::nothing;

void Reasoner::Engine::query(datalog::OnDemand& table, const Literal& literal,
                             const std::vector<bool>& bound) {
    std::vector<bool> known;
    std::vector<Ground> values;
    for (const Pattern& p : literal.patterns) {
        known.push_back(covered(p, bound));
        if (known.back()) values.push_back(build(terms_, p, join_.bindings));
    }
    if (!table.answered.emplace(known, values).second) return;
    datalog::Join outer = std::move(join_);
    for (const std::uint32_t i : group_rules_[groups_.of[literal.relation]]) answer(rules_[i], known, values);
    join_ = std::move(outer);
}

void Reasoner::Engine::answer(CompiledRule& rule, const std::vector<bool>& known,
                              const std::vector<Ground>& values) {
    if (is_idle(rule)) return;
    std::vector<bool> bound(rule.variables, false);
    Bindings bindings(rule.variables, nothing);
    std::vector<std::uint32_t> trail;
    for (std::size_t i = 0, v = 0; i < known.size(); ++i) {
        if (!known[i]) continue;
        if (!match(terms_, rule.head[i], values[v++], bindings, trail)) return;
        mark(rule.head[i], bound);
    }
    auto plan = rule.query_plans.find(known);
    if (plan == rule.query_plans.end() || outgrown(rule, plan->second)) {
        plan = rule.query_plans.insert_or_assign(known, make_plan(rule, 0, bound)).first;
    }
    run({&rule, &plan->second, {}, std::move(bindings)});
}

// How many rows the relation may get before it is computed on demand instead.
std::size_t Reasoner::Engine::most_rows(std::uint32_t group) const {
    const std::uint32_t member = groups_.members[group].front();
    const bool keyword = relations_[member].symbol < first_free_symbol;
    if (keyword || is_recursive(group)) return std::numeric_limits<std::size_t>::max();
    return level_[group] == Level::fixed ? 20 * options_.large_relation : options_.large_relation;
}

// The rows found so far are good, but not all. Plans were made for a complete relation.
void Reasoner::Engine::start_demand(std::uint32_t group) {
    const std::uint32_t member = groups_.members[group].front();
    on_demand_.emplace(member, datalog::OnDemand{relations_[member].rows.size()});
    for (CompiledRule& rule : rules_) {
        for (std::optional<JoinPlan>& plan : rule.plans) plan.reset();
        rule.query_plans.clear();
    }
}

}  // namespace zermelo::gdl
