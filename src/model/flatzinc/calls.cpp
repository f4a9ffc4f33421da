#include "model/flatzinc/calls.hpp"

#include <fmt/format.h>

#include "model/flatten/reify.hpp"
#include "model/globals.hpp"

namespace zermelo::model::flatzinc {

namespace {

using Reified = std::optional<Literal>;

void compare(Calls& c, Relation relation, Value constant, Reified r) {
    c.fold().linear({{1, c.integer(0)}, {-1, c.integer(1)}}, relation, constant, r);
}

std::vector<Term> weighted(Calls& c, bool boolean) {
    const auto coefficients = c.numbers(0);
    const auto variables = boolean ? c.booleans(1) : c.integers(1);
    if (coefficients.size() != variables.size()) {
        c.fail("there are not as many coefficients as variables", "give each variable one");
    }
    std::vector<Term> terms;
    terms.reserve(variables.size() + 1);
    for (std::size_t i = 0; i < variables.size(); ++i) terms.push_back({coefficients[i], variables[i]});
    return terms;
}

void int_linear(Calls& c, Relation relation, Reified r) {
    c.fold().linear(weighted(c, false), relation, c.number(2), r);
}

// Σ aᵢ xᵢ ∘ c with a variable c, which moves to the left side; `sign` turns ≥ into ≤.
void bool_linear(Calls& c, Relation relation, Value sign, Value constant, Reified r) {
    auto terms = weighted(c, true);
    terms.push_back({-1, c.integer(2)});
    for (Term& term : terms) term.coefficient *= sign;
    c.fold().linear(std::move(terms), relation, constant, r);
}

void sum(Calls& c, Value sign) {
    c.fold().linear({{1, c.integer(0)}, {sign, c.integer(1)}, {-1, c.integer(2)}}, Relation::equal, 0);
}

// r ↔ (result ↔ the conjunction of `literals`)
void conjunction(Calls& c, std::vector<Literal> literals, Literal result, Reified r) {
    if (!r) {
        c.fold().conjunction(std::move(literals), result);
        return;
    }
    const Literal all = c.fold().all_of(std::move(literals), "all");
    c.fold().parity({all, result, *r});
}

std::vector<Literal> negated(std::vector<Literal> literals) {
    for (Literal& literal : literals) literal = !literal;
    return literals;
}

void clause(Calls& c, Reified r) {
    auto literals = c.literals(0);
    for (const Literal literal : c.literals(1, false)) literals.push_back(literal);
    c.fold().clause(std::move(literals), r);
}

void exclusive_or(Calls& c, Reified r) {  // with or without a third argument that says whether they differ
    std::vector<Literal> literals = {c.literal(0), c.literal(1)};
    if (c.count() == (r ? 4U : 3U)) literals.push_back(!c.literal(2));
    if (r) literals.push_back(!*r);
    c.fold().parity(std::move(literals));
}

void element(Calls& c, bool boolean) {
    c.fold().element(c.integer(0), boolean ? c.booleans(1) : c.integers(1),
                     boolean ? c.boolean(2) : c.integer(2));
}

void extremum(Calls& c, bool maximum) {
    auto operands = c.integers(1);
    if (operands.empty()) c.fail("the extremum of no values is not defined", "give it at least one");
    c.fold().extremum(maximum, std::move(operands), c.integer(0));
}

void absolute(Calls& c) {
    const VarId x = c.integer(0);
    // The 0 changes nothing, but says to whoever looks at bounds only that the result is not negative.
    c.fold().extremum(true, {x, c.fold().negative(x), c.model().constant(0)}, c.integer(1));
}

// y = x[first i with c[i]], as a chain of choices from the last to the first: 2 - c is an index into two
// values.
void if_then_else(Calls& c, bool boolean) {
    const auto conditions = c.literals(0);
    auto values = boolean ? c.booleans(1) : c.integers(1);
    const VarId result = boolean ? c.boolean(2) : c.integer(2);
    if (conditions.size() != values.size() || values.empty()) {
        c.fail("there are not as many conditions as values", "give each condition one value");
    }
    if (c.fold().known(conditions.back()) != true) {
        c.fail("the last condition of an if-then-else must be `true`", "add an else branch");
    }
    std::vector<std::size_t> open;  // conditions that can decide; none after one that is always true
    std::size_t last = 0;
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        last = i;
        if (c.fold().known(conditions[i]) == true) break;
        if (!c.fold().known(conditions[i])) open.push_back(i);
    }
    VarId otherwise = values[last];
    for (std::size_t k = open.size(); k-- > 0;) {
        const VarId index = c.model().add_variable("case", Domain(1, 2));
        c.fold().define(index,
                        Linear{{{1, conditions[open[k]].variable}, {1, index}}, Relation::equal, 2, {}});
        VarId chosen = result;
        if (k > 0) {
            const Domain& a = c.model().domain(values[open[k]]);
            const Domain& b = c.model().domain(otherwise);
            chosen = c.model().add_variable(
                "choice", Domain(std::min(a.low(), b.low()), std::max(a.high(), b.high())), boolean);
            c.fold().define(chosen, Element{index, {values[open[k]], otherwise}, chosen});
        } else {
            c.fold().element(index, {values[open[k]], otherwise}, result);
        }
        otherwise = chosen;
    }
    if (open.empty()) c.fold().equal(otherwise, result);
}

void table(Calls& c, bool boolean, Reified r) {
    auto variables = boolean ? c.booleans(0) : c.integers(0);
    auto rows = c.numbers(1, boolean ? Atom::Kind::boolean : Atom::Kind::integer);
    if (variables.empty() || rows.size() % variables.size() != 0) {
        c.fail("the table does not consist of whole rows", "give every row one value for each variable");
    }
    c.fold().table(std::move(variables), std::move(rows), r);
}

struct Entry {
    std::size_t least;  // number of arguments without the one that reifies
    std::size_t most;
    bool reifiable;
    void (*translate)(Calls&, Reified);
};

using enum Relation;

const std::unordered_map<std::string_view, Entry>& entries() {
    static const std::unordered_map<std::string_view, Entry> table_of_calls = {
        {"int_eq", {2, 2, true, [](Calls& c, Reified r) { compare(c, equal, 0, r); }}},
        {"int_ne", {2, 2, true, [](Calls& c, Reified r) { compare(c, different, 0, r); }}},
        {"int_le", {2, 2, true, [](Calls& c, Reified r) { compare(c, at_most, 0, r); }}},
        {"int_lt", {2, 2, true, [](Calls& c, Reified r) { compare(c, at_most, -1, r); }}},
        {"int_lin_eq", {3, 3, true, [](Calls& c, Reified r) { int_linear(c, equal, r); }}},
        {"int_lin_ne", {3, 3, true, [](Calls& c, Reified r) { int_linear(c, different, r); }}},
        {"int_lin_le", {3, 3, true, [](Calls& c, Reified r) { int_linear(c, at_most, r); }}},
        {"bool_lin_eq", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, equal, 1, 0, r); }}},
        {"bool_lin_ne", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, different, 1, 0, r); }}},
        {"bool_lin_le", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, at_most, 1, 0, r); }}},
        {"bool_lin_lt", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, at_most, 1, -1, r); }}},
        {"bool_lin_ge", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, at_most, -1, 0, r); }}},
        {"bool_lin_gt", {3, 3, true, [](Calls& c, Reified r) { bool_linear(c, at_most, -1, -1, r); }}},
        {"int_plus", {3, 3, false, [](Calls& c, Reified) { sum(c, 1); }}},
        {"int_minus", {3, 3, false, [](Calls& c, Reified) { sum(c, -1); }}},
        {"int_times",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().arithmetic(Operation::times, c.integer(0), c.integer(1), c.integer(2));
          }}},
        {"int_div",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().arithmetic(Operation::divide, c.integer(0), c.integer(1), c.integer(2));
          }}},
        {"int_mod",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().arithmetic(Operation::modulo, c.integer(0), c.integer(1), c.integer(2));
          }}},
        {"int_pow",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().arithmetic(Operation::power, c.integer(0), c.integer(1), c.integer(2));
          }}},
        {"int_pow_fixed",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().arithmetic(Operation::power, c.integer(0), c.integer(1), c.integer(2));
          }}},
        {"int_abs", {2, 2, false, [](Calls& c, Reified) { absolute(c); }}},
        {"int_max",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().extremum(true, {c.integer(0), c.integer(1)}, c.integer(2));
          }}},
        {"int_min",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().extremum(false, {c.integer(0), c.integer(1)}, c.integer(2));
          }}},
        {"array_int_maximum", {2, 2, false, [](Calls& c, Reified) { extremum(c, true); }}},
        {"array_int_minimum", {2, 2, false, [](Calls& c, Reified) { extremum(c, false); }}},
        {"set_in", {2, 2, true, [](Calls& c, Reified r) { c.fold().member(c.integer(0), c.set(1), r); }}},

        // An integer and a Boolean that are not one variable already (see flatzinc.cpp).
        {"bool2int", {2, 2, false, [](Calls& c, Reified) { c.fold().equal(c.boolean(0), c.integer(1)); }}},
        {"bool_eq",
         {2, 2, true,
          [](Calls& c, Reified r) {
              if (r) return c.fold().parity({c.literal(0), c.literal(1), *r});
              c.fold().equate(c.literal(0), c.literal(1));
          }}},
        {"bool_ne", {2, 2, true, [](Calls& c, Reified r) { exclusive_or(c, r); }}},
        {"bool_not", {2, 2, true, [](Calls& c, Reified r) { exclusive_or(c, r); }}},
        {"bool_xor", {2, 3, true, [](Calls& c, Reified r) { exclusive_or(c, r); }}},
        {"bool_le",
         {2, 2, true,
          [](Calls& c, Reified r) {
              c.fold().clause({!c.literal(0), c.literal(1)}, r);
          }}},
        {"bool_lt",
         {2, 2, true,
          [](Calls& c, Reified r) {
              c.fold().conjunction({!c.literal(0), c.literal(1)}, r.value_or(c.model().literal(true)));
          }}},
        {"bool_and",
         {3, 3, true,
          [](Calls& c, Reified r) {
              conjunction(c, {c.literal(0), c.literal(1)}, c.literal(2), r);
          }}},
        {"bool_or",
         {3, 3, true,
          [](Calls& c, Reified r) {
              conjunction(c, {!c.literal(0), !c.literal(1)}, !c.literal(2), r);
          }}},
        {"array_bool_and",
         {2, 2, true, [](Calls& c, Reified r) { conjunction(c, c.literals(0), c.literal(1), r); }}},
        {"array_bool_or",
         {2, 2, true, [](Calls& c, Reified r) { conjunction(c, negated(c.literals(0)), !c.literal(1), r); }}},
        {"array_bool_xor",
         {1, 1, true,
          [](Calls& c, Reified r) {
              auto literals = c.literals(0);
              if (r) literals.push_back(!*r);
              c.fold().parity(std::move(literals));
          }}},
        {"bool_clause", {2, 2, true, clause}},

        {"array_int_element", {3, 3, false, [](Calls& c, Reified) { element(c, false); }}},
        {"array_var_int_element", {3, 3, false, [](Calls& c, Reified) { element(c, false); }}},
        {"array_bool_element", {3, 3, false, [](Calls& c, Reified) { element(c, true); }}},
        {"array_var_bool_element", {3, 3, false, [](Calls& c, Reified) { element(c, true); }}},
        {"fzn_if_then_else_int", {3, 3, false, [](Calls& c, Reified) { if_then_else(c, false); }}},
        {"fzn_if_then_else_var_int", {3, 3, false, [](Calls& c, Reified) { if_then_else(c, false); }}},
        {"fzn_if_then_else_bool", {3, 3, false, [](Calls& c, Reified) { if_then_else(c, true); }}},
        {"fzn_if_then_else_var_bool", {3, 3, false, [](Calls& c, Reified) { if_then_else(c, true); }}},
        {"fzn_if_then_else_partiality", {3, 3, false, [](Calls& c, Reified) { if_then_else(c, true); }}},

        {"fzn_all_different_int",
         {1, 1, false, [](Calls& c, Reified) { c.fold().add(AllDifferent{c.integers(0)}); }}},
        {"fzn_count_eq",
         {3, 3, false,
          [](Calls& c, Reified) {
              c.fold().add(Count{c.integers(0), c.integer(1), c.integer(2)});
          }}},
        {"zermelo_table_int", {2, 2, true, [](Calls& c, Reified r) { table(c, false, r); }}},
        {"zermelo_table_bool", {2, 2, true, [](Calls& c, Reified r) { table(c, true, r); }}},
    };
    return table_of_calls;
}

}  // namespace

void Calls::translate(const Call& call) {
    look_at(call);
    const auto& known = entries();
    if (const auto entry = known.find(call.name); entry != known.end()) {
        expect_count(entry->second.least, entry->second.most);
        entry->second.translate(*this, std::nullopt);
        return;
    }
    for (const std::string_view suffix : {"_reif", "_imp"}) {
        if (!call.name.ends_with(suffix)) continue;
        const auto entry = known.find(call.name.substr(0, call.name.size() - suffix.size()));
        if (entry == known.end() || !entry->second.reifiable) continue;
        expect_count(entry->second.least + 1, entry->second.most + 1);
        const Literal control = literal(count() - 1);
        if (suffix == "_reif") return entry->second.translate(*this, control);
        if (fold_.known(control) == false) return;
        // control → body, by way of a Boolean that equals the body
        const Literal body = fold_.known(control) == true ? control : fold_.fresh_literal("body");
        entry->second.translate(*this, body);
        if (body != control) fold_.clause({!control, body});
        return;
    }
    if (find_global(call.name) != nullptr) {
        fold_.add(global(std::string(call.name), count()));
        return;
    }
    constexpr std::string_view reified = "_reif";
    if (call.name.ends_with(reified) && count() > 0) {
        const std::string body(call.name.substr(0, call.name.size() - reified.size()));
        if (find_global(body) != nullptr) return reified_global(body);
    }
    fail(fmt::format("the constraint {} is not known", call.name),
         "compile with --solver zermelo, so that MiniZinc decomposes it");
}

// A constraint by its name, of the first arguments of the call.
Global Calls::global(const std::string& name, std::size_t arguments) {
    Global global{name, {}};
    for (std::size_t i = 0; i < arguments; ++i) {
        const auto& value = call_->arguments[i].value;
        if (std::holds_alternative<Atom>(value)) {
            global.arguments.push_back({integer(i)});
        } else if (const Domain* values = std::get_if<Domain>(&value)) {
            if (values->size() > 1'000'000) fail(i, "a smaller set");
            global.arguments.emplace_back();
            values->each([&](Value v) { global.arguments.back().push_back(model_.constant(v)); });
        } else {
            global.arguments.push_back(integers(i));
        }
    }
    const auto problem = misfit(global, [&](VarId v) { return model_.domain(v).single(); });
    if (!problem.empty()) fail(problem);
    return global;
}

// The last argument is true exactly where the constraint holds.
void Calls::reified_global(const std::string& name) {
    const Literal control = literal(count() - 1);
    const Constraint constraint{global(name, count() - 1), program_.place(call_->origin)};
    const Literal body = gates_.in_model(flat::holds(gates_, constraint));
    const auto truth = fold_.known(body);
    if (truth && !fold_.known(control)) {  // a definition, of a constant; a clause would be a demand
        fold_.define(control.variable,
                     Linear{{{1, control.variable}}, Relation::equal, *truth ? 1 : 0, std::nullopt});
    } else {
        fold_.clause({body}, control);
    }
}

// ---- arguments

void Calls::look_at(const Call& call) {
    call_ = &call;
    std::optional<VarId> defines;
    if (call.defines && call.defines->kind == Atom::Kind::variable)
        defines = variable(*call.defines, call.origin);
    fold_.at(program_.place(call.origin), defines);
}

void Calls::expect_count(std::size_t least, std::size_t most) const {
    if (count() < least || count() > most) {
        fail(fmt::format("{} takes {} arguments but has {}", call_->name, least, count()),
             "compile with --solver zermelo");
    }
}

void Calls::fail(std::size_t argument, const std::string& expected) const {
    throw Error(program_.place(origin(argument)),
                fmt::format("argument {} of {} must be {}", argument + 1, call_->name, expected));
}

void Calls::fail(const std::string& problem, const std::string& remedy) const {
    throw Error(program_.place(call_->origin), problem, remedy);
}

bool Calls::is(const Atom& atom, bool boolean) const {
    if (atom.kind != Atom::Kind::variable) return (atom.kind == Atom::Kind::boolean) == boolean;
    return program_.variables[static_cast<std::size_t>(atom.value)].boolean == boolean;
}

VarId Calls::variable(const Atom& atom, const Origin& origin) {
    if (atom.kind == Atom::Kind::variable) return variable_of_[static_cast<std::size_t>(atom.value)];
    if (atom.value < -largest_value || atom.value > largest_value) {
        throw Error(program_.place(origin), fmt::format("{} is outside the range of the solver", atom.value),
                    fmt::format("keep values within -{0}..{0}", largest_value));
    }
    return model_.constant(atom.value);
}

const Atom& Calls::atom(std::size_t i) const {
    const Atom* atom = std::get_if<Atom>(&call_->arguments[i].value);
    if (atom == nullptr) fail(i, "a single value");
    return *atom;
}

const std::vector<Atom>& Calls::atoms(std::size_t i) const {
    const auto* list = std::get_if<std::shared_ptr<const List>>(&call_->arguments[i].value);
    if (list == nullptr || !(*list)->sets.empty()) fail(i, "an array of single values");
    return (*list)->atoms;
}

VarId Calls::integer(std::size_t i) {
    if (!is(atom(i), false)) fail(i, "an integer");
    return variable(atom(i), origin(i));
}

VarId Calls::boolean(std::size_t i) {
    if (!is(atom(i), true)) fail(i, "a Boolean");
    return variable(atom(i), origin(i));
}

Value Calls::number(std::size_t i) const {
    if (atom(i).kind == Atom::Kind::variable) fail(i, "a constant");
    return atom(i).value;
}

const Domain& Calls::set(std::size_t i) const {
    const Domain* domain = std::get_if<Domain>(&call_->arguments[i].value);
    if (domain == nullptr) fail(i, "a constant set");
    return *domain;
}

const std::vector<Domain>& Calls::sets(std::size_t i) const {
    const auto* list = std::get_if<std::shared_ptr<const List>>(&call_->arguments[i].value);
    if (list == nullptr || !(*list)->atoms.empty()) fail(i, "an array of sets");
    return (*list)->sets;
}

std::vector<VarId> Calls::list(std::size_t i, bool boolean) {
    const auto& elements = atoms(i);
    const List* key = std::get<std::shared_ptr<const List>>(call_->arguments[i].value).get();
    constexpr std::size_t long_list = 64;
    if (elements.size() >= long_list && is(elements.front(), boolean)) {
        if (const auto found = long_lists_.find(key); found != long_lists_.end()) return found->second;
    }
    std::vector<VarId> result;
    result.reserve(elements.size());
    for (const Atom& element : elements) {
        if (!is(element, boolean)) fail(i, boolean ? "an array of Booleans" : "an array of integers");
        result.push_back(variable(element, origin(i)));
    }
    if (elements.size() >= long_list) long_lists_.emplace(key, result);
    return result;
}

std::vector<VarId> Calls::integers(std::size_t i) { return list(i, false); }
std::vector<VarId> Calls::booleans(std::size_t i) { return list(i, true); }

std::vector<Literal> Calls::literals(std::size_t i, bool positive) {
    std::vector<Literal> result;
    for (const VarId v : booleans(i)) result.push_back({v, positive});
    return result;
}

std::vector<Value> Calls::numbers(std::size_t i, Atom::Kind kind) const {
    // Beyond this, sums could leave 64 bits before anyone looks.
    constexpr Value largest_coefficient = Value{1} << 60;
    std::vector<Value> result;
    result.reserve(atoms(i).size());
    for (const Atom& element : atoms(i)) {
        if (element.kind != kind) fail(i, "an array of constants");
        if (element.value < -largest_coefficient || element.value > largest_coefficient)
            fail(i, "made of smaller numbers");
        result.push_back(element.value);
    }
    return result;
}

}  // namespace zermelo::model::flatzinc
