#include "strategy/narrow.hpp"

#include <algorithm>

namespace zermelo {

namespace {

__extension__ using Wide = __int128;

// The part of an interval between its first and its last value in the domain.
Interval ends_in(const Domain& domain, Interval x) {
    const auto& ranges = domain.ranges();
    const auto first = std::find_if(ranges.begin(), ranges.end(), [&](auto& r) { return r.high >= x.low; });
    const auto last = std::find_if(ranges.rbegin(), ranges.rend(), [&](auto& r) { return r.low <= x.high; });
    if (first == ranges.end() || last == ranges.rend()) return {1, 0};
    return {std::max(x.low, first->low), std::min(x.high, last->high)};
}

class Narrowing {
public:
    Narrowing(const Constraint& constraint, Box& box) : constraint_(constraint), box_(box) {}

    bool operator()(const Linear& c) const {
        const Truth wanted = demanded(c.reified);
        if (wanted == Truth::unknown) return shave(c.reified->variable);
        const bool positive = wanted == Truth::yes;
        if (c.relation == Relation::at_most) {
            return positive ? at_most(c.terms, 1, c.constant) : at_most(c.terms, -1, -Wide{c.constant} - 1);
        }
        if (positive != (c.relation == Relation::equal)) return different(c);
        return at_most(c.terms, 1, c.constant) && at_most(c.terms, -1, -Wide{c.constant});
    }

    bool operator()(const Clause& c) const {
        const Truth wanted = demanded(c.reified);
        if (wanted == Truth::unknown) return shave(c.reified->variable);
        if (wanted == Truth::no) {
            return std::all_of(c.literals.begin(), c.literals.end(),
                               [&](Literal l) { return fix(!l, box_); });
        }
        const Literal* last = nullptr;  // that can still be true
        for (const Literal& literal : c.literals) {
            const Truth t = truth(literal, box_.known());
            if (t == Truth::yes || (t == Truth::unknown && last != nullptr)) return true;
            if (t == Truth::unknown) last = &literal;
        }
        return last != nullptr && fix(*last, box_);
    }

    bool operator()(const AllDifferent& c) const {
        for (const VarId fixed : c.variables) {
            if (!box_[fixed].single()) continue;
            for (const VarId other : c.variables) {
                if (!box_[other].single() && !without(other, box_[fixed].low)) return false;
            }
        }
        return true;
    }

    template <class Form>
    bool operator()(const Form&) const {
        bool possible = true;
        each_variable(constraint_, [&](VarId v) { possible = possible && shave(v); });
        return possible;
    }

private:
    [[nodiscard]] Truth demanded(const std::optional<Literal>& reified) const {
        return reified ? truth(*reified, box_.known()) : Truth::yes;
    }
    [[nodiscard]] bool without(VarId v, Value value) const {
        const Interval x = box_[v];
        return box_.keep(v, {x.low + (x.low == value ? 1 : 0), x.high - (x.high == value ? 1 : 0)});
    }

    // Σ sign × coefficient × variable ≤ bound
    [[nodiscard]] bool at_most(const std::vector<Term>& terms, int sign, Wide bound) const {
        Wide slack = bound;
        for (const Term& term : terms) {
            const Wide factor = Wide{term.coefficient} * sign;
            slack -= factor * (factor > 0 ? box_[term.variable].low : box_[term.variable].high);
        }
        if (slack < 0) return false;
        for (const Term& term : terms) {
            const Wide factor = Wide{term.coefficient} * sign;
            if (factor == 0) continue;
            const Interval x = box_[term.variable];
            const Wide room = slack / (factor > 0 ? factor : -factor);
            if (room >= Wide{x.high} - x.low) continue;
            const auto steps = static_cast<Value>(room);
            const Interval rest =
                factor > 0 ? Interval{x.low, x.low + steps} : Interval{x.high - steps, x.high};
            if (!box_.keep(term.variable, rest)) return false;
        }
        return true;
    }

    // The last open variable must not make the sum equal.
    [[nodiscard]] bool different(const Linear& c) const {
        const Term* open = nullptr;
        Wide rest = c.constant;
        for (const Term& term : c.terms) {
            const Interval x = box_[term.variable];
            if (x.single() || term.coefficient == 0) {
                rest -= Wide{term.coefficient} * x.low;
            } else if (open != nullptr) {
                return true;
            } else {
                open = &term;
            }
        }
        if (open == nullptr) return rest != 0;
        const Interval x = box_[open->variable];
        const Wide value = rest / open->coefficient;
        if (rest % open->coefficient != 0 || value < x.low || value > x.high) return true;
        return without(open->variable, static_cast<Value>(value));
    }

    // Takes values from both ends as long as `truth` says no; a long interval is not worth all its values.
    [[nodiscard]] bool shave(VarId v) const {
        constexpr int patience = 64;
        for (const bool from_below : {true, false}) {
            for (int i = 0; i < patience && !box_[v].single(); ++i) {
                const Interval x = box_[v];
                if (box_.truth_if(v, from_below ? x.low : x.high, constraint_) != Truth::no) break;
                if (!box_.keep(v, from_below ? Interval{x.low + 1, x.high} : Interval{x.low, x.high - 1}))
                    return false;
            }
        }
        return true;
    }

    const Constraint& constraint_;
    Box& box_;
};

}  // namespace

Box::Box(const std::vector<Domain>& domains) : domains_(domains) {
    for (const Domain& domain : domains) known_.push_back({domain.low(), domain.high()});
}

bool Box::keep(VarId v, Interval within) {
    Interval& known = known_[static_cast<std::size_t>(v)];
    const Domain& domain = domains_[static_cast<std::size_t>(v)];
    Interval rest{std::max(known.low, within.low), std::min(known.high, within.high)};
    if (domain.ranges().size() > 1) rest = ends_in(domain, rest);
    if (rest.low > rest.high) return false;
    if (rest.low == known.low && rest.high == known.high) return true;
    trail_.push_back({v, known});
    known = rest;
    return true;
}

void Box::set(VarId v, Value value) {
    Interval& known = known_[static_cast<std::size_t>(v)];
    trail_.push_back({v, known});
    known = {value, value};
}

Truth Box::truth_if(VarId v, Value value, const Constraint& constraint) {
    Interval& known = known_[static_cast<std::size_t>(v)];
    const Interval before = known;
    known = {value, value};
    const Truth answer = truth(constraint, known_);
    known = before;
    return answer;
}

void Box::undo(std::size_t changes) {
    for (; trail_.size() > changes; trail_.pop_back())
        known_[static_cast<std::size_t>(trail_.back().variable)] = trail_.back().before;
}

bool fix(Literal literal, Box& box) {
    const Interval x = box[literal.variable];
    return box.keep(literal.variable, literal.positive ? Interval{1, x.high} : Interval{x.low, 0});
}

bool narrow(const Constraint& constraint, Box& box) {
    return std::visit(Narrowing(constraint, box), constraint.body);
}

}  // namespace zermelo
