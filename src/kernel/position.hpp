// Position: a state of the search, as a Gecode space with the model's variables in it.
//
// Variables are looked up by their id in the model. A fixed variable costs a copy nothing but its value: only
// open variables are carried along as Gecode variables, so that positions get cheaper as the play goes on.
//
// A watched variable (∀, no rule) must keep its whole domain until it is played: when propagation removes a
// value, playing this value wins for ∀, so the position fails at once and `refutation()` tells the value.

#pragma once

#include <gecode/int.hh>

#include "kernel/program.hpp"
#include "model/image.hpp"

namespace zermelo {

struct Refutation {
    VarId variable = -1;
    Value value = 0;
};

class Position final : public Gecode::Space {
public:
    explicit Position(const Program& program);  // posts the constraints of the cone
    Position(Position& other);
    Gecode::Space* copy() override { return new Position(*this); }
    [[nodiscard]] Position* fork() { return static_cast<Position*>(clone()); }  // only after propagate()

    // Runs propagation to its fixpoint; false when the position has failed.
    bool propagate(Gecode::StatusStatistics& statistics) { return status(statistics) != Gecode::SS_FAILED; }

    void play(VarId variable, Value value);
    void demand(Literal literal);

    [[nodiscard]] bool fixed(VarId v) const;
    [[nodiscard]] Value value(VarId v) const;  // of a fixed variable
    [[nodiscard]] Interval bounds(VarId v) const;
    [[nodiscard]] std::uint64_t size(VarId v) const;
    [[nodiscard]] bool allows(VarId v, Value value) const;
    [[nodiscard]] bool is_true(Literal l) const {
        return fixed(l.variable) && (value(l.variable) != 0) == l.positive;
    }
    [[nodiscard]] bool is_false(Literal l) const { return is_true(!l); }
    template <class Visit>
    void each_range(VarId v, Visit visit) const;  // visit(low, high)

    [[nodiscard]] const Refutation& refutation() const { return refutation_; }

    // Constraints of the cone that are still open here, in the cone's order; kept up to date by residue().
    std::vector<int> open;

private:
    struct Cell {
        std::int32_t slot;  // into integers_ or booleans_, or -1 when only the value is kept
        std::int32_t value;
    };
    template <class View>
    friend class Untouched;

    void notice_lost_value(VarId v);

    const Program& program_;
    std::vector<Cell> cells_;  // by variable
    std::vector<Gecode::IntVar> integers_;
    std::vector<Gecode::BoolVar> booleans_;
    std::vector<VarId> integer_ids_;
    std::vector<VarId> boolean_ids_;
    VarId played_ = -1;  // the watched variable that is being played now
    Refutation refutation_;
};

// ---------------------------------------------------------------------------------------------------------

inline bool Position::fixed(VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return true;
    return program_.held_as_boolean[v] ? booleans_[cell.slot].assigned() : integers_[cell.slot].assigned();
}

inline Value Position::value(VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return cell.value;
    return program_.held_as_boolean[v] ? booleans_[cell.slot].val() : integers_[cell.slot].val();
}

inline Interval Position::bounds(VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return {cell.value, cell.value};
    if (program_.held_as_boolean[v]) return {booleans_[cell.slot].min(), booleans_[cell.slot].max()};
    return {integers_[cell.slot].min(), integers_[cell.slot].max()};
}

inline std::uint64_t Position::size(VarId v) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0) return 1;
    return program_.held_as_boolean[v] ? booleans_[cell.slot].size() : integers_[cell.slot].size();
}

inline bool Position::allows(VarId v, Value value) const {
    const Interval now = bounds(v);
    if (!now.contains(value)) return false;
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    return cell.slot < 0 || program_.held_as_boolean[v] || integers_[cell.slot].in(static_cast<int>(value));
}

template <class Visit>
void Position::each_range(VarId v, Visit visit) const {
    const Cell cell = cells_[static_cast<std::size_t>(v)];
    if (cell.slot < 0 || program_.held_as_boolean[v]) {
        const Interval now = bounds(v);
        visit(now.low, now.high);
    } else {
        for (Gecode::IntVarRanges range(integers_[cell.slot]); range(); ++range)
            visit(range.min(), range.max());
    }
}

}  // namespace zermelo
