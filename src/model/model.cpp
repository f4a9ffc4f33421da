#include "model/model.hpp"

#include <map>

namespace zermelo::model {

std::optional<Literal> reified_by(const Constraint& constraint) {
    return std::visit(
        [](const auto& body) -> std::optional<Literal> {
            if constexpr (requires { body.reified; }) {
                return body.reified;
            } else {
                return std::nullopt;
            }
        },
        constraint.body);
}

VarId Model::add_variable(std::string variable_name, Domain domain, bool boolean) {
    variables.push_back(
        {std::move(variable_name), std::move(domain), boolean, {}, Preference::none, nullptr});
    return static_cast<VarId>(variables.size()) - 1;
}

VarId Model::constant(Value value) {
    const auto [at, added] = constants_.try_emplace(value, static_cast<VarId>(variables.size()));
    if (added) add_variable(std::to_string(value), Domain(value, value), value == 0 || value == 1);
    return at->second;
}

std::string Model::value_text(VarId v, Value value) const {
    const auto& names = variables[static_cast<std::size_t>(v)].value_names;
    const bool named = names != nullptr && value >= 1 && value <= static_cast<Value>(names->size());
    return named ? (*names)[static_cast<std::size_t>(value - 1)] : std::to_string(value);
}

bool Model::has_universal_rules() const {
    return std::any_of(prefix.begin(), prefix.end(), [](const Block& block) {
        return block.quantifier == Quantifier::forall && block.rule.has_value();
    });
}

Linear make_linear(const Model& model, std::vector<Term> terms, Relation relation, Value constant,
                   std::optional<Literal> reified, const Place& place) {
    const auto overflow = [&] {
        return Error(place, "a linear sum leaves the range of 64-bit integers",
                     "use smaller coefficients or smaller domains");
    };
    std::map<VarId, Value> coefficients;
    for (const Term& term : terms) {
        const Domain& domain = model.domain(term.variable);
        if (domain.single()) {
            Value product = 0;
            if (__builtin_mul_overflow(term.coefficient, domain.low(), &product) ||
                __builtin_sub_overflow(constant, product, &constant)) {
                throw overflow();
            }
        } else if (__builtin_add_overflow(coefficients[term.variable], term.coefficient,
                                          &coefficients[term.variable])) {
            throw overflow();
        }
    }
    Linear linear{{}, relation, constant, reified};
    Value magnitude = constant;
    if (constant < 0 && __builtin_sub_overflow(Value{0}, constant, &magnitude)) throw overflow();
    for (const auto& [variable, coefficient] : coefficients) {
        if (coefficient == 0) continue;
        const Domain& domain = model.domain(variable);
        const Value extreme = std::max(std::abs(domain.low()), std::abs(domain.high()));
        Value reach = 0;
        if (__builtin_mul_overflow(coefficient, extreme, &reach) ||
            __builtin_add_overflow(magnitude, std::abs(reach), &magnitude)) {
            throw overflow();
        }
        linear.terms.push_back({coefficient, variable});
    }
    return linear;
}

}  // namespace zermelo::model
