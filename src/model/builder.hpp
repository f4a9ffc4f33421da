// Model builder: a QCSP+ (Benedetti, Lallouet and Vautard 2007) written in C++ as one would on paper.
//
//     ModelBuilder game("nim");
//     const auto x1 = game.exists("x1", 1, n - 1);
//     const auto y1 = game.forall("y1", 1, n - 1);
//     game.rule(y1 <= 2 * x1 && x1 + y1 <= n);
//     game.win(false);
//     const Model model = game.build();
//
// `exists` and `forall` open a block, `also` adds a variable to the latest one, `rule` restricts whoever
// plays it. `source()` keeps the expressions as they were written; `build` flattens them into the constraint
// forms of constraint.hpp. A variable has the same number in the source and in the model.
//
// `declare` names a variable that a block takes later, so that what is said before can speak of it:
//
//     const auto y = game.declare("y", 1, 3);
//     game.forall({y});
//
// `state` and `forall_consistent` make the model a strategic CSP (Bessiere and Verger 2006; see model.hpp).
// Then `require` and `win` mean the same: each condition is one constraint, and it acts as soon as the last
// block that it mentions is played.

#pragma once

#include <set>
#include <string>

#include "model/expression.hpp"
#include "model/model.hpp"

namespace zermelo::model {

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
    bool strategic = false;
    std::vector<VarId> state;  // the state variables of a strategic model
    std::vector<Shortcut> cuts;
    std::optional<IntExpr> objective;
    std::vector<Output> outputs;
};

[[nodiscard]] Model flatten(const Source& source);

class ModelBuilder {
public:
    explicit ModelBuilder(std::string name = "") { source_.name = std::move(name); }

    IntExpr exists(const std::string& name, const Domain& domain) { return one(Role::exists, name, domain); }
    IntExpr forall(const std::string& name, const Domain& domain) { return one(Role::forall, name, domain); }
    IntExpr also(const std::string& name, const Domain& domain) { return one(Role::also, name, domain); }
    // Only the values that are consistent with what is known by then: the ∀° of Bessiere and Verger (2006).
    IntExpr forall_consistent(const std::string& name, const Domain& domain) {
        return one(Role::forall_consistent, name, domain);
    }
    // Nobody chooses it. It may be declared before, between and after the blocks.
    IntExpr state(const std::string& name, const Domain& domain) { return one(Role::state, name, domain); }
    // name[1] … name[count], in one block.
    IntExprs exists(const std::string& name, int count, const Domain& domain) {
        return many(Role::exists, name, count, domain);
    }
    IntExprs forall(const std::string& name, int count, const Domain& domain) {
        return many(Role::forall, name, count, domain);
    }
    IntExprs also(const std::string& name, int count, const Domain& domain) {
        return many(Role::also, name, count, domain);
    }
    IntExprs forall_consistent(const std::string& name, int count, const Domain& domain) {
        return many(Role::forall_consistent, name, count, domain);
    }
    IntExprs state(const std::string& name, int count, const Domain& domain) {
        return many(Role::state, name, count, domain);
    }
    // The same for the domain low … high.
    IntExpr exists(const std::string& name, Value low, Value high) { return exists(name, Domain(low, high)); }
    IntExpr forall(const std::string& name, Value low, Value high) { return forall(name, Domain(low, high)); }
    IntExpr also(const std::string& name, Value low, Value high) { return also(name, Domain(low, high)); }
    IntExpr forall_consistent(const std::string& name, Value low, Value high) {
        return forall_consistent(name, Domain(low, high));
    }
    IntExpr state(const std::string& name, Value low, Value high) { return state(name, Domain(low, high)); }
    IntExprs exists(const std::string& name, int count, Value low, Value high) {
        return exists(name, count, Domain(low, high));
    }
    IntExprs forall(const std::string& name, int count, Value low, Value high) {
        return forall(name, count, Domain(low, high));
    }
    IntExprs also(const std::string& name, int count, Value low, Value high) {
        return also(name, count, Domain(low, high));
    }
    IntExprs forall_consistent(const std::string& name, int count, Value low, Value high) {
        return forall_consistent(name, count, Domain(low, high));
    }
    IntExprs state(const std::string& name, int count, Value low, Value high) {
        return state(name, count, Domain(low, high));
    }

    // A variable of no block yet. Every one must be taken by one.
    IntExpr declare(const std::string& name, const Domain& domain);
    void exists(const IntExprs& declared) { take(Role::exists, declared); }
    void forall(const IntExprs& declared) { take(Role::forall, declared); }
    void forall_consistent(const IntExprs& declared) { take(Role::forall_consistent, declared); }
    void also(const IntExprs& declared) { take(Role::also, declared); }
    void state(const IntExprs& declared) { take(Role::state, declared); }

    void rule(const BoolExpr& rule);  // of the latest block; several are conjoined
    void win(const BoolExpr& condition) { source_.win.push_back(condition); }
    // Part of the winning condition as well. Where no rule binds ∀ it is posted as a constraint of its own,
    // which propagates more than a literal; with such a rule a lost condition may not end the play, and it is
    // a literal.
    void require(const BoolExpr& condition) { source_.require.push_back(condition); }
    // The cut of Barichard and Stéphan (2017, section 5): when all of `when` hold and `claim` does not, the current subproblem is won.
    void cut(const BoolExprs& when, const BoolExpr& claim) { source_.cuts.push_back({when, claim}); }
    void maximise(const IntExpr& objective);

    [[nodiscard]] const Source& source() const { return source_; }
    // Throws Error where a declared variable is in no block, and as flatten() does.
    [[nodiscard]] Model build() const;

private:
    enum class Role { exists, forall, forall_consistent, also, state };

    IntExpr one(Role role, const std::string& name, const Domain& domain);
    IntExprs many(Role role, const std::string& name, int count, const Domain& domain);
    void check(Role role, const std::string& name, const Domain& domain) const;
    void check_place(Role role, const std::string& name) const;
    void open(Role role);
    void take(Role role, const IntExprs& declared);
    VarId add(Role role, const std::string& name, const Domain& domain);

    Source source_;
    std::set<std::string> names_;
    std::set<VarId> loose_;  // declared, and in no block yet
    bool ordinary_forall_ = false;
};

}  // namespace zermelo::model
