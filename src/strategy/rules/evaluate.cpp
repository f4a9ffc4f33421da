#include "strategy/rules/evaluate.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>

#include "model/globals.hpp"

namespace zermelo::strategy {

namespace {

__extension__ using Wide = __int128;

constexpr Wide far = Wide{1} << 62;  // beyond every value that a model can name

model::Value narrow(Wide value) { return static_cast<model::Value>(std::clamp(value, -far, far)); }

model::Interval hull_of(std::initializer_list<Wide> values) {
    return {narrow(std::min(values)), narrow(std::max(values))};
}

model::Interval join(model::Interval a, model::Interval b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

const model::Interval& of(const Intervals& known, model::VarId v) {
    return known[static_cast<std::size_t>(v)];
}

Truth truth_of(bool value) { return value ? Truth::yes : Truth::no; }

Truth negate(Truth t) { return t == Truth::unknown ? t : truth_of(t == Truth::no); }

Truth same(Truth a, Truth b) {
    return a == Truth::unknown || b == Truth::unknown ? Truth::unknown : truth_of(a == b);
}

// Is what a function gives equal to its result variable?
Truth equals(const Computed& function, model::Interval result) {
    if (function.exists == Truth::no) return Truth::no;
    if (function.values.high < result.low || function.values.low > result.high) return Truth::no;
    const bool certain = function.exists == Truth::yes && function.values.single() && result.single();
    return certain ? Truth::yes : Truth::unknown;
}

// ---- functions

Computed quotient(model::Interval left, model::Interval right) {
    const auto part = [&](model::Value low, model::Value high) {
        return hull_of(
            {Wide{left.low} / low, Wide{left.low} / high, Wide{left.high} / low, Wide{left.high} / high});
    };
    if (!right.contains(0)) return {part(right.low, right.high), Truth::yes};
    if (right.single()) return {right, Truth::no};
    if (right.low == 0) return {part(1, right.high), Truth::unknown};
    if (right.high == 0) return {part(right.low, -1), Truth::unknown};
    return {join(part(right.low, -1), part(1, right.high)), Truth::unknown};
}

Computed remainder(model::Interval left, model::Interval right) {
    if (right.single() && right.low == 0) return {right, Truth::no};
    if (left.single() && right.single()) {
        const model::Value value = narrow(Wide{left.low} % right.low);
        return {{value, value}, Truth::yes};
    }
    // It has the sign of the left side, and is smaller than the right side without its sign.
    const model::Value most = std::max(std::abs(right.low), std::abs(right.high)) - 1;
    return {{left.low < 0 ? std::max(-most, left.low) : 0, left.high > 0 ? std::min(most, left.high) : 0},
            right.contains(0) ? Truth::unknown : Truth::yes};
}

Wide power(Wide base, model::Value exponent) {
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    Wide result = 1;
    for (; exponent > 0 && result < far && result > -far; --exponent) result *= base;
    // Past `far` only the sign is of interest.
    return exponent % 2 != 0 && base < 0 ? -result : result;
}

Computed powers(model::Interval base, model::Interval exponent) {
    if (exponent.high < 0) return {exponent, Truth::no};
    const Truth exists = exponent.low < 0 ? Truth::unknown : Truth::yes;
    const model::Value least = std::max<model::Value>(exponent.low, 0);
    if (base.single() && least == exponent.high) {
        const model::Value value = narrow(power(base.low, least));
        return {{value, value}, exists};
    }
    if (base.low >= 1) return {hull_of({power(base.low, least), power(base.high, exponent.high)}), exists};
    const Wide reach = std::max({Wide{1}, -Wide{base.low}, Wide{base.high}});
    const Wide top = power(reach, exponent.high);
    return {base.low >= 0 ? hull_of({0, top}) : hull_of({-top, top}), exists};
}

Computed function_of(const model::Arithmetic& c, const Intervals& known) {
    const model::Interval left = of(known, c.left);
    const model::Interval right = of(known, c.right);
    switch (c.operation) {
        case model::Operation::times:
            return {hull_of({Wide{left.low} * right.low, Wide{left.low} * right.high,
                             Wide{left.high} * right.low, Wide{left.high} * right.high}),
                    Truth::yes};
        case model::Operation::divide:
            return quotient(left, right);
        case model::Operation::modulo:
            return remainder(left, right);
        case model::Operation::power:
            return powers(left, right);
    }
    throw std::logic_error("an arithmetic operation without a meaning");
}

Computed function_of(const model::Element& c, const Intervals& known) {
    const model::Interval index = of(known, c.index);
    const auto size = static_cast<model::Value>(c.array.size());
    const model::Value first = std::max<model::Value>(index.low, 1);
    const model::Value last = std::min(index.high, size);
    if (first > last) return {index, Truth::no};
    model::Interval hull = of(known, c.array[static_cast<std::size_t>(first - 1)]);
    for (model::Value i = first; i < last; ++i)
        hull = join(hull, of(known, c.array[static_cast<std::size_t>(i)]));
    return {hull, index.low >= 1 && index.high <= size ? Truth::yes : Truth::unknown};
}

Computed function_of(const model::Extremum& c, const Intervals& known) {
    if (c.operands.empty()) return {{0, 0}, Truth::no};
    model::Interval best = of(known, c.operands.front());
    for (const model::VarId operand : c.operands) {
        const model::Interval x = of(known, operand);
        best = c.maximum ? model::Interval{std::max(best.low, x.low), std::max(best.high, x.high)}
                         : model::Interval{std::min(best.low, x.low), std::min(best.high, x.high)};
    }
    return {best, Truth::yes};
}

Computed function_of(const model::Count& c, const Intervals& known) {
    const model::Interval value = of(known, c.value);
    model::Interval number{0, 0};
    for (const model::VarId v : c.variables) {
        const model::Interval x = of(known, v);
        if (x.high < value.low || x.low > value.high) continue;
        ++number.high;
        if (x.single() && value.single()) ++number.low;
    }
    return {number, Truth::yes};
}

// Have the intervals different values at all? Of those that begin early enough, the one that ends first takes
// the smallest value left.
bool can_all_differ(const Intervals& by_beginning) {
    std::priority_queue<model::Value, std::vector<model::Value>, std::greater<>> ends;
    auto next = by_beginning.begin();
    for (model::Value value = next->low; next != by_beginning.end() || !ends.empty(); ++value) {
        if (ends.empty()) value = std::max(value, next->low);
        for (; next != by_beginning.end() && next->low <= value; ++next) ends.push(next->high);
        if (ends.top() < value) return false;
        ends.pop();
    }
    return true;
}

// ---- bodies

struct Body {
    const Intervals& known;

    Truth operator()(const model::Linear& c) const {
        Wide low = 0;
        Wide high = 0;
        for (const model::Term& term : c.terms) {
            const model::Interval x = of(known, term.variable);
            const Wide a = Wide{term.coefficient} * x.low;
            const Wide b = Wide{term.coefficient} * x.high;
            low += std::min(a, b);
            high += std::max(a, b);
        }
        if (c.relation == model::Relation::at_most) {
            return high <= c.constant ? Truth::yes : low > c.constant ? Truth::no : Truth::unknown;
        }
        Truth equal = Truth::unknown;
        if (low > c.constant || high < c.constant) equal = Truth::no;
        if (low == c.constant && high == c.constant) equal = Truth::yes;
        return c.relation == model::Relation::equal ? equal : negate(equal);
    }
    Truth operator()(const model::Clause& c) const {
        Truth result = Truth::no;
        for (const model::Literal literal : c.literals) {
            const Truth t = truth(literal, known);
            if (t == Truth::yes) return t;
            if (t == Truth::unknown) result = t;
        }
        return result;
    }
    Truth operator()(const model::Parity& c) const {
        bool odd = false;
        for (const model::Literal literal : c.literals) {
            const Truth t = truth(literal, known);
            if (t == Truth::unknown) return t;
            odd ^= t == Truth::yes;
        }
        return truth_of(odd);
    }
    Truth operator()(const model::Member& c) const {
        const model::Interval x = of(known, c.variable);
        for (const model::Domain::Range& range : c.set.ranges()) {
            if (range.low <= x.low && x.high <= range.high) return Truth::yes;
            if (range.low <= x.high && x.low <= range.high) return Truth::unknown;
        }
        return Truth::no;
    }
    Truth operator()(const model::Table& c) const {
        const std::size_t width = c.variables.size();
        const bool fixed = std::all_of(c.variables.begin(), c.variables.end(),
                                       [&](model::VarId v) { return of(known, v).single(); });
        for (std::size_t row = 0; width > 0 && row + width <= c.rows.size(); row += width) {
            std::size_t i = 0;
            while (i < width && of(known, c.variables[i]).contains(c.rows[row + i])) ++i;
            if (i == width) return fixed ? Truth::yes : Truth::unknown;
        }
        return Truth::no;
    }
    Truth operator()(const model::AllDifferent& c) const {
        Intervals sorted;
        sorted.reserve(c.variables.size());
        for (const model::VarId v : c.variables) sorted.push_back(of(known, v));
        std::sort(sorted.begin(), sorted.end(), [](const model::Interval& a, const model::Interval& b) {
            return a.low != b.low ? a.low < b.low : a.high < b.high;
        });
        Truth result = Truth::yes;
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            const model::Interval& a = sorted[i - 1];
            const model::Interval& b = sorted[i];
            if (a.single() && b.single() && a.low == b.low) return Truth::no;
            if (a.high >= b.low) result = Truth::unknown;
        }
        return result == Truth::unknown && !can_all_differ(sorted) ? Truth::no : result;
    }
    Truth operator()(const model::Element& c) const {
        return equals(function_of(c, known), of(known, c.result));
    }
    Truth operator()(const model::Arithmetic& c) const {
        return equals(function_of(c, known), of(known, c.result));
    }
    Truth operator()(const model::Extremum& c) const {
        return equals(function_of(c, known), of(known, c.result));
    }
    Truth operator()(const model::Count& c) const {
        return equals(function_of(c, known), of(known, c.result));
    }
    Truth operator()(const model::Global& c) const {
        for (const auto& argument : c.arguments) {
            for (const model::VarId v : argument) {
                if (!of(known, v).single()) return Truth::unknown;
            }
        }
        return truth_of(holds(c, [&](model::VarId v) { return of(known, v).low; }));
    }
};

// ---- definitions

Computed boolean(Truth t, bool positive) {
    if (t == Truth::unknown) return {{0, 1}, Truth::yes};
    const model::Value value = (t == Truth::yes) == positive ? 1 : 0;
    return {{value, value}, Truth::yes};
}

struct Definition {
    model::VarId output;
    const Intervals& known;

    template <class Form>
    Computed operator()(const Form& c) const {
        if constexpr (requires { c.reified; }) {
            return reified(c);
        } else if constexpr (requires { function_of(c, known); }) {
            if (c.result == output) return function_of(c, known);
        }
        return no_function();
    }
    template <class Form>
    Computed reified(const Form& c) const {
        if (!c.reified || c.reified->variable != output) return no_function();
        return boolean(Body{known}(c), c.reified->positive);
    }
    Computed operator()(const model::Linear& c) const {
        if (c.reified) return reified(c);
        Wide low = c.constant;
        Wide high = c.constant;
        model::Value own = 0;
        for (const model::Term& term : c.terms) {
            if (term.variable == output) {
                own = term.coefficient;
                continue;
            }
            const model::Interval x = of(known, term.variable);
            const Wide a = Wide{term.coefficient} * x.low;
            const Wide b = Wide{term.coefficient} * x.high;
            low -= std::max(a, b);
            high -= std::min(a, b);
        }
        if (c.relation != model::Relation::equal || (own != 1 && own != -1)) return no_function();
        return {hull_of({own * low, own * high}), Truth::yes};
    }
    Computed operator()(const model::Parity& c) const {
        bool odd = false;
        bool positive = true;
        for (const model::Literal literal : c.literals) {
            if (literal.variable == output) {
                positive = literal.positive;
                continue;
            }
            const Truth t = truth(literal, known);
            if (t == Truth::unknown) return boolean(t, true);
            odd ^= t == Truth::yes;
        }
        return boolean(truth_of(!odd), positive);
    }
    static Computed no_function() {
        throw std::logic_error("a constraint defines a variable it cannot define");
    }
};

// ---- residues

struct Residue {
    Hasher& hasher;
    const Intervals& known;

    void open(model::VarId v) const { hasher.add(static_cast<std::uint64_t>(v) + 1); }
    void end_of_open() const { hasher.add(0); }
    void variable(model::VarId v) const {
        const model::Interval x = of(known, v);
        hasher.add(x.single() ? 1 : 0);
        if (x.single()) hasher.add(static_cast<std::uint64_t>(x.low));
    }
    void literal(const std::optional<model::Literal>& l) const {
        if (l) variable(l->variable);
    }
    void operator()(const model::Linear& c) const {
        Wide rest = c.constant;
        for (const model::Term& term : c.terms) {
            const model::Interval x = of(known, term.variable);
            if (x.single()) {
                rest -= Wide{term.coefficient} * x.low;
            } else {
                open(term.variable);
            }
        }
        end_of_open();
        hasher.add(static_cast<std::uint64_t>(rest));
        hasher.add(static_cast<std::uint64_t>(rest >> 64));
        literal(c.reified);
    }
    void operator()(const model::Clause& c) const {
        bool true_already = false;
        for (const model::Literal l : c.literals) {
            const Truth t = truth(l, known);
            if (t == Truth::unknown) open(l.variable);
            true_already |= t == Truth::yes;
        }
        end_of_open();
        hasher.add(true_already ? 1 : 0);
        literal(c.reified);
    }
    void operator()(const model::Parity& c) const {
        bool odd = false;
        for (const model::Literal l : c.literals) {
            const Truth t = truth(l, known);
            if (t == Truth::unknown) open(l.variable);
            odd ^= t == Truth::yes;
        }
        end_of_open();
        hasher.add(odd ? 1 : 0);
    }
    void operator()(const model::Extremum& c) const {
        std::optional<model::Value> best;
        for (const model::VarId v : c.operands) {
            const model::Interval x = of(known, v);
            if (!x.single()) {
                open(v);
            } else if (!best || (c.maximum ? x.low > *best : x.low < *best)) {
                best = x.low;
            }
        }
        end_of_open();
        hasher.add(best ? 1 : 0);
        hasher.add(static_cast<std::uint64_t>(best.value_or(0)));
        variable(c.result);
    }
    void operator()(const model::Element& c) const {
        const model::Interval index = of(known, c.index);
        variable(c.index);
        variable(c.result);
        const auto size = static_cast<model::Value>(c.array.size());
        if (!index.single()) {
            for (const model::VarId v : c.array) variable(v);
        } else if (1 <= index.low && index.low <= size) {
            variable(c.array[static_cast<std::size_t>(index.low - 1)]);
        }
    }
    template <class Form>
    void operator()(const Form& c) const {
        const auto visit = [this](model::VarId v) { variable(v); };
        model::detail::EachVariable<decltype(visit)>{visit}(c);
    }
};

}  // namespace

Truth truth(model::Literal literal, const Intervals& known) {
    const model::Interval x = of(known, literal.variable);
    if (x.low <= 0 && x.high >= 1) return Truth::unknown;
    return truth_of((x.low >= 1) == literal.positive);
}

Truth truth(const model::Constraint& constraint, const Intervals& known) {
    const Truth body = std::visit(Body{known}, constraint.body);
    const auto reified = model::reified_by(constraint);
    return reified ? same(truth(*reified, known), body) : body;
}

Computed compute(const model::Constraint& definition, model::VarId output, const Intervals& known) {
    return std::visit(Definition{output, known}, definition.body);
}

void add_residue(Hasher& hasher, const model::Constraint& constraint, const Intervals& known) {
    std::visit(Residue{hasher, known}, constraint.body);
}

}  // namespace zermelo::strategy
