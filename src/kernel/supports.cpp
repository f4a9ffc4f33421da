#include "kernel/supports.hpp"

#include <algorithm>

#include "kernel/gecode/kernel.hpp"
#include "kernel/trail/kernel.hpp"

namespace zermelo::kernel {

template <class Position>
void Supports<Position>::add(model::VarId v) {
    if (visited_[v] == question_) return;
    visited_[v] = question_;
    open_.push_back(v);
}

template <class Position>
const std::vector<model::VarId>& Supports<Position>::moves() {
    while (!open_.empty()) {
        const model::VarId v = open_.back();
        open_.pop_back();
        go_down(v);
    }
    return moves_;
}

template <class Position>
void Supports<Position>::go_down(model::VarId v) {
    if (program_.structure.block_of[v] >= 0) {
        if ((*played_)[v]) moves_.push_back(v);
        return;
    }
    // Nothing is known about it that is not always so.
    if (position_->size(v) == program_.domain(v).size()) return;
    const int c = program_.structure.definition[v];
    if (c < 0) return;
    const model::Constraint& constraint = program_.constraint(c);
    const auto literal = model::reified_by(constraint);
    if (!literal || literal->variable != v || !position_->fixed(v)) return add_all(c, v);
    const bool holds = position_->is_true(*literal);
    if (const auto* clause = std::get_if<model::Clause>(&constraint.body)) return add_clause(*clause, holds);
    if (const auto* linear = std::get_if<model::Linear>(&constraint.body)) return add_linear(*linear, holds);
    add_all(c, v);
}

template <class Position>
void Supports<Position>::add_constraint(int c) {
    const model::Constraint& constraint = program_.constraint(c);
    if (const auto literal = model::reified_by(constraint)) {
        if (!position_->fixed(literal->variable)) return add_all(c, -1);
        add(*literal);
        const bool holds = position_->is_true(*literal);
        if (const auto* clause = std::get_if<model::Clause>(&constraint.body))
            return add_clause(*clause, holds);
        return add_all(c, -1);
    }
    if (const auto* clause = std::get_if<model::Clause>(&constraint.body)) return add_clause(*clause, true);
    if (const auto* linear = std::get_if<model::Linear>(&constraint.body)) return add_linear(*linear, true);
    add_all(c, -1);
}

template <class Position>
void Supports<Position>::add_all(int c, model::VarId but) {
    for (const model::VarId v : program_.variables_of[c]) {
        if (v != but) add(v);
    }
}

// One true literal makes it true, and best is one that is needed anyway.
template <class Position>
void Supports<Position>::add_clause(const model::Clause& clause, bool holds) {
    if (!holds) {
        for (const model::Literal l : clause.literals) add(l);
        return;
    }
    const model::Literal* best = nullptr;
    for (const model::Literal& l : clause.literals) {
        if (!position_->is_true(l)) continue;
        if (visited_[l.variable] == question_ || program_.domain(l.variable).single()) return;
        const auto level = [&](const model::Literal& x) { return program_.structure.level[x.variable]; };
        if (best == nullptr || level(l) > level(*best)) best = &l;
    }
    if (best != nullptr) return add(*best);
    for (const model::Literal l : clause.literals) add(l);  // none is true yet, but none can be violated
}

// sign · Σ ≤ bound: terms that may be anything within the slack are left out.
template <class Position>
bool Supports<Position>::add_greatest(const model::Linear& linear, model::Value sign, model::Value bound) {
    const auto greatest = [&](const model::Term& term, const model::Interval& x) {
        return std::max(sign * term.coefficient * x.low, sign * term.coefficient * x.high);
    };
    model::Value slack = bound;
    for (const model::Term& term : linear.terms) slack -= greatest(term, position_->bounds(term.variable));
    if (slack < 0) return false;
    for (const model::Term& term : linear.terms) {
        const model::Domain& declared = program_.domain(term.variable);
        const model::Value more = greatest(term, {declared.low(), declared.high()}) -
                                  greatest(term, position_->bounds(term.variable));
        if (visited_[term.variable] == question_) continue;
        if (more <= slack) {
            slack -= more;
        } else {
            add(term.variable);
        }
    }
    return true;
}

template <class Position>
void Supports<Position>::add_linear(const model::Linear& linear, bool holds) {
    const model::Value c = linear.constant;
    bool done = false;
    if (linear.relation == model::Relation::at_most) {
        done = holds ? add_greatest(linear, 1, c) : add_greatest(linear, -1, -c - 1);
    } else if (holds != (linear.relation == model::Relation::equal)) {
        done = add_greatest(linear, 1, c - 1) || add_greatest(linear, -1, -c - 1);
    }
    if (done) return;
    for (const model::Term& term : linear.terms) add(term.variable);
}

template <class Position>
const std::vector<model::VarId>& Supports<Position>::read_after(int b) {
    read_after_.resize(static_cast<std::size_t>(program_.blocks()) + 1);
    auto& known = read_after_[static_cast<std::size_t>(b)];
    if (known) return *known;
    std::vector<bool> seen(program_.model.variables.size(), false);
    std::vector<model::VarId> open;
    const auto reach = [&](model::VarId v) {
        if (!seen[v]) open.push_back(v);
        seen[v] = true;
    };
    const auto reach_literal = [&](model::Literal l) {
        if (program_.structure.level[l.variable] >= b) reach(l.variable);
    };
    for (const int c : program_.structure.winning) {
        if (program_.structure.due[c] < b) continue;
        for (const model::VarId v : program_.variables_of[c]) reach(v);
    }
    for (int c = b; c < program_.blocks(); ++c) {
        if (program_.block(c).rule) reach(program_.block(c).rule->variable);
    }
    for (const model::Literal l : program_.model.win) reach_literal(l);
    for (const model::Cut& cut : program_.model.cuts) {
        for (const model::Literal l : cut.when) reach(l.variable);
        reach(cut.claim.variable);
    }
    auto& result = known.emplace();
    while (!open.empty()) {
        const model::VarId v = open.back();
        open.pop_back();
        const int block = program_.structure.block_of[v];
        if (block >= 0) {
            if (block < b) result.push_back(v);
        } else if (const int c = program_.structure.definition[v]; c >= 0) {
            each_variable(program_.constraint(c), reach);
        }
    }
    return result;
}

template class Supports<trail::Kernel>;
template class Supports<gecode::Kernel>;

}  // namespace zermelo::kernel
