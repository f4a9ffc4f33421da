// Program: a model prepared for solving. Made once, shared by every position of a search.
//
// It holds what never changes while the search runs: the structure of the model, the order of the variables,
// which variables Gecode keeps as Booleans, and the *cone of influence*: the constraints that the verdict can
// depend on, users before inputs. Constraints outside the cone define values that nothing reads; they are not
// posted.

#pragma once

#include "model/structure.hpp"

namespace zermelo::kernel {

struct Program {
    explicit Program(const model::Model& model);

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
        return model.constraints[static_cast<std::size_t>(c)];
    }

private:
    void sort_by_block();
};

}  // namespace zermelo::kernel
