#include "strategy/rules/bounds_propagation.hpp"

#include <algorithm>

namespace zermelo::strategy {

namespace {

__extension__ using Wide = __int128;

// The part of an interval between its first and its last value in the domain.
model::Interval ends_in(const model::Domain& domain, model::Interval x) {
    const auto& ranges = domain.ranges();
    const auto first = std::find_if(ranges.begin(), ranges.end(), [&](auto& r) { return r.high >= x.low; });
    const auto last = std::find_if(ranges.rbegin(), ranges.rend(), [&](auto& r) { return r.low <= x.high; });
    if (first == ranges.end() || last == ranges.rend()) return {1, 0};
    return {std::max(x.low, first->low), std::min(x.high, last->high)};
}

class Narrowing {
public:
    Narrowing(const model::Constraint& constraint, Box& box) : constraint_(constraint), box_(box) {}

    bool operator()(const model::Linear& c) const {
        const Truth wanted = demanded(c.reified);
        if (wanted == Truth::unknown) return shave(c.reified->variable);
        const bool positive = wanted == Truth::yes;
        if (c.relation == model::Relation::at_most) {
            return positive ? at_most(c.terms, 1, c.constant) : at_most(c.terms, -1, -Wide{c.constant} - 1);
        }
        if (positive != (c.relation == model::Relation::equal)) return different(c);
        return at_most(c.terms, 1, c.constant) && at_most(c.terms, -1, -Wide{c.constant});
    }

    bool operator()(const model::Clause& c) const {
        const Truth wanted = demanded(c.reified);
        if (wanted == Truth::unknown) return shave(c.reified->variable);
        if (wanted == Truth::no) {
            return std::all_of(c.literals.begin(), c.literals.end(),
                               [&](model::Literal l) { return fix(!l, box_); });
        }
        const model::Literal* last = nullptr;  // that can still be true
        for (const model::Literal& literal : c.literals) {
            const Truth t = truth(literal, box_.known());
            if (t == Truth::yes || (t == Truth::unknown && last != nullptr)) return true;
            if (t == Truth::unknown) last = &literal;
        }
        return last != nullptr && fix(*last, box_);
    }

    bool operator()(const model::AllDifferent& c) const {
        for (const model::VarId fixed : c.variables) {
            if (!box_[fixed].single()) continue;
            for (const model::VarId other : c.variables) {
                if (!box_[other].single() && !without(other, box_[fixed].low)) return false;
            }
        }
        return true;
    }

    template <class Form>
    bool operator()(const Form&) const {
        bool possible = true;
        each_variable(constraint_, [&](model::VarId v) { possible = possible && shave(v); });
        return possible;
    }

private:
    [[nodiscard]] Truth demanded(const std::optional<model::Literal>& reified) const {
        return reified ? truth(*reified, box_.known()) : Truth::yes;
    }
    [[nodiscard]] bool without(model::VarId v, model::Value value) const {
        const model::Interval x = box_[v];
        return box_.keep(v, {x.low + (x.low == value ? 1 : 0), x.high - (x.high == value ? 1 : 0)});
    }

    // Σ sign × coefficient × variable ≤ bound
    [[nodiscard]] bool at_most(const std::vector<model::Term>& terms, int sign, Wide bound) const {
        Wide slack = bound;
        for (const model::Term& term : terms) {
            const Wide factor = Wide{term.coefficient} * sign;
            slack -= factor * (factor > 0 ? box_[term.variable].low : box_[term.variable].high);
        }
        if (slack < 0) return false;
        for (const model::Term& term : terms) {
            const Wide factor = Wide{term.coefficient} * sign;
            if (factor == 0) continue;
            const model::Interval x = box_[term.variable];
            const Wide room = slack / (factor > 0 ? factor : -factor);
            if (room >= Wide{x.high} - x.low) continue;
            const auto steps = static_cast<model::Value>(room);
            const model::Interval rest =
                factor > 0 ? model::Interval{x.low, x.low + steps} : model::Interval{x.high - steps, x.high};
            if (!box_.keep(term.variable, rest)) return false;
        }
        return true;
    }

    // The last open variable must not make the sum equal.
    [[nodiscard]] bool different(const model::Linear& c) const {
        const model::Term* open = nullptr;
        Wide rest = c.constant;
        for (const model::Term& term : c.terms) {
            const model::Interval x = box_[term.variable];
            if (x.single() || term.coefficient == 0) {
                rest -= Wide{term.coefficient} * x.low;
            } else if (open != nullptr) {
                return true;
            } else {
                open = &term;
            }
        }
        if (open == nullptr) return rest != 0;
        const model::Interval x = box_[open->variable];
        const Wide value = rest / open->coefficient;
        if (rest % open->coefficient != 0 || value < x.low || value > x.high) return true;
        return without(open->variable, static_cast<model::Value>(value));
    }

    // Takes values from both ends as long as `truth` says no; a long interval is not worth all its values.
    [[nodiscard]] bool shave(model::VarId v) const {
        constexpr int limit = 64;
        for (const bool from_below : {true, false}) {
            for (int i = 0; i < limit && !box_[v].single(); ++i) {
                const model::Interval x = box_[v];
                if (box_.truth_if(v, from_below ? x.low : x.high, constraint_) != Truth::no) break;
                if (!box_.keep(v, from_below ? model::Interval{x.low + 1, x.high}
                                             : model::Interval{x.low, x.high - 1}))
                    return false;
            }
        }
        return true;
    }

    const model::Constraint& constraint_;
    Box& box_;
};

}  // namespace

Box::Box(const std::vector<model::Domain>& domains) : domains_(domains) {
    for (const model::Domain& domain : domains) known_.push_back({domain.low(), domain.high()});
}

bool Box::keep(model::VarId v, model::Interval within) {
    model::Interval& known = known_[static_cast<std::size_t>(v)];
    const model::Domain& domain = domains_[static_cast<std::size_t>(v)];
    model::Interval rest{std::max(known.low, within.low), std::min(known.high, within.high)};
    if (domain.ranges().size() > 1) rest = ends_in(domain, rest);
    if (rest.low > rest.high) return false;
    if (rest.low == known.low && rest.high == known.high) return true;
    trail_.push_back({v, known});
    known = rest;
    return true;
}

void Box::set(model::VarId v, model::Value value) {
    model::Interval& known = known_[static_cast<std::size_t>(v)];
    trail_.push_back({v, known});
    known = {value, value};
}

Truth Box::truth_if(model::VarId v, model::Value value, const model::Constraint& constraint) {
    model::Interval& known = known_[static_cast<std::size_t>(v)];
    const model::Interval before = known;
    known = {value, value};
    const Truth answer = truth(constraint, known_);
    known = before;
    return answer;
}

void Box::undo(std::size_t changes) {
    for (; trail_.size() > changes; trail_.pop_back())
        known_[static_cast<std::size_t>(trail_.back().variable)] = trail_.back().before;
}

bool fix(model::Literal literal, Box& box) {
    const model::Interval x = box[literal.variable];
    return box.keep(literal.variable,
                    literal.positive ? model::Interval{1, x.high} : model::Interval{x.low, 0});
}

bool narrow(const model::Constraint& constraint, Box& box) {
    return std::visit(Narrowing(constraint, box), constraint.body);
}

}  // namespace zermelo::strategy
