#include "model/simplify/image.hpp"

namespace zermelo::model {

namespace {

// The output may not be an input at the same time.
bool only_once(const Constraint& constraint, VarId variable) {
    int seen = 0;
    each_variable(constraint, [&](VarId v) { seen += v == variable ? 1 : 0; });
    return seen == 1;
}

struct IsOutput {
    VarId variable;
    bool reified(const std::optional<Literal>& literal) const {
        return literal && literal->variable == variable;
    }
    bool operator()(const Linear& c) const {
        if (c.reified) return reified(c.reified);
        return c.relation == Relation::equal &&
               std::any_of(c.terms.begin(), c.terms.end(), [&](const Term& t) {
                   return t.variable == variable && (t.coefficient == 1 || t.coefficient == -1);
               });
    }
    bool operator()(const Clause& c) const { return reified(c.reified); }
    bool operator()(const Parity&) const { return true; }
    bool operator()(const Member& c) const { return reified(c.reified); }
    bool operator()(const Table& c) const { return reified(c.reified); }
    bool operator()(const Element& c) const { return c.result == variable; }
    bool operator()(const Arithmetic& c) const { return c.result == variable; }
    bool operator()(const Extremum& c) const { return c.result == variable; }
    bool operator()(const Count& c) const { return c.result == variable; }
    bool operator()(const AllDifferent&) const { return false; }
    bool operator()(const Global&) const { return false; }
};

}  // namespace

bool can_define(const Constraint& constraint, VarId variable) {
    return std::visit(IsOutput{variable}, constraint.body) && only_once(constraint, variable);
}

namespace detail {

namespace {

Interval quotients(Interval a, Interval b) {  // 0 is not in b
    return hull_of({Wide{a.low} / b.low, Wide{a.low} / b.high, Wide{a.high} / b.low, Wide{a.high} / b.high});
}

std::optional<Interval> powers(Interval base, Interval exponent) {
    if (exponent.low < 0) return std::nullopt;
    const Wide reach = std::max({Wide{1}, -Wide{base.low}, Wide{base.high}});
    Wide top = 1;
    for (Value i = 0; i < exponent.high && top < (Wide{1} << 62) && reach > 1; ++i) top *= reach;
    if (base.low >= 0) return hull_of({base.low == 0 ? 0 : 1, top});
    return hull_of({-top, top});
}

}  // namespace

std::optional<Interval> image_of_arithmetic(Operation operation, Interval left, Interval right) {
    switch (operation) {
        case Operation::times:
            return hull_of({Wide{left.low} * right.low, Wide{left.low} * right.high,
                            Wide{left.high} * right.low, Wide{left.high} * right.high});
        case Operation::divide: {
            if (right.contains(0)) return std::nullopt;
            Interval result = quotients(left, right);
            if (left.contains(0)) result = {std::min<Value>(result.low, 0), std::max<Value>(result.high, 0)};
            return result;
        }
        case Operation::modulo: {
            if (right.contains(0)) return std::nullopt;
            if (left.single() && right.single()) return Interval{left.low % right.low, left.low % right.low};
            const Value most = std::max(std::abs(right.low), std::abs(right.high)) - 1;
            return Interval{left.low < 0 ? std::max(-most, left.low) : 0,
                            left.high > 0 ? std::min(most, left.high) : 0};
        }
        case Operation::power:
            return powers(left, right);
    }
    return std::nullopt;
}

}  // namespace detail

}  // namespace zermelo::model
