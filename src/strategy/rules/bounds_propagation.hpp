// Bounds propagation (Davis 1987): narrows the intervals of a constraint's variables.
//
// The inverse of evaluate.hpp, for the search of consistency.hpp. It is sound: no values with which the
// constraint holds are lost. It is not complete: a value that is left may be impossible, which `truth`
// decides once all variables are fixed. Sums, clauses and differences are narrowed by a formula, every other
// form by shaving: `truth` is evaluated at the ends of the intervals.

#pragma once

#include "strategy/rules/evaluate.hpp"

namespace zermelo::strategy {

// An interval for every variable, and a trail of what it was before. Ends are always values of the domain.
class Box {
public:
    explicit Box(const std::vector<model::Domain>& domains);  // which must outlive it

    [[nodiscard]] const Intervals& known() const { return known_; }
    [[nodiscard]] const model::Interval& operator[](model::VarId v) const {
        return known_[static_cast<std::size_t>(v)];
    }
    [[nodiscard]] bool keep(model::VarId v,
                            model::Interval within);  // false when that leaves no value: nothing changes
    void set(model::VarId v, model::Value value);     // whatever was known
    [[nodiscard]] Truth truth_if(model::VarId v, model::Value value, const model::Constraint& constraint);

    [[nodiscard]] std::size_t changes() const { return trail_.size(); }
    [[nodiscard]] model::VarId changed(std::size_t change) const { return trail_[change].variable; }
    void undo(std::size_t changes);

private:
    struct Change {
        model::VarId variable;
        model::Interval before;
    };
    const std::vector<model::Domain>& domains_;
    Intervals known_;
    std::vector<Change> trail_;
};

// False when the constraint cannot hold; the box may then be narrowed in part.
[[nodiscard]] bool narrow(const model::Constraint& constraint, Box& box);
[[nodiscard]] bool fix(model::Literal literal, Box& box);

}  // namespace zermelo::strategy
