// Tabling (Tamaki and Sato 1986) of relations that are too large to be computed as a whole.
//
// A query gives values to some arguments; the rows that fit it are computed once, by joining each rule's body
// with those variables of the head already bound, and stay in the relation. Recursive relations and keywords
// are always computed as a whole.

#include <limits>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::covered;
using datalog::mark;
using datalog::nothing;

void Reasoner::Engine::query(const JoinStep& step, Join& outer) {
    const Literal& literal = outer.rule->body[step.literal];
    std::vector<Ground> values;
    for (std::size_t i = 0; i < step.known.size(); ++i) {
        if (step.known[i]) values.push_back(build(terms_, literal.patterns[i], outer.bindings));
    }
    auto& [known, answered] = on_demand_.at(literal.relation).answered[step.demand];
    if (!answered.insert(values).second) return;
    const bool at_once = link_at_once_;
    link_at_once_ = true;
    for (const std::uint32_t i : groups_[group_of_[literal.relation]].rules) answer(rules_[i], known, values);
    link_at_once_ = at_once;
}

void Reasoner::Engine::answer(CompiledRule& rule, const std::vector<bool>& known,
                              const std::vector<Ground>& values) {
    if (is_idle(rule)) return;
    std::vector<bool> bound(rule.variables, false);
    Join& under_way = joins_[static_cast<std::size_t>(&rule - rules_.data())];
    under_way.mode = Join::Mode::derive;
    under_way.pinned = nothing;
    under_way.event = nothing;
    for (std::size_t i = 0, v = 0; i < known.size(); ++i) {
        if (!known[i]) continue;
        std::vector<bool> now = bound;
        if (!matches(terms_, match_of(rule.head[i], bound, now, false), values[v++], under_way.bindings))
            return;
        bound = now;
    }
    auto plan = rule.query_plans.find(known);
    if (plan == rule.query_plans.end() || outgrown(rule, plan->second)) {
        plan = rule.query_plans.insert_or_assign(known, make_plan(rule, nothing, bound)).first;
    }
    under_way.plan = &plan->second;
    join(under_way, 0);
}

// How many rows the relation may get before it is computed on demand instead.
std::size_t Reasoner::Engine::most_rows(const Group& group) const {
    const bool keyword = relations_[group.members.front()].symbol < first_free_symbol;
    if (keyword || group.recursive) return std::numeric_limits<std::size_t>::max();
    return group.level == Level::fixed ? 20 * options_.large_relation : options_.large_relation;
}

// The rows found so far are good, but not all. Plans were made for a complete relation, and who reads it cannot
// follow its changes.
void Reasoner::Engine::start_demand(Group& group) {
    const std::uint32_t member = group.members.front();
    on_demand_.emplace(member,
                       datalog::OnDemand{std::max(derived_.size(), relations_[member].present.size())});
    group.on_demand = true;
    group.counts_hold = false;
    group.upkeep = Group::Upkeep::anew;
    relations_[member].unlink_all();
    for (CompiledRule& rule : rules_) {
        for (auto& plan : rule.plans) plan.reset();
        rule.query_plans.clear();
    }
    for (const std::uint32_t reader : readers_[member]) {
        groups_[reader].upkeep = Group::Upkeep::anew;
        groups_[reader].counts_hold = false;
        groups_[reader].dirty = true;
    }
}

}  // namespace zermelo::gdl
