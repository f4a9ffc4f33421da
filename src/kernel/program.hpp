// Program: a model prepared for solving. Made once, shared by every position of a search.
//
// It holds what never changes while the search runs: the structure of the model, the order of the variables,
// which variables Gecode keeps as Booleans, and the *cone of influence*: the constraints that the verdict can
// depend on, users before inputs. Constraints outside the cone define values that nothing reads; they are not
// posted.
//
// *Half-reification* (Plaisted and Greenbaum 1986; Feydy, Somogyi and Stuckey 2011): a rule is demanded or
// found to be false, and nobody asks for more. Where the literal of a rule or of the winning condition is a
// conjunction of clauses that nothing else reads, only "literal → clause" is kept, for each clause, and the
// literals of the single clauses disappear. A clause that holds then costs nothing. That the rule is true is
// not propagated any more; `entailed` looks for it.

#pragma once

#include <algorithm>
#include <memory>

#include "model/structure.hpp"

namespace zermelo::kernel {

struct Program {
    enum class Rules : std::uint8_t { reified, half_reified };
    explicit Program(const model::Model& model, Rules rules = Rules::reified);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    const model::Model& model;
    model::Structure structure;
    std::vector<model::VarId> moves;  // the variables of the prefix, in order
    std::vector<int> first_move;      // by block: index into moves; one more entry for the end
    std::vector<bool> watched;        // by variable: ∀ without a rule, so losing a value is losing the game
    std::vector<bool> held_as_boolean;  // by variable
    std::vector<int> cone;              // constraint indices: the winning ones, then definitions, inputs last
    std::vector<bool> used;  // by variable: a move, demanded itself, or in a constraint of the cone
    std::vector<std::vector<model::VarId>>
        variables_of;        // by constraint of the cone: its variables, constants left out
    std::vector<int> guard;  // by block: the next ∀ block with a rule at or after it, or blocks()

    // Half-reified constraints. The literal is the premise: its negation is part of the constraint.
    std::vector<std::optional<model::Literal>> premise;  // by constraint
    std::vector<std::vector<int>> consequences;          // by variable: the constraints with this premise

    // Of a strategic model, in the cone's order: the constraints that act from the start, and by block those
    // that wait for it; and the literals of the winning condition likewise.
    std::vector<int> from_the_start;
    std::vector<std::vector<int>> due_at;
    std::vector<std::vector<model::Literal>>
        demanded_at;  // by block; those without a move stand in the first

    std::vector<int> cut_level;              // by cut: the last block that it depends on
    std::vector<std::vector<int>> cut_cone;  // by cut: the definitions that its literals are made of

    [[nodiscard]] int blocks() const { return static_cast<int>(structure.prefix.size()); }
    [[nodiscard]] const model::Block& block(int b) const {
        return structure.prefix[static_cast<std::size_t>(b)];
    }
    [[nodiscard]] const model::Domain& domain(model::VarId v) const {
        return structure.domain[static_cast<std::size_t>(v)];
    }
    [[nodiscard]] const model::Constraint& constraint(int c) const {
        const auto& own = replaced_[static_cast<std::size_t>(c)];
        return own ? *own : model.constraints[static_cast<std::size_t>(c)];
    }

private:
    void sort_by_block();
    void half_reify();

    std::vector<std::unique_ptr<model::Constraint>> replaced_;  // by constraint
};

// Does the literal of a condition hold, whatever follows?
template <class Position>
[[nodiscard]] bool entailed(const Program& program, const Position& position, model::Literal literal) {
    if (position.is_true(literal)) return true;
    const auto& consequences = program.consequences[static_cast<std::size_t>(literal.variable)];
    if (consequences.empty() || position.is_false(literal)) return false;
    const auto holds = [&](int c) {
        const auto& body = program.constraint(c).body;
        if (const auto* clause = std::get_if<model::Clause>(&body)) {
            return std::any_of(clause->literals.begin(), clause->literals.end(),
                               [&](model::Literal l) { return position.is_true(l); });
        }
        const auto& sum = std::get<model::Linear>(body);
        model::Value greatest = 0;
        for (const model::Term& term : sum.terms) {
            const auto x = position.bounds(term.variable);
            greatest += std::max(term.coefficient * x.low, term.coefficient * x.high);
        }
        return greatest <= sum.constant;
    };
    return std::all_of(consequences.begin(), consequences.end(), holds);
}

}  // namespace zermelo::kernel
