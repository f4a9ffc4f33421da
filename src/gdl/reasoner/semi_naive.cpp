// Semi-naive evaluation (Bancilhon and Ramakrishnan 1986): the least fixpoint of a group of relations.
//
// In each round a recursive rule is applied only where one of its recursive literals takes a row of the
// delta, that is, a row that the round before added. What does not depend on the state, or not on the moves,
// is kept from one question to the next.

#include <algorithm>
#include <array>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::Bindings;
using datalog::nothing;

void Reasoner::Engine::load(const State& state) {
    if (state_ && *state_ == state) return;
    forget(Level::state);
    Relation& facts = relations_[relation(kw_true, 1)];
    for (const Ground fluent : state) facts.rows.insert(std::array{fluent});
    state_ = state;
}

void Reasoner::Engine::load(const State& state, const Joint& joint) {
    load(state);
    if (joint_ && *joint_ == joint) return;
    if (joint.size() != roles_.size()) throw Error(Place{file_}, "a joint move has one move for each role");
    forget(Level::moves);
    Relation& facts = relations_[relation(kw_does, 2)];
    for (std::size_t i = 0; i < roles_.size(); ++i) facts.rows.insert(std::array{roles_[i], joint[i]});
    joint_ = joint;
}

datalog::Relation& Reasoner::Engine::complete(Symbol keyword, std::size_t width) {
    for (const std::uint32_t group : schedule_[keyword]) {
        if (!done_[group]) evaluate(group);
    }
    return relations_[relation(keyword, width)];
}

// Drops what depends on the state, or on the moves.
void Reasoner::Engine::forget(Level level) {
    joint_.reset();
    if (level == Level::state) state_.reset();
    made_ = 0;
    for (std::size_t group = 0; group < level_.size(); ++group) {
        if (level_[group] < level) continue;
        for (const std::uint32_t member : groups_.members[group]) {
            relations_[member].clear();
            if (const auto found = on_demand_.find(member); found != on_demand_.end())
                found->second.answered.clear();
        }
        done_[group] = false;
    }
}

void Reasoner::Engine::evaluate(std::uint32_t group) {
    if (on_demand_.contains(groups_.members[group].front())) return;
    most_rows_ = most_rows(group);
    try {
        for (const std::uint32_t i : group_rules_[group]) {
            if (rules_[i].recursive.empty()) apply(rules_[i], 0, {});
        }
    } catch (const datalog::TooManyRows&) {
        start_demand(group);
        return;
    }
    std::vector<RowRange> delta(groups_.members[group].size());
    for (bool more = is_recursive(group); more;) {
        more = false;
        for (std::size_t m = 0; m < delta.size(); ++m) {
            delta[m] = {delta[m].to, relations_[groups_.members[group][m]].rows.size()};
            more = more || delta[m].from < delta[m].to;
        }
        for (const std::uint32_t i : group_rules_[group]) apply_to_delta(rules_[i], group, delta);
    }
    done_[group] = true;
}

bool Reasoner::Engine::is_recursive(std::uint32_t group) const {
    return std::any_of(group_rules_[group].begin(), group_rules_[group].end(),
                       [&](std::uint32_t i) { return !rules_[i].recursive.empty(); });
}

void Reasoner::Engine::apply_to_delta(CompiledRule& rule, std::uint32_t group,
                                      const std::vector<RowRange>& delta) {
    for (std::size_t k = 0; k < rule.recursive.size(); ++k) {
        const std::uint32_t wanted = rule.body[rule.recursive[k]].relation;
        for (std::size_t m = 0; m < delta.size(); ++m) {
            if (groups_.members[group][m] == wanted && delta[m].from < delta[m].to)
                apply(rule, k + 1, delta[m]);
        }
    }
}

// All that follows by the rule; if `variant` is not 0, with a row of `delta` for that recursive literal.
void Reasoner::Engine::apply(CompiledRule& rule, std::size_t variant, RowRange delta) {
    if (is_idle(rule)) return;
    std::optional<JoinPlan>& plan = rule.plans[variant];
    if (!plan || outgrown(rule, *plan))
        plan = make_plan(rule, variant, std::vector<bool>(rule.variables, false));
    run({&rule, &*plan, delta, Bindings(rule.variables, nothing)});
}

// Some positive literal has no rows at all.
bool Reasoner::Engine::is_idle(const CompiledRule& rule) const {
    return std::any_of(rule.body.begin(), rule.body.end(), [&](const Literal& literal) {
        return literal.kind == BodyLiteral::Kind::positive && !on_demand_.contains(literal.relation) &&
               relations_[literal.relation].rows.size() == 0;
    });
}

}  // namespace zermelo::gdl
