#include "model/flatten/gates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace zermelo::model {

namespace flat {

namespace {

enum : Value {
    sum_,
    arithmetic_,
    extremum_,
    element_,
    count_,
    linear_,
    clause_,
    member_,
    table_
};  // heads of keys

Error overflow() {
    return Error("an expression can leave the range of 64-bit integers",
                 "use smaller domains or coefficients");
}

Value add(Value a, Value b) {
    Value result = 0;
    if (__builtin_add_overflow(a, b, &result)) throw overflow();
    return result;
}

Value multiply(Value a, Value b) {
    Value result = 0;
    if (__builtin_mul_overflow(a, b, &result)) throw overflow();
    return result;
}

void check_range(Interval values) {
    if (values.low < -largest_value || values.high > largest_value) {
        throw Error(fmt::format("an expression can reach the values {} to {}, beyond ±{}", values.low,
                                values.high, largest_value),
                    "use smaller domains");
    }
}

bool fixed(Literal literal) { return literal.variable < 0; }
Value code(Literal literal) { return 2 * literal.variable + (literal.positive ? 1 : 0); }

}  // namespace

Form Form::plus(const Form& other, Value factor) const {
    Form result = *this;
    result.constant = add(constant, multiply(factor, other.constant));
    for (const auto& [variable, coefficient] : other.terms) {
        Value& own = result.terms[variable];
        own = add(own, multiply(factor, coefficient));
        if (own == 0) result.terms.erase(variable);
    }
    return result;
}

// ---- variables and literals -----------------------------------------------------------------------------

Interval Gates::bounds(const Form& form) const {
    Interval result{form.constant, form.constant};
    for (const auto& [v, coefficient] : form.terms) {
        const Interval x = bounds(v);
        const Value a = multiply(coefficient, x.low);
        const Value b = multiply(coefficient, x.high);
        result = {add(result.low, std::min(a, b)), add(result.high, std::max(a, b))};
    }
    return result;
}

VarId Gates::add_variable(Interval values, bool boolean) {
    return model_.add_variable(fmt::format("#{}", ++made_), Domain(values.low, values.high), boolean);
}

VarId Gates::constant(Value value) {
    check_range({value, value});
    return model_.constant(value);
}

// The variable that `make(result)` defines.
template <class Make>
VarId Gates::define(const Key& key, Make make) {
    const auto [at, added] = known_.try_emplace(key, -1);
    if (!added) return at->second;
    const auto result = static_cast<VarId>(model_.variables.size());
    Constraint constraint{make(result), {}, result};
    const auto values = image(constraint, result, [&](VarId v) { return bounds(v); });
    if (!values) throw std::logic_error("a gate has no total definition");
    check_range(*values);
    if (values->single()) return at->second = constant(values->low);
    model_.constraints.push_back(std::move(constraint));
    return at->second = add_variable(*values, false);
}

// The literal that is true exactly where the body holds.
template <class Body>
Literal Gates::reify(const Key& key, Body body) {
    const auto [at, added] = known_.try_emplace(key, -1);
    if (added) {
        at->second = add_variable({0, 1}, true);
        body.reified = Literal{at->second};
        model_.constraints.push_back({std::move(body), {}, at->second});
    }
    return {at->second};
}

VarId Gates::variable(const Form& form) {
    if (form.fixed()) return constant(form.constant);
    if (form.constant == 0 && form.terms.size() == 1 && form.terms.begin()->second == 1) {
        return form.terms.begin()->first;
    }
    Key key = {sum_, form.constant};
    std::vector<Term> terms;
    for (const auto& [v, coefficient] : form.terms) {
        key.insert(key.end(), {v, coefficient});
        terms.push_back({coefficient, v});
    }
    return define(key, [&](VarId result) {
        terms.push_back({-1, result});
        return Linear{terms, Relation::equal, multiply(-1, form.constant), std::nullopt};
    });
}

std::vector<VarId> Gates::variables(const Forms& forms) {
    std::vector<VarId> result;
    for (const Form& form : forms) result.push_back(variable(form));
    return result;
}

Form Gates::form_of(VarId v) const {
    const Interval values = bounds(v);
    return values.single() ? Form{values.low} : Form{0, {{v, 1}}};
}

Form Gates::form_of(Literal literal) const {
    if (fixed(literal)) return Form{literal.positive ? 1 : 0};
    return literal.positive ? form_of(literal.variable) : Form{1}.minus(form_of(literal.variable));
}

Literal Gates::in_model(Literal literal) {
    return fixed(literal) ? model_.literal(literal.positive) : literal;
}

// ---- integers -------------------------------------------------------------------------------------------

Form Gates::arithmetic(Operation operation, const Form& a, const Form& b) {
    VarId left = variable(a);
    VarId right = variable(b);
    if (operation == Operation::times && right < left) std::swap(left, right);
    const Key key = {arithmetic_, static_cast<Value>(operation), left, right};
    return form_of(define(key, [&](VarId result) { return Arithmetic{operation, left, right, result}; }));
}

Form Gates::product(const Form& a, const Form& b) {
    if (a.fixed()) return Form{}.plus(b, a.constant);
    if (b.fixed()) return Form{}.plus(a, b.constant);
    return arithmetic(Operation::times, a, b);
}

// The divisor is kept away from zero. An interval cannot say this of a divisor with both signs: it has two
// cases.
Form Gates::quotient(Operation operation, const Form& a, const Form& b, Literals& defined) {
    const Interval divisor = bounds(b);
    if (!divisor.contains(0)) return arithmetic(operation, a, b);
    defined.push_back(compare(b, Relation::different));
    const auto above = [&] { return arithmetic(operation, a, extremum(true, {b, Form{1}})); };
    const auto below = [&] { return arithmetic(operation, a, extremum(false, {b, Form{-1}})); };
    if (divisor.low >= 0) return above();
    if (divisor.high <= 0) return below();
    const Form positive = above();
    return choose(at_most(Form{1}, b), positive, below());
}

Form Gates::power(const Form& base, const Form& exponent, Literals& defined) {
    defined.push_back(at_most(Form{}, exponent));
    return arithmetic(Operation::power, base, extremum(true, {exponent, Form{}}));
}

Form Gates::absolute(const Form& a) {
    return extremum(true, {a, Form{}.minus(a), Form{}});  // the zero makes the lower bound exact
}

Form Gates::extremum(bool maximum, const Forms& forms) {
    std::vector<VarId> operands;
    std::optional<Value> best;  // of the constants
    std::optional<Value> sure;  // what the variables reach in any case
    const auto better = [&](std::optional<Value> a, Value b) {
        return !a ? b : maximum ? std::max(*a, b) : std::min(*a, b);
    };
    for (const Form& form : forms) {
        if (form.fixed()) {
            best = better(best, form.constant);
            continue;
        }
        sure = better(sure, maximum ? bounds(form).low : bounds(form).high);
        operands.push_back(variable(form));
    }
    if (best && (!sure || better(sure, *best) != *sure)) operands.push_back(constant(*best));
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    if (operands.size() == 1) return form_of(operands.front());
    Key key = {extremum_, maximum ? 1 : 0};
    key.insert(key.end(), operands.begin(), operands.end());
    return form_of(define(key, [&](VarId result) { return Extremum{maximum, operands, result}; }));
}

Form Gates::element(const Forms& array, const Form& index, Literals& defined) {
    const Form last{static_cast<Value>(array.size())};
    const Literal above = at_most(Form{1}, index);
    defined.insert(defined.end(), {above, at_most(index, last)});
    if (array.empty()) return Form{};
    return entry(array, extremum(true, {Form{1}, extremum(false, {last, index})}));
}

Form Gates::entry(const Forms& array, const Form& index) {  // the index is inside the array
    if (index.fixed()) return array[static_cast<std::size_t>(index.constant - 1)];
    const VarId at = variable(index);
    const auto entries = variables(array);
    Key key = {element_, at};
    key.insert(key.end(), entries.begin(), entries.end());
    return form_of(define(key, [&](VarId result) { return Element{at, entries, result}; }));
}

Form Gates::count(const Forms& array, const Form& value) {
    auto counted = variables(array);
    std::sort(counted.begin(), counted.end());
    const bool repeated = std::adjacent_find(counted.begin(), counted.end()) != counted.end();
    if (repeated || counted.size() < 2) {  // kernels want different variables in a Count
        Form total;
        for (const Form& form : array)
            total = total.plus(form_of(compare(form.minus(value), Relation::equal)));
        return total;
    }
    const VarId wanted = variable(value);
    Key key = {count_, wanted};
    key.insert(key.end(), counted.begin(), counted.end());
    return form_of(define(key, [&](VarId result) { return Count{counted, wanted, result}; }));
}

Form Gates::choose(Literal condition, const Form& then, const Form& otherwise) {
    const Form c = form_of(condition);
    if (c.fixed()) return c.constant == 1 ? then : otherwise;
    const Form gain = then.minus(otherwise);
    if (gain.fixed()) return otherwise.plus(c, gain.constant);
    return entry({otherwise, then}, c.plus(Form{1}));
}

// ---- Booleans -------------------------------------------------------------------------------------------

Literal Gates::any(Literals literals) {
    std::erase(literals, no);
    std::sort(literals.begin(), literals.end(), [](Literal a, Literal b) { return code(a) < code(b); });
    literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    Key key = {clause_};
    for (const Literal literal : literals) {
        // Sorted, a literal stands beside its negation.
        if (literal == yes || (key.size() > 1 && key.back() == code(!literal))) return yes;
        key.push_back(code(literal));
    }
    if (literals.size() <= 1) return literals.empty() ? no : literals.front();
    return reify(key, Clause{std::move(literals), std::nullopt});
}

Literal Gates::all(Literals literals) {
    for (Literal& literal : literals) literal = !literal;
    return !any(std::move(literals));
}

Literal Gates::compare(const Form& form, Relation relation) {
    auto [said, decided] = linear(form, relation);
    if (decided) return *decided;
    // One of the four ways to say the same, so that all of them share one literal.
    bool sign = true;
    if (relation == Relation::different) {
        said.relation = Relation::equal;
        sign = false;
    }
    if (said.terms.front().coefficient < 0) {
        for (Term& term : said.terms) term.coefficient = -term.coefficient;
        said.constant = -said.constant;
        if (relation == Relation::at_most) {
            --said.constant;
            sign = !sign;
        }
    }
    const Literal literal = canonical(std::move(said));
    return sign ? literal : !literal;
}

Literal Gates::canonical(Linear said) {
    const auto truth_valued = [&](const Term& term) {
        return term.coefficient == 1 && bounds(term.variable).inside({0, 1});
    };
    if (said.terms.size() == 1 && truth_valued(said.terms[0])) {
        return {said.terms[0].variable, said.relation == Relation::equal && said.constant == 1};
    }
    const bool one_of_two = said.terms.size() == 2 && said.relation == Relation::equal &&
                            said.constant == 1 && truth_valued(said.terms[0]) && truth_valued(said.terms[1]);
    if (one_of_two) {  // x + y = 1 is not (x = y)
        said.terms[1].coefficient = -1;
        said.constant = 0;
    }
    Key key = {linear_, static_cast<Value>(said.relation), said.constant};
    for (const Term& term : said.terms) key.insert(key.end(), {term.coefficient, term.variable});
    const Literal literal = reify(key, std::move(said));
    return one_of_two ? !literal : literal;
}

std::pair<Linear, Gates::Decided> Gates::linear(const Form& form, Relation relation) const {
    std::vector<Term> terms;
    for (const auto& [v, coefficient] : form.terms) terms.push_back({coefficient, v});
    Linear said = make_linear(model_, terms, relation, multiply(-1, form.constant), std::nullopt);
    Value divisor = 0;
    for (const Term& term : said.terms) divisor = std::gcd(divisor, term.coefficient);
    const Value rest = divisor == 0 ? 0 : said.constant % divisor;
    if (rest != 0 && relation != Relation::at_most) return {said, relation == Relation::equal ? no : yes};
    if (divisor > 1) {
        for (Term& term : said.terms) term.coefficient /= divisor;
        said.constant = said.constant / divisor - (rest < 0 ? 1 : 0);
    }
    return {said, decide(said)};
}

Gates::Decided Gates::decide(const Linear& said) const {
    Form form;
    for (const Term& term : said.terms) form.terms[term.variable] = term.coefficient;
    const Interval values = bounds(form);
    if (said.relation == Relation::at_most) {
        if (values.high <= said.constant) return yes;
        if (values.low > said.constant) return no;
        return std::nullopt;
    }
    bool possible = values.contains(said.constant);
    if (said.terms.size() == 1) {  // its coefficient is 1 or -1
        possible = model_.domain(said.terms[0].variable).contains(said.constant * said.terms[0].coefficient);
    }
    if (!possible) return said.relation == Relation::equal ? no : yes;
    if (values.single()) return said.relation == Relation::equal ? yes : no;
    return std::nullopt;
}

Literal Gates::member(const Form& form, const Domain& set) {
    const VarId v = variable(form);
    const Domain inside = model_.domain(v).intersect(set);
    if (inside.empty()) return no;
    if (inside == model_.domain(v)) return yes;
    if (inside.single()) return compare(form_of(v).minus(Form{inside.low()}), Relation::equal);
    Key key = {member_, v};
    for (const auto& range : inside.ranges()) key.insert(key.end(), {range.low, range.high});
    return reify(key, Member{v, inside, std::nullopt});
}

Literal Gates::table(const Forms& columns, const Expression& e) {
    auto [said, decided] = rows(columns, e);
    if (decided) return *decided;
    Key key = {table_, static_cast<Value>(said.variables.size())};
    key.insert(key.end(), said.variables.begin(), said.variables.end());
    key.insert(key.end(), said.rows.begin(), said.rows.end());
    return reify(key, std::move(said));
}

// The rows that the domains allow, sorted, over different open variables.
std::pair<Table, Gates::Decided> Gates::rows(const Forms& columns, const Expression& e) {
    const auto all_columns = variables(columns);
    const std::size_t width = all_columns.size();
    if (width == 0) return {{}, e.value != 0 ? yes : no};
    std::map<VarId, std::size_t> kept;  // with the first column of each
    for (std::size_t c = 0; c < width; ++c) {
        if (!model_.domain(all_columns[c]).single()) kept.try_emplace(all_columns[c], c);
    }
    const auto possible = [&](const Value* row) {
        for (std::size_t c = 0; c < width; ++c) {
            const auto first = kept.find(all_columns[c]);
            if (!model_.domain(all_columns[c]).contains(row[c])) return false;
            if (first != kept.end() && row[first->second] != row[c]) return false;
        }
        return true;
    };
    std::set<std::vector<Value>> rows;
    for (std::size_t start = 0; start < e.rows.size(); start += width) {
        const Value* row = &e.rows[start];
        if (!possible(row)) continue;
        std::vector<Value> reduced;
        for (const auto& [v, c] : kept) reduced.push_back(row[c]);
        rows.insert(std::move(reduced));
    }
    if (rows.empty()) return {{}, no};
    if (kept.empty()) return {{}, yes};
    Table said;
    for (const auto& [v, c] : kept) said.variables.push_back(v);
    for (const auto& row : rows) said.rows.insert(said.rows.end(), row.begin(), row.end());
    return {said, std::nullopt};
}

}  // namespace flat

}  // namespace zermelo::model
