// Index nested-loop join with backtracking: all ways to satisfy the literals of one body.
//
// A step takes the rows that agree with the variables bound so far, from the index for that shape, and goes
// on to the next step for each; which variables a step binds is known from the plan. Where all variables of the
// head are bound and the head is a row already, or has just become one, what remains cannot add anything, and
// the join goes back, unless derivations are counted.

#include <fmt/format.h>

#include <algorithm>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::nothing;

inline void Reasoner::Engine::count_work(const Join& j) {
    constexpr std::uint32_t work_per_check = 1024;
    if (++work_ % work_per_check != 0) return;
    const Stop stop = options_.limits.reached();
    if (stop != Stop::none)
        throw LimitReached(stop, fmt::format("while evaluating {}", j.rule->place.text()),
                           "raise the limit, or simplify the rules");
}

void Reasoner::Engine::infinite(const Join& j, const std::string& what) const {
    throw Error(j.rule->place, fmt::format("{} makes {}", j.rule->text, what),
                "bound its recursion, or raise the limit");
}

inline bool Reasoner::Engine::is_derived(const Relation& r, std::uint32_t row) const {
    return link_at_once_ ? r.has(row) : r.stamp[row] == stamp_;
}

inline void Reasoner::Engine::derive(Join& j) {
    j.key.clear();
    for (const Pattern& p : j.plan->head) {
        j.key.push_back(build(terms_, p, j.bindings));
        if (terms_.depth(j.key.back()) > options_.most_depth) infinite(j, "ever deeper terms");
    }
    Relation& r = relations_[j.rule->relation];
    const std::uint32_t row = r.number(j.key);
    if (j.mode == Join::Mode::count) {
        constexpr std::uint64_t most_for_each = 16;
        constexpr std::uint64_t most_for_all = 4096;
        r.count[row] += j.sign;
        if (++derivations_ > most_for_each * derived_.size() + most_for_all && j.pinned == nothing)
            throw datalog::TooManyDerivations();
    }
    if (is_derived(r, row)) return;
    if (link_at_once_) {
        r.link(terms_, row);
    } else {
        r.stamp[row] = stamp_;
        derived_.push_back(row);
        if (derived_.size() > most_rows_) throw datalog::TooManyRows();
    }
    if (++made_ > options_.most_facts || terms_.size() > options_.most_facts) infinite(j, "too many facts");
}

inline bool Reasoner::Engine::head_is_derived(Join& j) {
    j.key.clear();
    for (const Pattern& p : j.plan->early_head) {
        j.key.push_back(look_up(terms_, p, j.bindings));
        if (j.key.back() == nothing) return false;
    }
    const Relation& r = relations_[j.rule->relation];
    const std::uint32_t row = r.rows.find(j.key);
    return row != nothing && is_derived(r, row);
}

// The known parts, in the order of the index or of the arguments.
inline bool Reasoner::Engine::make_key(Join& j, const JoinStep& step) {
    j.key.clear();
    for (const Pattern& p : step.key) {
        j.key.push_back(look_up(terms_, p, j.bindings));
        if (j.key.back() == nothing) return false;
    }
    return true;
}

inline bool Reasoner::Engine::holds(Join& j, const JoinStep& step) {
    if (step.demand != ~std::size_t{0}) query(step, j);
    if (!make_key(j, step)) return false;
    const std::uint32_t row = step.relation->rows.find(j.key);
    return row != nothing && step.relation->has(row) && !(step.hides_event && row == j.event);
}

inline bool Reasoner::Engine::fits(Join& j, const JoinStep& step, std::uint32_t row) {
    const auto values = step.relation->rows[row];
    for (const auto& [column, match] : step.open) {
        if (!matches(terms_, match, values[column], j.bindings)) return false;
    }
    return true;
}

inline std::uint32_t Reasoner::Engine::first_match(Join& j, const JoinStep& step) {
    if (step.demand != ~std::size_t{0}) query(step, j);
    return make_key(j, step) ? step.index->first(j.key) : nothing;
}

inline bool Reasoner::Engine::some_match(Join& j, const JoinStep& step) {
    for (std::uint32_t row = first_match(j, step); row != nothing; row = step.index->after(row)) {
        if (fits(j, step, row)) return true;
    }
    return false;
}

inline bool Reasoner::Engine::try_row(Join& j, std::size_t number, const JoinStep& step, std::uint32_t row) {
    return fits(j, step, row) && join(j, number + 1);
}

inline bool Reasoner::Engine::each_pinned(Join& j, std::size_t number, const JoinStep& step) {
    if (j.event != nothing) return try_row(j, number, step, j.event);
    bool found = false;
    for (std::size_t at = j.from; at < j.to; ++at) {
        found = try_row(j, number, step, step.relation->present[at]) || found;
        if (found && number >= j.plan->head_bound) return true;
    }
    return found;
}

inline bool Reasoner::Engine::each_match(Join& j, std::size_t number, const JoinStep& step) {
    const bool one_is_enough = j.mode == Join::Mode::derive && number >= j.plan->head_bound;
    bool found = false;
    for (std::uint32_t row = first_match(j, step); row != nothing; row = step.index->after(row)) {
        if (step.hides_event && row == j.event) continue;
        found = try_row(j, number, step, row) || found;
        if (found && one_is_enough) return true;
    }
    return found;
}

// Joins the literals from this step on; true if the head followed.
bool Reasoner::Engine::join(Join& j, std::size_t number) {
    count_work(j);
    const JoinPlan& plan = *j.plan;
    if (number == plan.steps.size()) {
        derive(j);
        return true;
    }
    if (number == plan.head_bound && j.mode == Join::Mode::derive && head_is_derived(j)) return true;
    const JoinStep& step = plan.steps[number];
    switch (step.kind) {
        case JoinStep::Kind::pinned:
            return each_pinned(j, number, step);
        case JoinStep::Kind::look_up:
            return each_match(j, number, step);
        case JoinStep::Kind::contains:
            return holds(j, step) && join(j, number + 1);
        case JoinStep::Kind::absent:
            return !holds(j, step) && join(j, number + 1);
        case JoinStep::Kind::absent_match:
            return !some_match(j, step) && join(j, number + 1);
        case JoinStep::Kind::distinct:
            return build(terms_, step.key[0], j.bindings) != build(terms_, step.key[1], j.bindings) &&
                   join(j, number + 1);
    }
    return false;
}

}  // namespace zermelo::gdl
