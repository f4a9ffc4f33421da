// Interval arithmetic (Moore 1966) on a defining constraint: the interval of values that its output can take.
//
// `bounds(VarId)` gives the interval of an input. The result covers every possible output; there is none when
// the constraint may leave the variable without a value (a division by zero, an index outside the array, a
// coefficient that does not divide). So a result inside the variable's domain proves that the definition is
// total.

#pragma once

#include <optional>

#include "model/constraint.hpp"

namespace zermelo::model {

struct Interval {
    Value low;
    Value high;
    [[nodiscard]] bool single() const { return low == high; }
    [[nodiscard]] bool contains(Value value) const { return low <= value && value <= high; }
    [[nodiscard]] bool inside(const Interval& other) const { return other.low <= low && high <= other.high; }
};

// Can the constraint define this variable at all, as a function of its other variables?
[[nodiscard]] bool can_define(const Constraint& constraint, VarId variable);

template <class Bounds>
[[nodiscard]] std::optional<Interval> image(const Constraint& constraint, VarId output, const Bounds& bounds);

// ---------------------------------------------------------------------------------------------------------

namespace detail {

__extension__ using Wide = __int128;

inline Value clamp(Wide value) {
    constexpr Wide limit = Wide{1} << 62;
    return static_cast<Value>(value > limit ? limit : value < -limit ? -limit : value);
}

inline Interval hull_of(std::initializer_list<Wide> values) {
    return {clamp(std::min(values)), clamp(std::max(values))};
}

[[nodiscard]] std::optional<Interval> image_of_arithmetic(Operation operation, Interval left, Interval right);

template <class Bounds>
struct Image {
    VarId output;
    const Bounds& bounds;
    using Result = std::optional<Interval>;

    static Result truth() { return Interval{0, 1}; }

    Result operator()(const Linear& c) const {
        if (c.reified) return truth();
        Wide low = c.constant;
        Wide high = c.constant;
        Value own = 0;
        for (const Term& term : c.terms) {
            if (term.variable == output) {
                own = term.coefficient;
                continue;
            }
            const Interval x = bounds(term.variable);
            const Wide a = -static_cast<Wide>(term.coefficient) * x.low;
            const Wide b = -static_cast<Wide>(term.coefficient) * x.high;
            low += std::min(a, b);
            high += std::max(a, b);
        }
        if (own == 1) return hull_of({low, high});
        if (own == -1) return hull_of({-low, -high});
        return std::nullopt;
    }
    Result operator()(const Clause&) const { return truth(); }
    Result operator()(const Parity&) const { return truth(); }
    Result operator()(const Member&) const { return truth(); }
    Result operator()(const Table&) const { return truth(); }
    Result operator()(const Element& c) const {
        const Interval index = bounds(c.index);
        if (index.low < 1 || index.high > static_cast<Value>(c.array.size())) return std::nullopt;
        Interval hull = bounds(c.array[static_cast<std::size_t>(index.low - 1)]);
        for (Value i = index.low; i < index.high; ++i) {
            const Interval entry = bounds(c.array[static_cast<std::size_t>(i)]);
            hull = {std::min(hull.low, entry.low), std::max(hull.high, entry.high)};
        }
        return hull;
    }
    Result operator()(const Arithmetic& c) const {
        return image_of_arithmetic(c.operation, bounds(c.left), bounds(c.right));
    }
    Result operator()(const Extremum& c) const {
        Interval hull = bounds(c.operands.front());
        for (const VarId operand : c.operands) {
            const Interval x = bounds(operand);
            hull = c.maximum ? Interval{std::max(hull.low, x.low), std::max(hull.high, x.high)}
                             : Interval{std::min(hull.low, x.low), std::min(hull.high, x.high)};
        }
        return hull;
    }
    Result operator()(const Count& c) const {
        const Interval value = bounds(c.value);
        Interval hull{0, 0};
        for (const VarId v : c.variables) {
            const Interval x = bounds(v);
            if (x.high >= value.low && x.low <= value.high) ++hull.high;
            if (x.single() && value.single() && x.low == value.low) ++hull.low;
        }
        return hull;
    }
    Result operator()(const AllDifferent&) const { return std::nullopt; }
    Result operator()(const Global&) const { return std::nullopt; }
};

}  // namespace detail

template <class Bounds>
std::optional<Interval> image(const Constraint& constraint, VarId output, const Bounds& bounds) {
    return std::visit(detail::Image<Bounds>{output, bounds}, constraint.body);
}

}  // namespace zermelo::model
