// Constraint calls of FlatZinc: translates each into one or a few of the forms of constraint.hpp.

#pragma once

#include <unordered_map>

#include "model/flatten/gates.hpp"
#include "model/flatzinc/syntax.hpp"
#include "model/simplify/fold.hpp"

namespace zermelo::model::flatzinc {

class Calls {
public:
    // `variable_of` says by index into program.variables which variable of the model stands for it; it may
    // name the Boolean that an integer was found to be the same as.
    Calls(const Program& program, Model& model, const std::vector<VarId>& variable_of)
        : program_(program), model_(model), variable_of_(variable_of), fold_(model) {}

    void translate(const Call& call);

    // ---- the arguments of a call, checked; errors stand at the argument

    [[nodiscard]] VarId integer(std::size_t i);
    [[nodiscard]] VarId boolean(std::size_t i);
    [[nodiscard]] Literal literal(std::size_t i) { return {boolean(i)}; }
    [[nodiscard]] Value number(std::size_t i) const;
    [[nodiscard]] const Domain& set(std::size_t i) const;
    [[nodiscard]] const std::vector<Domain>& sets(std::size_t i) const;
    [[nodiscard]] std::vector<VarId> integers(std::size_t i);
    [[nodiscard]] std::vector<VarId> booleans(std::size_t i);
    [[nodiscard]] std::vector<Literal> literals(std::size_t i, bool positive = true);
    [[nodiscard]] std::vector<Value> numbers(std::size_t i, Atom::Kind kind = Atom::Kind::integer) const;
    [[nodiscard]] std::size_t count() const { return call_->arguments.size(); }

    [[nodiscard]] Model& model() { return model_; }
    [[nodiscard]] Fold& fold() { return fold_; }
    [[nodiscard]] VarId variable(const Atom& atom, const Origin& origin);
    [[nodiscard]] const std::vector<Atom>& atoms(std::size_t i) const;
    // Points at a call, so that its arguments can be read.
    void look_at(const Call& call);
    void expect_count(std::size_t least, std::size_t most) const;
    [[noreturn]] void fail(std::size_t argument, const std::string& expected) const;
    [[noreturn]] void fail(const std::string& problem, const std::string& remedy = "") const;

private:
    [[nodiscard]] const Atom& atom(std::size_t i) const;
    [[nodiscard]] Origin origin(std::size_t i) const { return {call_->arguments[i].at, call_->origin.path}; }
    [[nodiscard]] bool is(const Atom& atom, bool boolean) const;
    [[nodiscard]] std::vector<VarId> list(std::size_t i, bool boolean);
    [[nodiscard]] Global global(const std::string& name, std::size_t arguments);
    void reified_global(const std::string& name);

    const Program& program_;
    Model& model_;
    const std::vector<VarId>& variable_of_;
    Fold fold_;
    flat::Gates gates_{model_};
    const Call* call_ = nullptr;
    std::unordered_map<const List*, std::vector<VarId>> long_lists_;  // large arrays are looked up once
};

}  // namespace zermelo::model::flatzinc
