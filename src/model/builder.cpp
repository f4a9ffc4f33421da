#include "model/builder.hpp"

#include <fmt/format.h>

namespace zermelo::model {

void ModelBuilder::rule(const BoolExpr& rule) {
    if (source_.blocks.empty()) {
        throw Error("a rule stands before the first block", "declare the variables that it binds first");
    }
    source_.blocks.back().rules.push_back(rule);
}

void ModelBuilder::maximise(const IntExpr& objective) {
    if (source_.objective)
        throw Error("the model has two objectives", "maximise one expression, for example a weighted sum");
    source_.objective = objective;
}

void ModelBuilder::check(Role role, const std::string& name, const Domain& domain) const {
    if (names_.contains(name)) {
        throw Error(fmt::format("variable {} is declared twice", name), "give it another name");
    }
    if (domain.empty()) {
        throw Error(fmt::format("variable {} has an empty domain", name), "give it at least one value");
    }
    if (domain.low() < -largest_value || domain.high() > largest_value) {
        throw Error(
            fmt::format("the domain {} of variable {} goes beyond ±{}", domain.text(), name, largest_value),
            "use smaller values");
    }
    check_place(role, name);
}

void ModelBuilder::check_place(Role role, const std::string& name) const {
    if (role == Role::also && source_.blocks.empty()) {
        throw Error(fmt::format("variable {} belongs to no block", name), "open one with exists or forall");
    }
    const bool strategic = role == Role::state || role == Role::forall_consistent;
    if (strategic ? ordinary_forall_ : role == Role::forall && source_.strategic) {
        throw Error(fmt::format("variable {} mixes an ordinary forall with a strategic model", name),
                    "use forall_consistent");
    }
}

void ModelBuilder::open(Role role) {
    if (role == Role::state || role == Role::forall_consistent) source_.strategic = true;
    if (role == Role::forall) ordinary_forall_ = true;
    if (role == Role::state || role == Role::also) return;
    source_.blocks.push_back({role == Role::exists ? Quantifier::exists : Quantifier::forall, {}, {}});
}

VarId ModelBuilder::add(Role role, const std::string& name, const Domain& domain) {
    const auto id = static_cast<VarId>(source_.variables.size());
    names_.insert(name);
    source_.variables.push_back({name, domain});
    (role == Role::state ? source_.state : source_.blocks.back().variables).push_back(id);
    return id;
}

IntExpr ModelBuilder::declare(const std::string& name, const Domain& domain) {
    check(Role::exists, name, domain);
    const auto id = static_cast<VarId>(source_.variables.size());
    names_.insert(name);
    source_.variables.push_back({name, domain});
    loose_.insert(id);
    return IntExpr(Expression{.kind = Expression::Kind::variable, .variable = id});
}

void ModelBuilder::take(Role role, const IntExprs& declared) {
    if (declared.empty()) throw Error("a block has no variables", "name at least one");
    for (const IntExpr& each : declared) {
        const Expression& tree = *each.tree();
        if (tree.kind != Expression::Kind::variable)
            throw Error("a block takes an expression", "give it variables that were declared");
        if (!loose_.contains(tree.variable))
            throw Error("a block takes a variable that has a place already",
                        "give every declared variable one place");
        check_place(role, source_.variables[static_cast<std::size_t>(tree.variable)].name);
    }
    open(role);
    for (const IntExpr& each : declared) {
        const VarId id = each.tree()->variable;
        if (loose_.erase(id) == 0)
            throw Error(fmt::format("a block names variable {} twice", source_.variables[id].name),
                        "name it once");
        (role == Role::state ? source_.state : source_.blocks.back().variables).push_back(id);
        if (role != Role::state) source_.outputs.push_back({source_.variables[id].name, {id}, false, {}});
    }
}

Model ModelBuilder::build() const {
    if (!loose_.empty())
        throw Error(fmt::format("variable {} is in no block", source_.variables[*loose_.begin()].name),
                    "say who chooses it, or that it is a state variable");
    return flatten(source_);
}

IntExpr ModelBuilder::one(Role role, const std::string& name, const Domain& domain) {
    check(role, name, domain);
    open(role);
    const VarId id = add(role, name, domain);
    if (role != Role::state) source_.outputs.push_back({name, {id}, false, {}});
    return IntExpr(Expression{.kind = Expression::Kind::variable, .variable = id});
}

IntExprs ModelBuilder::many(Role role, const std::string& name, int count, const Domain& domain) {
    if (count < 1) throw Error(fmt::format("array {} has no variables", name), "give it at least one");
    check(role, name, domain);
    for (int i = 1; i <= count; ++i) check(role, fmt::format("{}[{}]", name, i), domain);
    open(role);
    IntExprs array;
    Output output{name, {}, true, {Domain(1, count)}};
    for (int i = 1; i <= count; ++i) {
        output.variables.push_back(add(role, fmt::format("{}[{}]", name, i), domain));
        array.push_back(
            IntExpr(Expression{.kind = Expression::Kind::variable, .variable = output.variables.back()}));
    }
    names_.insert(name);
    if (role != Role::state) source_.outputs.push_back(std::move(output));
    return array;
}

}  // namespace zermelo::model
