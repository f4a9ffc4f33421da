// Expression trees: what a modeller writes, immutable and shared; and their Tseitin form (Tseitin 1968).
//
// IntExpr and BoolExpr are two small values that share read-only nodes, so a sum written once can stand in
// many rules. A Boolean counts as 0 or 1 where an integer is wanted; an integer is never silently a Boolean.
//
// Partial functions have MiniZinc's relational semantics (Frisch and Stuckey 2009): where a division by zero,
// an index outside its array or a negative exponent leaves an operand undefined, the smallest Boolean
// expression around it is false. The branch that if_then_else does not take may be undefined; the entries of
// an array and all other operands may not.
//
// The trees say exactly what was written: builder.cpp flattens them, and the reference evaluator of the tests
// evaluates them. The flat form follows in the second part of this file.

#pragma once

#include <concepts>
#include <map>
#include <memory>
#include <vector>

#include "model/model.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::model {

struct Expression {
    enum class Kind {
        // clang-format off
        // integers
        constant, variable, sum, subtract, negate, multiply, divide, modulo, power, absolute, minimum, maximum,
        element,  // parts: the index, then the array
        count,    // parts: the value, then the array
        choose,   // parts: condition, then, otherwise
        // Booleans
        truth, equal, different, less, at_most, conjunction, disjunction, negation, equivalent, exclusive,
        member, table, all_different
        // clang-format on
    };
    using Pointer = std::shared_ptr<const Expression>;

    Kind kind;
    std::vector<Pointer> parts = {};
    Value value = 0;               // of a constant; 0 or 1 for a truth
    VarId variable = -1;           // counted in the order of declaration
    Domain set = {};               // of member
    std::vector<Value> rows = {};  // of table, one after the other
};

class BoolExpr {
public:
    BoolExpr(std::same_as<bool> auto value)
        : BoolExpr(Expression{Expression::Kind::truth, {}, value ? 1 : 0}) {}
    explicit BoolExpr(Expression tree) : tree_(std::make_shared<const Expression>(std::move(tree))) {}

    [[nodiscard]] const Expression::Pointer& tree() const { return tree_; }

private:
    Expression::Pointer tree_;
};

class IntExpr {
public:
    template <std::integral T>
    requires(!std::same_as<T, bool>) IntExpr(T value)
        : IntExpr(Expression{Expression::Kind::constant, {}, static_cast<Value>(value)}) {}
    IntExpr(const BoolExpr& truth) : tree_(truth.tree()) {}
    explicit IntExpr(Expression tree) : tree_(std::make_shared<const Expression>(std::move(tree))) {}

    IntExpr& operator+=(const IntExpr& other);
    [[nodiscard]] const Expression::Pointer& tree() const { return tree_; }

private:
    Expression::Pointer tree_;
};

using IntExprs = std::vector<IntExpr>;
using BoolExprs = std::vector<BoolExpr>;

[[nodiscard]] IntExpr operator+(const IntExpr& a, const IntExpr& b);
[[nodiscard]] IntExpr operator-(const IntExpr& a, const IntExpr& b);
[[nodiscard]] IntExpr operator-(const IntExpr& a);
[[nodiscard]] IntExpr operator*(const IntExpr& a, const IntExpr& b);
[[nodiscard]] IntExpr operator/(const IntExpr& a, const IntExpr& b);      // towards zero
[[nodiscard]] IntExpr operator%(const IntExpr& a, const IntExpr& b);      // has the sign of a
[[nodiscard]] IntExpr pow(const IntExpr& base, const IntExpr& exponent);  // pow(0, 0) = 1
[[nodiscard]] IntExpr abs(const IntExpr& a);
[[nodiscard]] IntExpr min(const IntExpr& a, const IntExpr& b);
[[nodiscard]] IntExpr max(const IntExpr& a, const IntExpr& b);
[[nodiscard]] IntExpr min(const IntExprs& all);  // of at least one
[[nodiscard]] IntExpr max(const IntExprs& all);
[[nodiscard]] IntExpr sum(const IntExprs& all);
[[nodiscard]] IntExpr element(const IntExprs& array, const IntExpr& index);  // counted from 1
[[nodiscard]] IntExpr count(const IntExprs& array, const IntExpr& value);
[[nodiscard]] IntExpr if_then_else(const BoolExpr& condition, const IntExpr& then, const IntExpr& otherwise);
[[nodiscard]] BoolExpr if_then_else(const BoolExpr& condition, const BoolExpr& then,
                                    const BoolExpr& otherwise);

[[nodiscard]] BoolExpr operator==(const IntExpr& a, const IntExpr& b);
[[nodiscard]] BoolExpr operator!=(const IntExpr& a, const IntExpr& b);
[[nodiscard]] BoolExpr operator<(const IntExpr& a, const IntExpr& b);
[[nodiscard]] BoolExpr operator<=(const IntExpr& a, const IntExpr& b);
[[nodiscard]] BoolExpr operator>(const IntExpr& a, const IntExpr& b);
[[nodiscard]] BoolExpr operator>=(const IntExpr& a, const IntExpr& b);

[[nodiscard]] BoolExpr operator&&(const BoolExpr& a, const BoolExpr& b);
[[nodiscard]] BoolExpr operator||(const BoolExpr& a, const BoolExpr& b);
[[nodiscard]] BoolExpr operator!(const BoolExpr& a);
[[nodiscard]] BoolExpr all_of(const BoolExprs& all);  // of none: true
[[nodiscard]] BoolExpr any_of(const BoolExprs& all);  // of none: false
[[nodiscard]] BoolExpr implies(const BoolExpr& a, const BoolExpr& b);
[[nodiscard]] BoolExpr iff(const BoolExpr& a, const BoolExpr& b);
[[nodiscard]] BoolExpr xor_(const BoolExpr& a, const BoolExpr& b);

[[nodiscard]] BoolExpr member(const IntExpr& a, const Domain& set);
[[nodiscard]] BoolExpr table(const IntExprs& columns, const std::vector<std::vector<Value>>& rows);
[[nodiscard]] BoolExpr all_different(const IntExprs& all);

// A board of plain numbers is an array too. (A template, so that element({x, 2}, i) still means expressions.)
template <std::integral T>
[[nodiscard]] IntExpr element(const std::vector<T>& array, const IntExpr& index) {
    return element(IntExprs(array.begin(), array.end()), index);
}

// ---------------------------------------------------------------------------------------------------------
//
// Flat expressions. An integer becomes a linear form over variables, so that whatever is linear ends up in
// one Linear; a Boolean becomes a literal, so that negation costs nothing.

namespace flat {

// Constants are literals of no variable until they have to appear in the model.
inline constexpr Literal yes{-1, true};
inline constexpr Literal no{-1, false};
using Literals = std::vector<Literal>;

struct Form {  // constant + Σ coefficient × variable; no coefficient is zero
    Value constant = 0;
    std::map<VarId, Value> terms = {};

    [[nodiscard]] bool fixed() const { return terms.empty(); }
    [[nodiscard]] Form plus(const Form& other, Value factor = 1) const;
    [[nodiscard]] Form minus(const Form& other) const { return plus(other, -1); }
};
using Forms = std::vector<Form>;

// Gates: Tseitin variables in a model, each a function of others.
//
// A variable gets the interval that image() derives for it, hence its definition is total: it demands nothing
// and can stand below a rule. Equal gates are made once: they are looked up by what they say.
//
// Partial operations are replaced by total ones that agree wherever the original has a value; literals that
// tell whether it has one are added to `defined`.
class Gates {
public:
    explicit Gates(Model& model) : model_(model) {}

    [[nodiscard]] Form form_of(VarId v) const;
    [[nodiscard]] Form form_of(Literal literal) const;
    [[nodiscard]] VarId variable(const Form& form);
    [[nodiscard]] std::vector<VarId> variables(const Forms& forms);
    [[nodiscard]] Literal in_model(Literal literal);

    [[nodiscard]] Form product(const Form& a, const Form& b);
    [[nodiscard]] Form quotient(Operation operation, const Form& a, const Form& b, Literals& defined);
    [[nodiscard]] Form power(const Form& base, const Form& exponent, Literals& defined);
    [[nodiscard]] Form absolute(const Form& a);
    [[nodiscard]] Form extremum(bool maximum, const Forms& forms);
    [[nodiscard]] Form element(const Forms& array, const Form& index, Literals& defined);
    [[nodiscard]] Form count(const Forms& array, const Form& value);
    [[nodiscard]] Form choose(Literal condition, const Form& then, const Form& otherwise);

    [[nodiscard]] Literal all(Literals literals);
    [[nodiscard]] Literal any(Literals literals);
    [[nodiscard]] Literal compare(const Form& form, Relation relation);  // form (=, ≠, ≤) 0
    [[nodiscard]] Literal at_most(const Form& a, const Form& b) {
        return compare(a.minus(b), Relation::at_most);
    }
    [[nodiscard]] Literal member(const Form& form, const Domain& set);
    [[nodiscard]] Literal table(const Forms& columns, const Expression& e);

    // The same without a literal for it: the constraint, or its truth where the domains decide.
    using Decided = std::optional<Literal>;
    [[nodiscard]] std::pair<Linear, Decided> linear(const Form& form, Relation relation) const;
    [[nodiscard]] std::pair<Table, Decided> rows(const Forms& columns, const Expression& e);

private:
    using Key = std::vector<Value>;  // what a gate says: its kind, then its operands
    template <class Make>
    VarId define(const Key& key, Make make);
    template <class Body>
    Literal reify(const Key& key, Body body);

    [[nodiscard]] Interval bounds(VarId v) const { return {model_.domain(v).low(), model_.domain(v).high()}; }
    [[nodiscard]] Interval bounds(const Form& form) const;
    [[nodiscard]] VarId constant(Value value);
    [[nodiscard]] VarId add_variable(Interval values, bool boolean);
    [[nodiscard]] Form arithmetic(Operation operation, const Form& a, const Form& b);
    [[nodiscard]] Form entry(const Forms& array, const Form& index);
    [[nodiscard]] Literal canonical(Linear linear);
    [[nodiscard]] Decided decide(const Linear& linear) const;

    Model& model_;
    int made_ = 0;
    std::map<Key, VarId> known_;
};

}  // namespace flat

}  // namespace zermelo::model
