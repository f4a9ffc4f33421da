// Expression trees: what a modeller writes, immutable and shared.
//
// IntExpr and BoolExpr are two small values that share read-only nodes, so a sum written once can stand in
// many rules. A Boolean counts as 0 or 1 where an integer is wanted; an integer is never silently a Boolean.
//
// Partial functions have MiniZinc's relational semantics (Frisch and Stuckey 2009): where a division by zero,
// an index outside its array or a negative exponent leaves an operand undefined, the smallest Boolean
// expression around it is false. The branch that if_then_else does not take may be undefined; the entries of
// an array and all other operands may not.
//
// The trees say exactly what was written: flatten/ turns them into constraints, and the reference evaluator
// of the tests evaluates them.

#pragma once

#include <concepts>
#include <memory>
#include <vector>

#include "model/model.hpp"

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

}  // namespace zermelo::model
