// Constant folding: adds constraints to a model after simplifying what constants already decide.
//
// Every constraint that leaves this file mentions only open variables where its form allows it. One that is
// true by its constants vanishes; one that is false becomes the empty clause, because a model that cannot be
// won must still say so.

#pragma once

#include "model/model.hpp"
#include "model/simplify/image.hpp"

namespace zermelo::model {

class Fold {
public:
    explicit Fold(Model& model) : model_(model) {}

    // What the constraints that follow are said to come from; `defines` goes to the first that mentions it.
    void at(Place place, std::optional<VarId> defines) { place_ = std::move(place), defines_ = defines; }

    void demand(bool truth);            // nothing, or a demand that fails
    void require(Literal literal);      // literal
    void equate(Literal a, Literal b);  // a ↔ b
    void linear(std::vector<Term> terms, Relation relation, Value constant,
                std::optional<Literal> reified = {});
    void clause(std::vector<Literal> literals, std::optional<Literal> reified = {});
    void conjunction(std::vector<Literal> literals, Literal result);  // result ↔ all of them
    void parity(std::vector<Literal> literals);
    void member(VarId variable, const Domain& set, std::optional<Literal> reified = {});
    void element(VarId index, std::vector<VarId> array, VarId result);
    void arithmetic(Operation operation, VarId left, VarId right, VarId result);
    void extremum(bool maximum, std::vector<VarId> operands, VarId result);
    void table(std::vector<VarId> variables, std::vector<Value> rows, std::optional<Literal> reified = {});
    void add(decltype(Constraint::body) body);  // as it is
    void define(VarId variable,
                decltype(Constraint::body) body);  // as it is, as the definition of a new variable

    void equal(VarId a, VarId b) { linear({{1, a}, {-1, b}}, Relation::equal, 0); }
    [[nodiscard]] Literal fresh_literal(const std::string& name);
    // A new variable -x.
    [[nodiscard]] VarId negative(VarId x);
    // A new Boolean that is the conjunction; the literal itself where there is only one.
    [[nodiscard]] Literal all_of(std::vector<Literal> literals, const std::string& name);

    // What a constant literal says; nothing for an open one.
    [[nodiscard]] std::optional<bool> known(Literal literal) const;

private:
    [[nodiscard]] std::optional<Value> known(VarId variable) const;
    [[nodiscard]] Interval bounds(VarId v) const { return {model_.domain(v).low(), model_.domain(v).high()}; }
    void settle(bool truth, std::optional<Literal> reified);  // reified ↔ truth

    Model& model_;
    Place place_;
    std::optional<VarId> defines_;
};

}  // namespace zermelo::model
