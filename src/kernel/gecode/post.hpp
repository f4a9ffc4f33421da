// Posting: translates the constraint forms of a model into propagators of a Gecode space.

#pragma once

#include <gecode/int.hh>

#include <functional>
#include <map>
#include <variant>

#include "model/constraint.hpp"

namespace zermelo::kernel::gecode {

[[nodiscard]] Gecode::IntVar make_variable(Gecode::Space& home, const model::Domain& domain,
                                           const std::string& name);

class Poster {
public:
    // What a model variable is in the space: a constant, an integer or a Boolean.
    using Operand = std::variant<int, Gecode::IntVar, Gecode::BoolVar>;

    Poster(Gecode::Space& home, std::function<Operand(model::VarId)> operand)
        : home_(home), operand_(std::move(operand)) {}

    // Throws Error at the constraint's place where Gecode cannot take it, for instance for an overflow.
    void post(const model::Constraint& constraint);

private:
    friend struct PostForm;

    [[nodiscard]] Gecode::IntVar integer(model::VarId v);  // Booleans are channelled once
    [[nodiscard]] Gecode::BoolVar boolean(model::VarId v);
    [[nodiscard]] Gecode::IntVarArgs integers(const std::vector<model::VarId>& variables);
    [[nodiscard]] bool is_constant(model::VarId v) const { return std::holds_alternative<int>(operand_(v)); }
    [[nodiscard]] bool is_boolean(model::VarId v) const {
        return std::holds_alternative<Gecode::BoolVar>(operand_(v));
    }

    Gecode::Space& home_;
    std::function<Operand(model::VarId)> operand_;
    std::map<model::VarId, Gecode::IntVar> channelled_;
};

}  // namespace zermelo::kernel::gecode
