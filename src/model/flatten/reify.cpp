#include "model/flatten/reify.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace zermelo::model::flat {

namespace reification {

namespace {

Forms forms_of(const Gates& gates, const std::vector<VarId>& variables) {
    Forms result;
    for (const VarId v : variables) result.push_back(gates.form_of(v));
    return result;
}

// The literal, or `yes` or `no` where its variable is a constant.
Literal opened(const Gates& gates, Literal literal) {
    const Form form = gates.form_of(literal);
    return !form.fixed() ? literal : form.constant != 0 ? yes : no;
}

Literals opened(const Gates& gates, Literals literals) {
    for (Literal& literal : literals) literal = opened(gates, literal);
    return literals;
}

Literal same(Gates& gates, const Form& a, const Form& b) {
    return gates.compare(a.minus(b), Relation::equal);
}

Literal less(Gates& gates, const Form& a, const Form& b) { return gates.at_most(a.plus(Form{1}), b); }

Literal both_or_neither(Gates& gates, Literal a, Literal b) {
    return same(gates, gates.form_of(a), gates.form_of(b));
}

// ---- global constraints: arguments are lists of forms, in the order of globals.cpp

using Lists = std::vector<Forms>;

Value number(const Forms& argument) { return argument.front().constant; }

// From the first position, n steps lead back to it, and no fewer do.
Literal circuit(Gates& gates, const Lists& a) {
    Literals conditions;
    Form at{1};
    for (std::size_t step = 1; step <= a[0].size(); ++step) {
        at = gates.element(a[0], at, conditions).minus(Form{number(a[1]) - 1});
        const Literal back = same(gates, at, Form{1});
        conditions.push_back(step == a[0].size() ? back : !back);
    }
    return gates.all(conditions);
}

Literal inverse(Gates& gates, const Lists& a) {
    Literals conditions;
    const auto n = static_cast<Value>(a[0].size());
    for (const auto& [f, offset] : {std::pair(&a[0], number(a[3])), std::pair(&a[2], number(a[1]))}) {
        for (const Form& form : *f) conditions.push_back(gates.member(form, Domain(offset, offset + n - 1)));
    }
    for (Value i = 0; i < n; ++i) {
        for (Value j = 0; j < n; ++j) {
            const Literal there = same(gates, a[0][static_cast<std::size_t>(i)], Form{j + number(a[3])});
            const Literal back = same(gates, a[2][static_cast<std::size_t>(j)], Form{i + number(a[1])});
            conditions.push_back(both_or_neither(gates, there, back));
        }
    }
    return gates.all(conditions);
}

Literal cardinality(Gates& gates, const Lists& a) {
    Literals conditions;
    for (std::size_t i = 0; i < a[1].size(); ++i)
        conditions.push_back(same(gates, gates.count(a[0], a[1][i]), a[2][i]));
    return gates.all(conditions);
}

Literal bounded_cardinality(Gates& gates, const Lists& a) {
    Literals conditions;
    for (std::size_t i = 0; i < a[1].size(); ++i) {
        const Form count = gates.count(a[0], a[1][i]);
        conditions.push_back(gates.at_most(a[2][i], count));
        conditions.push_back(gates.at_most(count, a[3][i]));
    }
    return gates.all(conditions);
}

// The load only grows where a task starts.
Literal cumulative(Gates& gates, const Lists& a) {
    Literals conditions;
    for (const Form& moment : a[0]) {
        Form load;
        for (std::size_t i = 0; i < a[0].size(); ++i) {
            const Literal running =
                gates.all({gates.at_most(a[0][i], moment), less(gates, moment, a[0][i].plus(a[1][i]))});
            load = load.plus(gates.form_of(running), a[2][i].constant);
        }
        conditions.push_back(gates.at_most(load, a[3].front()));
    }
    return gates.all(conditions);
}

// From the last place to the first; a list that ends comes before one that goes on.
Literal lexicographic(Gates& gates, const Forms& left, const Forms& right, bool equal) {
    const std::size_t common = std::min(left.size(), right.size());
    Literal rest = left.size() < right.size() || (equal && left.size() == right.size()) ? yes : no;
    for (std::size_t i = common; i-- > 0;) {
        rest = gates.any({less(gates, left[i], right[i]), gates.all({same(gates, left[i], right[i]), rest})});
    }
    return rest;
}

// A value is counted where it stands first.
Literal different_values(Gates& gates, const Lists& a) {
    Form total;
    for (std::size_t i = 0; i < a[1].size(); ++i) {
        Literals earlier;
        for (std::size_t j = 0; j < i; ++j) earlier.push_back(same(gates, a[1][i], a[1][j]));
        total = total.plus(gates.form_of(!gates.any(earlier)));
    }
    return same(gates, total, a[0].front());
}

Literal sorted(Gates& gates, const Lists& a) {
    Literals conditions;
    for (std::size_t i = 0; i + 1 < a[1].size(); ++i)
        conditions.push_back(gates.at_most(a[1][i], a[1][i + 1]));
    for (const Form& value : a[1])
        conditions.push_back(same(gates, gates.count(a[0], value), gates.count(a[1], value)));
    return gates.all(conditions);
}

// The states one after the other; 0, which fails, has a row of zeros before the others.
Literal regular(Gates& gates, const Lists& a) {
    const Value symbols = number(a[2]);
    Forms next(static_cast<std::size_t>(symbols), Form{0});
    next.insert(next.end(), a[3].begin(), a[3].end());
    Literals conditions;
    Form state = a[4].front();
    for (const Form& symbol : a[0]) {
        conditions.push_back(gates.member(symbol, Domain(1, symbols)));
        state = gates.element(next, Form{}.plus(state, symbols).plus(symbol), conditions);
    }
    std::vector<Value> accepting;
    for (const Form& each : a[5]) accepting.push_back(each.constant);
    conditions.push_back(gates.member(state, Domain(accepting)));
    return gates.all(conditions);
}

Literal packed(Gates& gates, const Lists& a) {
    Literals conditions;
    const Value first = number(a[3]);
    const auto bins = static_cast<Value>(a[0].size());
    for (const Form& bin : a[1]) conditions.push_back(gates.member(bin, Domain(first, first + bins - 1)));
    for (Value b = 0; b < bins; ++b) {
        Form load;
        for (std::size_t i = 0; i < a[1].size(); ++i) {
            const Literal inside = same(gates, a[1][i], Form{first + b});
            load = load.plus(gates.form_of(inside), a[2][i].constant);
        }
        conditions.push_back(same(gates, load, a[0][static_cast<std::size_t>(b)]));
    }
    return gates.all(conditions);
}

Literal preceding(Gates& gates, const Lists& a) {
    Literals conditions;
    Literals before;
    for (const Form& form : a[2]) {
        const Literal late = same(gates, form, a[1].front());
        before.push_back(same(gates, form, a[0].front()));
        Literals either = before;
        either.push_back(!late);
        conditions.push_back(gates.any(either));
    }
    return gates.all(conditions);
}

using Reified = Literal (*)(Gates&, const Lists&);

const std::map<std::string_view, Reified>& reified_globals() {
    static const std::map<std::string_view, Reified> table = {
        {"zermelo_circuit", circuit},
        {"zermelo_inverse", inverse},
        {"zermelo_global_cardinality", cardinality},
        {"zermelo_global_cardinality_low_up", bounded_cardinality},
        {"zermelo_cumulative", cumulative},
        {"zermelo_lex_less",
         [](Gates& gates, const Lists& a) { return lexicographic(gates, a[0], a[1], false); }},
        {"zermelo_lex_lesseq",
         [](Gates& gates, const Lists& a) { return lexicographic(gates, a[0], a[1], true); }},
        {"zermelo_nvalue", different_values},
        {"zermelo_sort", sorted},
        {"zermelo_regular", regular},
        {"zermelo_bin_packing_load", packed},
        {"zermelo_value_precede", preceding},
    };
    return table;
}

// ---- all forms

struct Holds {
    Gates& gates;

    [[nodiscard]] Literal agree(Literal body, const std::optional<Literal>& reified) const {
        return reified ? both_or_neither(gates, body, opened(gates, *reified)) : body;
    }
    [[nodiscard]] Literal equals(const Form& value, VarId result, Literals conditions = {}) const {
        conditions.push_back(same(gates, value, gates.form_of(result)));
        return gates.all(std::move(conditions));
    }

    Literal operator()(const Linear& c) const {
        Form form = Form{}.minus(Form{c.constant});
        for (const Term& term : c.terms) form = form.plus(gates.form_of(term.variable), term.coefficient);
        return agree(gates.compare(form, c.relation), c.reified);
    }
    Literal operator()(const Clause& c) const {
        return agree(gates.any(opened(gates, c.literals)), c.reified);
    }
    Literal operator()(const Parity& c) const {
        Literal odd = no;
        for (const Literal literal : opened(gates, c.literals)) odd = !both_or_neither(gates, odd, literal);
        return odd;
    }
    Literal operator()(const Member& c) const {
        return agree(gates.member(gates.form_of(c.variable), c.set), c.reified);
    }
    Literal operator()(const Element& c) const {
        Literals defined;
        const Form value = total_value(gates, c, defined);
        return equals(value, c.result, defined);
    }
    Literal operator()(const Arithmetic& c) const {
        Literals defined;
        const Form value = total_value(gates, c, defined);
        return equals(value, c.result, defined);
    }
    Literal operator()(const Extremum& c) const {
        return equals(gates.extremum(c.maximum, forms_of(gates, c.operands)), c.result);
    }
    Literal operator()(const Table& c) const {
        Expression rows{Expression::Kind::table};
        rows.rows = c.rows;
        return agree(gates.table(forms_of(gates, c.variables), rows), c.reified);
    }
    Literal operator()(const AllDifferent& c) const {
        Literals conditions;
        for (std::size_t i = 0; i < c.variables.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                conditions.push_back(
                    !same(gates, gates.form_of(c.variables[i]), gates.form_of(c.variables[j])));
            }
        }
        return gates.all(conditions);
    }
    Literal operator()(const Count& c) const {
        return equals(gates.count(forms_of(gates, c.variables), gates.form_of(c.value)), c.result);
    }
    Literal operator()(const Global& c) const { return holds(gates, c); }
};

}  // namespace

}  // namespace reification

Form total_value(Gates& gates, const Element& constraint, Literals& defined) {
    return gates.element(reification::forms_of(gates, constraint.array), gates.form_of(constraint.index),
                         defined);
}

Form total_value(Gates& gates, const Arithmetic& constraint, Literals& defined) {
    const Form left = gates.form_of(constraint.left);
    const Form right = gates.form_of(constraint.right);
    switch (constraint.operation) {
        case Operation::times:
            return gates.product(left, right);
        case Operation::power:
            return gates.power(left, right, defined);
        default:
            return gates.quotient(constraint.operation, left, right, defined);
    }
}

Literal holds(Gates& gates, const Global& global) {
    const auto entry = reification::reified_globals().find(global.name);
    if (entry == reification::reified_globals().end())
        throw Error("the constraint " + global.name + " cannot be part of a condition",
                    "state it as a plain constraint of a model without rules");
    reification::Lists arguments;
    for (const auto& argument : global.arguments) arguments.push_back(reification::forms_of(gates, argument));
    return entry->second(gates, arguments);
}

Literal holds(Gates& gates, const Constraint& constraint) {
    try {
        return std::visit(reification::Holds{gates}, constraint.body);
    } catch (const Error& problem) {
        if (problem.place().file.empty()) throw Error(constraint.place, problem.problem(), problem.remedy());
        throw;
    }
}

}  // namespace zermelo::model::flat
