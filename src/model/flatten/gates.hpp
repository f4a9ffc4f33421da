// Gates: the Tseitin form of expressions (Tseitin 1968), as variables and constraints of a model.
//
// An integer becomes a linear form over variables, so that whatever is linear ends up in one Linear; a
// Boolean becomes a literal, so that negation costs nothing.

#pragma once

#include <map>
#include <vector>

#include "model/expression.hpp"
#include "model/model.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::model {

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

// Tseitin variables in a model, each a function of others.
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
