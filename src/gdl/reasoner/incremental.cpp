// Incremental view maintenance by counting (Gupta, Mumick and Subrahmanian 1993): from one state to the next.
//
// In a group that is counted, each row knows how many derivations it has. Rows of the relations that its rules
// read come and go one at a time; each joins the other literals as they are at that moment, and moves the
// counters of the heads by one. So the counters always fit what the relations contain, and when the group is
// asked about, the rows whose counter has left or reached zero come or go themselves. Where a row occurs twice in
// a body, the literals after the first one do not see it yet.
//
// Groups that are recursive, depend on the moves, or read relations on demand are computed anew instead; so are
// groups for which following the changes was more work, and those that are seldom asked about.

#include <algorithm>
#include <array>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::nothing;

namespace {

constexpr std::uint64_t states_between_questions = 3;
constexpr int most_regret = 4;

}  // namespace

void Reasoner::Engine::load(const State& state) {
    if (at_work_) forget_state();
    if (state_ && *state_ == state) return;
    ++states_;
    made_ = 0;
    state_.reset();
    joint_.reset();
    purge();
    at_work_ = true;
    const std::uint32_t number = relation(kw_true, 1);
    Relation& facts = relations_[number];
    std::vector<std::uint32_t> rows;
    for (const Ground fluent : state) rows.push_back(facts.number(std::array{fluent}));
    forget_answers(Level::state);
    replace_facts(number, rows);
    state_ = state;
    at_work_ = false;
}

void Reasoner::Engine::load(const State& state, const Joint& joint) {
    load(state);
    if (joint_ && *joint_ == joint) return;
    if (joint.size() != roles_.size()) throw Error(Place{file_}, "a joint move has one move for each role");
    at_work_ = true;
    const std::uint32_t number = relation(kw_does, 2);
    Relation& facts = relations_[number];
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < roles_.size(); ++i)
        rows.push_back(facts.number(std::array{roles_[i], joint[i]}));
    forget_answers(Level::moves);
    replace_facts(number, rows);
    joint_ = joint;
    at_work_ = false;
}

// These rows, and no others.
void Reasoner::Engine::replace_facts(std::uint32_t number, const std::vector<std::uint32_t>& rows) {
    Relation& facts = relations_[number];
    const std::uint32_t stamp = ++stamps_;
    std::size_t added = 0;
    for (const std::uint32_t row : rows) {
        facts.stamp[row] = stamp;
        if (!facts.has(row)) ++added;
    }
    // Where most are new, following the changes is no use.
    if (2 * added > rows.size() && facts.symbol == kw_true) {
        for (Group& group : groups_) {
            if (group.upkeep != Group::Upkeep::counted || !group.counts_hold) continue;
            group.counts_hold = false;
            group.dirty = true;
        }
    }
    for (std::size_t at = facts.present.size(); at-- > 0;) {
        if (facts.stamp[facts.present[at]] != stamp) set(number, facts.present[at], false);
    }
    for (const std::uint32_t row : rows) {
        if (!facts.has(row)) set(number, row, true);
    }
}

// Relations on demand start from nothing.
void Reasoner::Engine::forget_answers(Level level) {
    for (auto& [member, table] : on_demand_) {
        if (groups_[group_of_[member]].level < level) continue;
        for (auto& [known, queries] : table.answered) queries.clear();
        relations_[member].unlink_all();
        make_readers_dirty(member);
    }
}

// Rows that have not been present for long are forgotten where they are many.
void Reasoner::Engine::purge() {
    constexpr std::uint64_t states_between_looks = 1024;
    constexpr std::size_t few = 1 << 16;
    if (states_ % states_between_looks != 0) return;
    const auto is_full = [&](const Relation& r) { return r.rows.size() > few + 8 * r.present.size(); };
    if (std::ranges::none_of(relations_, is_full)) return;
    forget_state();
    for (Relation& r : relations_) {
        if (r.present.empty() && is_full(r)) r.purge();
    }
}

void Reasoner::Engine::make_readers_dirty(std::uint32_t relation) {
    for (const std::uint32_t reader : readers_[relation]) {
        Group& group = groups_[reader];
        if (group.upkeep == Group::Upkeep::anew || !group.counts_hold) group.dirty = true;
    }
}

// A row comes or goes.
void Reasoner::Engine::set(std::uint32_t relation, std::uint32_t row, bool present) {
    Relation& r = relations_[relation];
    make_readers_dirty(relation);
    if (present) r.link(terms_, row);
    tell(relation, row, present ? 1 : -1);
    if (!present) r.unlink(row);
}

void Reasoner::Engine::start_touched(Group& group) {
    group.touched.clear();
    group.stamp = ++stamps_;
    group.work_of_changes = 0;
}

void Reasoner::Engine::tell(std::uint32_t relation, std::uint32_t row, std::int32_t sign) {
    const auto values = relations_[relation].rows[row];
    for (const Use& use : uses_[relation]) {
        if (use.column != nothing) {
            const Ground value = values[use.column];
            if ((use.function ? terms_.function(value) : value) != use.id) continue;
        }
        CompiledRule& rule = rules_[use.rule];
        Group& group = groups_[group_of_[rule.relation]];
        if (group.upkeep != Group::Upkeep::counted || !group.counts_hold) continue;
        if (states_ - group.last_asked > states_between_questions) {
            group.counts_hold = false;
            group.dirty = true;
            continue;
        }
        const std::uint64_t start = work_;
        Join& under_way = join_of(rule, use.literal);
        under_way.mode = Join::Mode::count;
        under_way.sign = rule.body[use.literal].kind == BodyLiteral::Kind::positive ? sign : -sign;
        under_way.event = row;
        stamp_ = group.stamp;
        derived_.swap(group.touched);
        link_at_once_ = false;
        most_rows_ = ~std::size_t{0};
        join(under_way, 0);
        derived_.swap(group.touched);
        group.dirty = group.dirty || !group.touched.empty();
        group.work_of_changes += work_ - start;
    }
}

// Counts all derivations. Where these are far more than rows, the group is not counted any more.
void Reasoner::Engine::count_anew(Group& group) {
    Relation& r = relations_[group.members.front()];
    std::ranges::fill(r.count, 0);
    start_touched(group);
    derived_.clear();
    derivations_ = 0;
    stamp_ = group.stamp;
    link_at_once_ = false;
    const std::uint64_t start = work_;
    try {
        for (const std::uint32_t i : group.rules) {
            if (is_idle(rules_[i])) continue;
            Join& under_way = join_of(rules_[i], nothing);
            under_way.mode = Join::Mode::count;
            join(under_way, 0);
        }
    } catch (const datalog::TooManyDerivations&) {
        group.upkeep = Group::Upkeep::anew;
        return;
    }
    group.work_anew = work_ - start;
    group.touched = std::move(derived_);
    derived_ = {};
    for (const std::uint32_t row : r.present) {
        if (r.stamp[row] != group.stamp) group.touched.push_back(row);
    }
    group.counts_hold = true;
}

// The rows follow their counters.
void Reasoner::Engine::settle(Group& group) {
    const std::uint32_t member = group.members.front();
    Relation& r = relations_[member];
    group.regret = group.work_of_changes > group.work_anew ? group.regret + 1 : std::max(0, group.regret - 1);
    const std::vector<std::uint32_t> touched = std::move(group.touched);
    start_touched(group);
    for (const std::uint32_t row : touched) {
        if ((r.count[row] > 0) != r.has(row)) set(member, row, r.count[row] > 0);
    }
    if (group.regret >= most_regret) {
        group.upkeep = Group::Upkeep::anew;
        group.counts_hold = false;
    }
}

// After an exception in the middle of an evaluation: nothing that depends on the state or the moves is kept.
void Reasoner::Engine::forget_state() {
    at_work_ = false;
    state_.reset();
    joint_.reset();
    for (Group& group : groups_) {
        if (group.level == Level::fixed && !group.on_demand) continue;
        group.counts_hold = false;
        group.dirty = true;
        for (const std::uint32_t member : group.members) {
            relations_[member].unlink_all();
            if (const auto table = on_demand_.find(member); table != on_demand_.end()) {
                for (auto& [known, queries] : table->second.answered) queries.clear();
            }
        }
    }
}

}  // namespace zermelo::gdl
