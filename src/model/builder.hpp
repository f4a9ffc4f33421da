// ModelBuilder: a quantified model in C++ that reads like the mathematics of seed 000, section 2.
//
//     ModelBuilder game("nim");
//     const auto x1 = game.exists("x1", 1, n - 1);
//     const auto y1 = game.forall("y1", 1, n - 1);
//     game.rule(y1 <= 2 * x1 && x1 + y1 <= n);
//     game.win(false);
//     const Model model = game.build();
//
// `exists` and `forall` open a block, `also` widens the latest one, `rule` binds whoever plays it. What was
// said stays readable in `source()`; `build` flattens it. A variable has the same number in the source and in
// the model.

#pragma once

#include <set>
#include <string>

#include "model/expression.hpp"
#include "model/model.hpp"

namespace zermelo {

// What the modeller said, before it is flattened.
struct Source {
    struct Group {  // becomes a Block
        Quantifier quantifier;
        std::vector<VarId> variables;
        BoolExprs rules;  // all of them hold
    };
    struct Shortcut {  // becomes a Cut
        BoolExprs when;
        BoolExpr claim;
    };

    std::string name;
    std::vector<Variable> variables;
    std::vector<Group> blocks;
    BoolExprs win;      // the winning condition is all of `win` ...
    BoolExprs require;  // ... and all of `require`
    std::vector<Shortcut> cuts;
    std::optional<IntExpr> objective;
    std::vector<Output> outputs;
};

class ModelBuilder {
public:
    explicit ModelBuilder(std::string name = "") { source_.name = std::move(name); }

    IntExpr exists(const std::string& name, const Domain& domain) {
        return one(Quantifier::exists, name, domain);
    }
    IntExpr forall(const std::string& name, const Domain& domain) {
        return one(Quantifier::forall, name, domain);
    }
    IntExpr also(const std::string& name, const Domain& domain) { return one(std::nullopt, name, domain); }
    // name[1] … name[count], in one block.
    IntExprs exists(const std::string& name, int count, const Domain& domain) {
        return many(Quantifier::exists, name, count, domain);
    }
    IntExprs forall(const std::string& name, int count, const Domain& domain) {
        return many(Quantifier::forall, name, count, domain);
    }
    IntExprs also(const std::string& name, int count, const Domain& domain) {
        return many(std::nullopt, name, count, domain);
    }
    // The same for the domain low … high.
    IntExpr exists(const std::string& name, Value low, Value high) { return exists(name, Domain(low, high)); }
    IntExpr forall(const std::string& name, Value low, Value high) { return forall(name, Domain(low, high)); }
    IntExpr also(const std::string& name, Value low, Value high) { return also(name, Domain(low, high)); }
    IntExprs exists(const std::string& name, int count, Value low, Value high) {
        return exists(name, count, Domain(low, high));
    }
    IntExprs forall(const std::string& name, int count, Value low, Value high) {
        return forall(name, count, Domain(low, high));
    }
    IntExprs also(const std::string& name, int count, Value low, Value high) {
        return also(name, count, Domain(low, high));
    }

    void rule(const BoolExpr& rule);  // of the latest block; several are conjoined
    void win(const BoolExpr& condition) { source_.win.push_back(condition); }
    // Part of the winning condition as well. Where no rule binds ∀ it is posted as a constraint of its own,
    // which propagates more than a literal; with such a rule a lost condition may not end the play, and it is
    // a literal.
    void require(const BoolExpr& condition) { source_.require.push_back(condition); }
    // Seed 000, section 5: when all of `when` hold and `claim` does not, the current subproblem is won.
    void cut(const BoolExprs& when, const BoolExpr& claim) { source_.cuts.push_back({when, claim}); }
    void maximise(const IntExpr& objective);

    [[nodiscard]] const Source& source() const { return source_; }
    [[nodiscard]] Model build() const;

private:
    // Without a quantifier the variables join the latest block.
    IntExpr one(std::optional<Quantifier> opens, const std::string& name, const Domain& domain);
    IntExprs many(std::optional<Quantifier> opens, const std::string& name, int count, const Domain& domain);
    void check(std::optional<Quantifier> opens, const std::string& name, const Domain& domain) const;
    VarId add(const std::string& name, const Domain& domain);

    Source source_;
    std::set<std::string> names_;
};

}  // namespace zermelo
