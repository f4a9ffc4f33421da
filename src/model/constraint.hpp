// Constraint forms: the few normal forms that every model is flattened into.
//
// Readers and the builder translate whatever a modeller writes into these forms, so that each part of the
// program that looks at constraints (posting, residual keys, the checker) has one short list to know.
// Operands are variables; a constant is a variable with one value, and Booleans are 0/1 integers. A reified
// form says `reified ↔ body`; without `reified` the body itself is required.

#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "model/domain.hpp"

namespace zermelo::model {

using VarId = int;  // index into Model::variables

struct Literal {
    VarId variable;
    bool positive = true;
    Literal operator!() const { return {variable, !positive}; }
    friend bool operator==(const Literal&, const Literal&) = default;
};

struct Term {
    Value coefficient;
    VarId variable;
};

enum class Relation { equal, different, at_most };

struct Linear {  // Σ coefficient × variable  (=, ≠, ≤)  constant; each variable at most once, no constants
    std::vector<Term> terms;
    Relation relation;
    Value constant;
    std::optional<Literal> reified;
};

struct Clause {  // at least one literal is true
    std::vector<Literal> literals;
    std::optional<Literal> reified;
};

struct Parity {  // an odd number of the literals is true
    std::vector<Literal> literals;
};

struct Member {  // variable ∈ set
    VarId variable;
    Domain set;
    std::optional<Literal> reified;
};

struct Element {  // array[index] = result, counted from 1; an index outside the array violates it
    VarId index;
    std::vector<VarId> array;
    VarId result;
};

enum class Operation { times, divide, modulo, power };  // divide and modulo truncate towards zero

struct Arithmetic {  // left ∘ right = result; undefined (division by zero, negative power) violates it
    Operation operation;
    VarId left;
    VarId right;
    VarId result;
};

struct Extremum {  // max(operands) = result or min(operands) = result; absolute value is max(x, -x)
    bool maximum;
    std::vector<VarId> operands;
    VarId result;
};

struct Table {  // (variables) is one of the rows; `rows` holds them one after the other
    std::vector<VarId> variables;
    std::vector<Value> rows;
    std::optional<Literal> reified;
};

struct AllDifferent {
    std::vector<VarId> variables;
};

struct Count {  // how many of the variables equal `value` is `result`
    std::vector<VarId> variables;
    VarId value;
    VarId result;
};

struct Global {  // any other constraint, by its FlatZinc name (the list is in model/globals.hpp)
    std::string name;
    std::vector<std::vector<VarId>> arguments;
};

struct Constraint {
    std::variant<Linear, Clause, Parity, Member, Element, Arithmetic, Extremum, Table, AllDifferent, Count,
                 Global>
        body;
    Place place = {};
    std::optional<VarId> defines =
        std::nullopt;  // the modeller's hint: this variable is a function of the others
};

// Calls visit(VarId) for every variable of the constraint, repetitions included.
template <class Visit>
void each_variable(const Constraint& constraint, Visit visit);

[[nodiscard]] std::optional<Literal> reified_by(const Constraint& constraint);

// ---------------------------------------------------------------------------------------------------------

namespace detail {

template <class Visit>
struct EachVariable {
    Visit& visit;
    void all(const std::vector<VarId>& variables) const {
        for (const VarId v : variables) visit(v);
    }
    void all(const std::vector<Literal>& literals) const {
        for (const Literal l : literals) visit(l.variable);
    }
    void maybe(const std::optional<Literal>& literal) const {
        if (literal) visit(literal->variable);
    }
    void operator()(const Linear& c) const {
        for (const Term& t : c.terms) visit(t.variable);
        maybe(c.reified);
    }
    void operator()(const Clause& c) const { all(c.literals), maybe(c.reified); }
    void operator()(const Parity& c) const { all(c.literals); }
    void operator()(const Member& c) const { visit(c.variable), maybe(c.reified); }
    void operator()(const Element& c) const { visit(c.index), all(c.array), visit(c.result); }
    void operator()(const Arithmetic& c) const { visit(c.left), visit(c.right), visit(c.result); }
    void operator()(const Extremum& c) const { all(c.operands), visit(c.result); }
    void operator()(const Table& c) const { all(c.variables), maybe(c.reified); }
    void operator()(const AllDifferent& c) const { all(c.variables); }
    void operator()(const Count& c) const { all(c.variables), visit(c.value), visit(c.result); }
    void operator()(const Global& c) const {
        for (const auto& argument : c.arguments) all(argument);
    }
};

}  // namespace detail

template <class Visit>
void each_variable(const Constraint& constraint, Visit visit) {
    std::visit(detail::EachVariable<Visit>{visit}, constraint.body);
}

}  // namespace zermelo::model
