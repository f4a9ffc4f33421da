// Semi-naive evaluation (Bancilhon and Ramakrishnan 1986): the least fixpoint of a group of relations.
//
// In each round a recursive rule is applied only where one of its recursive literals takes a row of the
// delta, that is, a row that the round before added. A group is computed again only if something that it reads has
// changed, and what has changed in it is found by comparison, so that others need not be computed either.

#include <algorithm>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::nothing;

datalog::Relation& Reasoner::Engine::complete(Symbol keyword, std::size_t width) {
    if (at_work_) forget_state();
    at_work_ = true;
    for (const std::uint32_t group : schedule_[keyword]) {
        groups_[group].last_asked = states_;
        if (groups_[group].dirty) evaluate(groups_[group]);
    }
    at_work_ = false;
    return relations_[relation(keyword, width)];
}

void Reasoner::Engine::evaluate(Group& group) {
    if (!group.given && !group.on_demand) {
        most_rows_ = most_rows(group);
        try {
            if (group.upkeep == Group::Upkeep::counted && !group.counts_hold) count_anew(group);
            if (group.upkeep == Group::Upkeep::counted) {
                settle(group);
            } else if (group.recursive) {
                evaluate_fixpoint(group);
            } else {
                evaluate_rules(group);
            }
        } catch (const datalog::TooManyRows&) {
            start_demand(group);
        }
    }
    group.dirty = false;
}

// The join of a rule, all of whose variables are open.
datalog::Join& Reasoner::Engine::join_of(CompiledRule& rule, std::uint32_t pinned) {
    std::unique_ptr<JoinPlan>& plan = rule.plans[pinned == nothing ? rule.body.size() : pinned];
    if (!plan || outgrown(rule, *plan))
        plan = std::make_unique<JoinPlan>(make_plan(rule, pinned, std::vector<bool>(rule.variables, false)));
    Join& join = joins_[static_cast<std::size_t>(&rule - rules_.data())];
    join.plan = plan.get();
    join.mode = Join::Mode::derive;
    join.sign = 1;
    join.pinned = pinned;
    join.event = nothing;
    return join;
}

void Reasoner::Engine::evaluate_rules(Group& group) {
    const std::uint32_t member = group.members.front();
    Relation& r = relations_[member];
    derived_.clear();
    stamp_ = ++stamps_;
    link_at_once_ = false;
    for (const std::uint32_t i : group.rules) {
        if (!is_idle(rules_[i])) join(join_of(rules_[i], nothing), 0);
    }
    // What others count is told row by row.
    const std::vector<std::uint32_t> now = std::move(derived_);
    derived_ = {};
    const std::uint32_t stamp = stamp_;
    for (std::size_t at = r.present.size(); at-- > 0;) {
        if (r.stamp[r.present[at]] != stamp) set(member, r.present[at], false);
    }
    for (const std::uint32_t row : now) {
        if (!r.has(row)) set(member, row, true);
    }
}

void Reasoner::Engine::evaluate_fixpoint(Group& group) {
    const auto& members = group.members;
    std::vector<std::vector<std::uint32_t>> before;
    for (const std::uint32_t member : members) {
        before.push_back(relations_[member].present);
        relations_[member].unlink_all();
    }
    derived_.clear();
    link_at_once_ = true;
    for (const std::uint32_t i : group.rules) {
        if (rules_[i].recursive.empty() && !is_idle(rules_[i])) join(join_of(rules_[i], nothing), 0);
    }
    std::vector<std::pair<std::size_t, std::size_t>> delta(members.size());
    for (bool more = true; more;) {
        more = false;
        for (std::size_t m = 0; m < delta.size(); ++m) {
            delta[m] = {delta[m].second, relations_[members[m]].present.size()};
            more = more || delta[m].first < delta[m].second;
        }
        for (const std::uint32_t i : group.rules) apply_to_delta(rules_[i], group, delta);
    }
    link_at_once_ = false;
    // Others are told one difference at a time, from what they have seen so far.
    for (std::size_t m = 0; m < members.size(); ++m) {
        Relation& r = relations_[members[m]];
        const std::uint32_t is_old = ++stamps_;
        const std::uint32_t is_both = ++stamps_;
        for (const std::uint32_t row : before[m]) r.stamp[row] = is_old;
        std::vector<std::uint32_t> added;
        for (const std::uint32_t row : r.present) {
            if (r.stamp[row] == is_old) {
                r.stamp[row] = is_both;
            } else {
                added.push_back(row);
            }
        }
        std::vector<std::uint32_t> removed;
        for (const std::uint32_t row : before[m]) {
            if (r.stamp[row] == is_old) removed.push_back(row);
        }
        if (added.empty() && removed.empty()) continue;
        for (const std::uint32_t row : added) r.unlink(row);
        for (const std::uint32_t row : removed) r.link(terms_, row);
        for (const std::uint32_t row : removed) set(members[m], row, false);
        for (const std::uint32_t row : added) set(members[m], row, true);
    }
}

void Reasoner::Engine::apply_to_delta(CompiledRule& rule, const Group& group,
                                      const std::vector<std::pair<std::size_t, std::size_t>>& delta) {
    for (const std::uint32_t literal : rule.recursive) {
        const std::uint32_t wanted = rule.body[literal].relation;
        for (std::size_t m = 0; m < delta.size(); ++m) {
            if (group.members[m] != wanted || delta[m].first == delta[m].second || is_idle(rule)) continue;
            Join& under_way = join_of(rule, literal);
            under_way.from = delta[m].first;
            under_way.to = delta[m].second;
            join(under_way, 0);
        }
    }
}

// Some positive literal has no rows at all.
bool Reasoner::Engine::is_idle(const CompiledRule& rule) const {
    return std::any_of(rule.body.begin(), rule.body.end(), [&](const Literal& literal) {
        return literal.kind == BodyLiteral::Kind::positive &&
               !groups_[group_of_[literal.relation]].on_demand &&
               relations_[literal.relation].present.empty();
    });
}

}  // namespace zermelo::gdl
