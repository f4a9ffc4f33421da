// Search node: a Gecode space, searched by copying (Schulte 1999), that holds the model's variables.
//
// Variables are looked up by their id in the model. A fixed variable costs a copy nothing but its value: only
// open variables are kept as Gecode variables, so that copies get cheaper down the tree.
//
// A watched variable (∀, no rule) must keep its whole domain until it is played: when propagation removes a
// value, playing this value wins for ∀, so the position fails at once and `refutation()` names the value.
//
// In a strategic model a constraint is posted when its last move is due, and variables that only waiting
// constraints mention are not in the space before: until then they have their declared domains.

#pragma once

#include <gecode/int.hh>

#include "kernel/kernel.hpp"
#include "kernel/program.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::kernel::gecode {

class Position final : public Gecode::Space {
public:
    explicit Position(const Program& program);  // posts the constraints that act from the start
    Position(Position& other);
    Gecode::Space* copy() override { return new Position(*this); }
    [[nodiscard]] Position* fork() { return static_cast<Position*>(clone()); }  // only after propagate()

    // Runs propagation to its fixpoint; false when the position has failed.
    bool propagate(Gecode::StatusStatistics& statistics) { return status(statistics) != Gecode::SS_FAILED; }

    // Posts what has waited for block `b`; all that is due before it must be there already.
    void reach(int b);
    // The constraints of all blocks below this one act.
    [[nodiscard]] int level() const { return level_; }

    void play(model::VarId variable, model::Value value);
    void demand(model::Literal literal);
    // A search engine of Gecode that is given this position will give these variables values.
    void branch_on(const std::vector<model::VarId>& variables);

    [[nodiscard]] bool fixed(model::VarId v) const;
    [[nodiscard]] model::Value value(model::VarId v) const;  // of a fixed variable
    [[nodiscard]] model::Interval bounds(model::VarId v) const;
    [[nodiscard]] std::uint64_t size(model::VarId v) const;
    [[nodiscard]] bool allows(model::VarId v, model::Value value) const;
    [[nodiscard]] bool is_true(model::Literal l) const {
        return fixed(l.variable) && (value(l.variable) != 0) == l.positive;
    }
    [[nodiscard]] bool is_false(model::Literal l) const { return is_true(!l); }
    template <class Visit>
    void each_range(model::VarId v, Visit visit) const;  // visit(low, high)

    [[nodiscard]] const Refutation& refutation() const { return refutation_; }

private:
    struct Cell {
        std::int32_t slot;   // into integers_ or booleans_, or one of the two below
        std::int32_t value;  // of a fixed variable; of an open one, 1 if it is in booleans_
        [[nodiscard]] bool boolean() const { return value != 0; }
    };
    static constexpr std::int32_t only_value = -1;
    static constexpr std::int32_t waiting = -2;

    template <class View>
    friend class LostValueWatcher;

    void record_lost_value(model::VarId v);
    void create(model::VarId v);
    void post(const std::vector<int>& constraints);
    void watch_moves();

    const Program& program_;
    int level_;
    std::vector<Cell> cells_;  // by variable
    std::vector<Gecode::IntVar> integers_;
    std::vector<Gecode::BoolVar> booleans_;
    std::vector<model::VarId> integer_ids_;
    std::vector<model::VarId> boolean_ids_;
    model::VarId played_ = -1;  // the watched variable that is being played now
    Refutation refutation_;
};

// ---------------------------------------------------------------------------------------------------------

inline bool Position::fixed(model::VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return cell.slot == only_value;
    return cell.boolean() ? booleans_[cell.slot].assigned() : integers_[cell.slot].assigned();
}

inline model::Value Position::value(model::VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return cell.value;
    return cell.boolean() ? booleans_[cell.slot].val() : integers_[cell.slot].val();
}

inline model::Interval Position::bounds(model::VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot == only_value) return {cell.value, cell.value};
    if (cell.slot == waiting) return {program_.domain(v).low(), program_.domain(v).high()};
    if (cell.boolean()) return {booleans_[cell.slot].min(), booleans_[cell.slot].max()};
    return {integers_[cell.slot].min(), integers_[cell.slot].max()};
}

inline std::uint64_t Position::size(model::VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return cell.slot == only_value ? 1 : program_.domain(v).size();
    return cell.boolean() ? booleans_[cell.slot].size() : integers_[cell.slot].size();
}

inline bool Position::allows(model::VarId v, model::Value value) const {
    const model::Interval now = bounds(v);
    if (!now.contains(value)) return false;
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot == waiting) return program_.domain(v).contains(value);
    return cell.slot < 0 || cell.boolean() || integers_[cell.slot].in(static_cast<int>(value));
}

template <class Visit>
void Position::each_range(model::VarId v, Visit visit) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot == waiting) {
        for (const auto& range : program_.domain(v).ranges()) visit(range.low, range.high);
    } else if (cell.slot < 0 || cell.boolean()) {
        const model::Interval now = bounds(v);
        visit(now.low, now.high);
    } else {
        for (Gecode::IntVarRanges range(integers_[cell.slot]); range(); ++range)
            visit(range.min(), range.max());
    }
}

}  // namespace zermelo::kernel::gecode
