#include "model/expression.hpp"

#include <fmt/format.h>

namespace zermelo::model {

namespace {

using Kind = Expression::Kind;

template <class Expr>
std::vector<Expression::Pointer> trees(const std::vector<Expr>& all) {
    std::vector<Expression::Pointer> parts;
    parts.reserve(all.size());
    for (const Expr& each : all) parts.push_back(each.tree());
    return parts;
}

IntExpr integer(Kind kind, const IntExprs& parts) { return IntExpr(Expression{kind, trees(parts)}); }
BoolExpr compare(Kind kind, const IntExpr& a, const IntExpr& b) {
    return BoolExpr(Expression{kind, {a.tree(), b.tree()}});
}
BoolExpr connect(Kind kind, const BoolExprs& parts) { return BoolExpr(Expression{kind, trees(parts)}); }

IntExpr extremum(Kind kind, const IntExprs& all) {
    if (all.empty()) {
        throw Error("the minimum or maximum of no expressions has no value", "give at least one expression");
    }
    return integer(kind, all);
}

IntExpr over_array(Kind kind, const IntExpr& first, const IntExprs& array) {
    IntExprs parts = {first};
    parts.insert(parts.end(), array.begin(), array.end());
    return integer(kind, parts);
}

}  // namespace

IntExpr& IntExpr::operator+=(const IntExpr& other) { return *this = *this + other; }

IntExpr operator+(const IntExpr& a, const IntExpr& b) { return integer(Kind::sum, {a, b}); }
IntExpr operator-(const IntExpr& a, const IntExpr& b) { return integer(Kind::subtract, {a, b}); }
IntExpr operator-(const IntExpr& a) { return integer(Kind::negate, {a}); }
IntExpr operator*(const IntExpr& a, const IntExpr& b) { return integer(Kind::multiply, {a, b}); }
IntExpr operator/(const IntExpr& a, const IntExpr& b) { return integer(Kind::divide, {a, b}); }
IntExpr operator%(const IntExpr& a, const IntExpr& b) { return integer(Kind::modulo, {a, b}); }
IntExpr pow(const IntExpr& base, const IntExpr& exponent) { return integer(Kind::power, {base, exponent}); }
IntExpr abs(const IntExpr& a) { return integer(Kind::absolute, {a}); }
IntExpr min(const IntExpr& a, const IntExpr& b) { return integer(Kind::minimum, {a, b}); }
IntExpr max(const IntExpr& a, const IntExpr& b) { return integer(Kind::maximum, {a, b}); }
IntExpr min(const IntExprs& all) { return extremum(Kind::minimum, all); }
IntExpr max(const IntExprs& all) { return extremum(Kind::maximum, all); }
IntExpr sum(const IntExprs& all) { return integer(Kind::sum, all); }
IntExpr element(const IntExprs& array, const IntExpr& index) {
    return over_array(Kind::element, index, array);
}
IntExpr count(const IntExprs& array, const IntExpr& value) { return over_array(Kind::count, value, array); }

IntExpr if_then_else(const BoolExpr& condition, const IntExpr& then, const IntExpr& otherwise) {
    return integer(Kind::choose, {condition, then, otherwise});
}

BoolExpr if_then_else(const BoolExpr& condition, const BoolExpr& then, const BoolExpr& otherwise) {
    return implies(condition, then) && (condition || otherwise);
}

BoolExpr operator==(const IntExpr& a, const IntExpr& b) { return compare(Kind::equal, a, b); }
BoolExpr operator!=(const IntExpr& a, const IntExpr& b) { return compare(Kind::different, a, b); }
BoolExpr operator<(const IntExpr& a, const IntExpr& b) { return compare(Kind::less, a, b); }
BoolExpr operator<=(const IntExpr& a, const IntExpr& b) { return compare(Kind::at_most, a, b); }
BoolExpr operator>(const IntExpr& a, const IntExpr& b) { return compare(Kind::less, b, a); }
BoolExpr operator>=(const IntExpr& a, const IntExpr& b) { return compare(Kind::at_most, b, a); }

BoolExpr operator&&(const BoolExpr& a, const BoolExpr& b) { return connect(Kind::conjunction, {a, b}); }
BoolExpr operator||(const BoolExpr& a, const BoolExpr& b) { return connect(Kind::disjunction, {a, b}); }
BoolExpr operator!(const BoolExpr& a) { return connect(Kind::negation, {a}); }
BoolExpr all_of(const BoolExprs& all) { return connect(Kind::conjunction, all); }
BoolExpr any_of(const BoolExprs& all) { return connect(Kind::disjunction, all); }
BoolExpr implies(const BoolExpr& a, const BoolExpr& b) { return !a || b; }
BoolExpr iff(const BoolExpr& a, const BoolExpr& b) { return connect(Kind::equivalent, {a, b}); }
BoolExpr xor_(const BoolExpr& a, const BoolExpr& b) { return connect(Kind::exclusive, {a, b}); }

BoolExpr member(const IntExpr& a, const Domain& set) {
    return BoolExpr(Expression{.kind = Kind::member, .parts = {a.tree()}, .set = set});
}

BoolExpr table(const IntExprs& columns, const std::vector<std::vector<Value>>& rows) {
    Expression tree{.kind = Kind::table, .parts = trees(columns)};
    tree.value = rows.empty() ? 0 : 1;  // tells the empty table from rows without columns
    for (const auto& row : rows) {
        if (row.size() != columns.size()) {
            throw Error(
                fmt::format("a row of a table has {} values for {} columns", row.size(), columns.size()),
                "give every row one value for each column");
        }
        tree.rows.insert(tree.rows.end(), row.begin(), row.end());
    }
    return BoolExpr(std::move(tree));
}

BoolExpr all_different(const IntExprs& all) { return BoolExpr(Expression{Kind::all_different, trees(all)}); }

}  // namespace zermelo::model
