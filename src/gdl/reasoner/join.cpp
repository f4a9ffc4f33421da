// Index nested-loop join with backtracking: all ways to satisfy the literals of one body.
//
// A step takes the rows that agree with the variables bound so far, from the index for that shape, and goes
// on to the next step for each. Where all variables of the head are bound and the head is a row already, or
// has just become one, what remains cannot add anything, and the join goes back.

#include <fmt/format.h>

#include <algorithm>

#include "gdl/reasoner/engine.hpp"

namespace zermelo::gdl {

using datalog::covered;
using datalog::nothing;

inline void Reasoner::Engine::count_work() {
    constexpr std::uint32_t work_per_check = 1024;
    if (++work_ % work_per_check != 0) return;
    const Stop stop = options_.limits.reached();
    if (stop != Stop::none)
        throw LimitReached(stop, fmt::format("while evaluating {}", join_.rule->place.text()),
                           "raise the limit, or simplify the rules");
}

void Reasoner::Engine::infinite(const std::string& what) const {
    throw Error(join_.rule->place, fmt::format("{} makes {}", join_.rule->text, what),
                "bound its recursion, or raise the limit");
}

inline void Reasoner::Engine::derive() {
    key_.clear();
    for (const Pattern& p : join_.rule->head) {
        key_.push_back(build(terms_, p, join_.bindings));
        if (terms_.depth(key_.back()) > options_.most_depth) infinite("ever deeper terms");
    }
    Relation& r = relations_[join_.rule->relation];
    if (!r.rows.insert(key_).second) return;
    if (r.rows.size() > most_rows_ && !on_demand_.contains(join_.rule->relation))
        throw datalog::TooManyRows();
    if (++made_ > options_.most_facts || terms_.size() > options_.most_facts) infinite("too many facts");
}

inline void Reasoner::Engine::undo(std::size_t before) {
    while (join_.trail.size() > before) {
        join_.bindings[join_.trail.back()] = nothing;
        join_.trail.pop_back();
    }
}

inline bool Reasoner::Engine::fits(const Literal& literal, std::uint32_t row) {
    const auto values = relations_[literal.relation].rows[row];
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!match(terms_, literal.patterns[i], values[i], join_.bindings, join_.trail)) return false;
    }
    return true;
}

inline bool Reasoner::Engine::is_row(std::uint32_t r, const std::vector<Pattern>& patterns) {
    key_.clear();
    for (const Pattern& p : patterns) {
        key_.push_back(datalog::look_up(terms_, p, join_.bindings));
        if (key_.back() == nothing) return false;
    }
    return relations_[r].rows.find(key_) != nothing;
}

inline bool Reasoner::Engine::holds(const JoinStep& step, const Literal& literal) {
    demand(literal, step.known);
    return is_row(literal.relation, literal.patterns);
}

inline bool Reasoner::Engine::is_distinct(const Literal& literal) {
    return build(terms_, literal.patterns[0], join_.bindings) !=
           build(terms_, literal.patterns[1], join_.bindings);
}

// The known parts of the pattern, in the order of its shape.
inline bool Reasoner::Engine::add_key(const Pattern& p, const std::vector<bool>& known) {
    if (covered(p, known)) {
        key_.push_back(datalog::look_up(terms_, p, join_.bindings));
        return key_.back() != nothing;
    }
    return std::all_of(p.arguments.begin(), p.arguments.end(),
                       [&](const Pattern& argument) { return add_key(argument, known); });
}

inline std::uint32_t Reasoner::Engine::last_match(const JoinStep& step, const Literal& literal) {
    demand(literal, step.known);
    Relation& r = relations_[literal.relation];
    datalog::Index& index = r.indexes[step.index];
    index.extend(terms_, r.rows);
    key_.clear();
    for (const Pattern& p : literal.patterns) {
        if (!add_key(p, step.known)) return nothing;
    }
    return index.last(key_);
}

inline bool Reasoner::Engine::some_match(const JoinStep& step, const Literal& literal) {
    const std::size_t before = join_.trail.size();
    for (std::uint32_t row = last_match(step, literal); row != nothing;
         row = relations_[literal.relation].indexes[step.index].before(row)) {
        const bool result = fits(literal, row);
        undo(before);
        if (result) return true;
    }
    return false;
}

inline bool Reasoner::Engine::try_row(std::size_t number, const Literal& literal, std::uint32_t row) {
    const std::size_t before = join_.trail.size();
    const bool result = fits(literal, row) && join(number + 1);
    undo(before);
    return result;
}

inline bool Reasoner::Engine::each_delta(std::size_t number, const Literal& literal) {
    bool found = false;
    for (std::size_t row = join_.delta.from; row < join_.delta.to; ++row) {
        found = try_row(number, literal, static_cast<std::uint32_t>(row)) || found;
        if (found && number >= join_.plan->head_bound) return true;
    }
    return found;
}

inline bool Reasoner::Engine::each_match(std::size_t number, const JoinStep& step, const Literal& literal) {
    bool found = false;
    for (std::uint32_t row = last_match(step, literal); row != nothing;
         row = relations_[literal.relation].indexes[step.index].before(row)) {
        found = try_row(number, literal, row) || found;
        if (found && number >= join_.plan->head_bound) return true;
    }
    return found;
}

// Joins the literals from this step on; true if the head followed.
bool Reasoner::Engine::join(std::size_t number) {
    count_work();
    if (number == join_.plan->steps.size()) {
        derive();
        return true;
    }
    if (number == join_.plan->head_bound && is_row(join_.rule->relation, join_.rule->head)) return true;
    const JoinStep& step = join_.plan->steps[number];
    const Literal& literal = join_.rule->body[step.literal];
    switch (step.kind) {
        case JoinStep::Kind::delta_rows:
            return each_delta(number, literal);
        case JoinStep::Kind::look_up:
            return each_match(number, step, literal);
        case JoinStep::Kind::contains:
            return holds(step, literal) && join(number + 1);
        case JoinStep::Kind::absent:
            return !holds(step, literal) && join(number + 1);
        case JoinStep::Kind::absent_match:
            return !some_match(step, literal) && join(number + 1);
        case JoinStep::Kind::distinct:
            return is_distinct(literal) && join(number + 1);
    }
    return false;
}

void Reasoner::Engine::run(datalog::Join join_of_rule) {
    join_ = std::move(join_of_rule);
    join(0);
}

}  // namespace zermelo::gdl
