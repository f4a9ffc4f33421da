// Shapes: the parts of a model in one uniform form, for finding and checking its symmetries.
//
// Whatever its form, a constraint is a label and some groups, and a group is a label and some operands whose
// order does not matter. So are the rules, the literals of the winning condition, the cuts and the
// objective. A renaming of operands maps a model onto itself when it maps its shapes onto its shapes.
//
// An operand is a variable, the negation of one, or one value of a variable. Values have to be told apart
// only where a renaming may exchange them (Exchange, in model_symmetry.hpp); every other variable keeps its
// values.

#pragma once

#include <compare>
#include <vector>

#include "symmetry/model_symmetry.hpp"

namespace zermelo::symmetry {

struct Operand {
    enum class Kind : std::uint8_t { variable, negation, value };
    model::VarId variable;
    Kind kind = Kind::variable;
    model::Value value = 0;  // of Kind::value
    friend auto operator<=>(const Operand&, const Operand&) = default;
};

using Label = std::vector<model::Value>;

struct Group {
    Label label;
    std::vector<Operand> operands;  // sorted, none twice
    friend auto operator<=>(const Group&, const Group&) = default;
};

struct Shape {
    Label label;
    std::vector<Group> groups;  // sorted
    friend auto operator<=>(const Shape&, const Shape&) = default;

    void sort();
};

struct Shapes {
    std::vector<bool> exchangeable;  // by variable: a renaming may exchange its values
    std::vector<Shape>
        all;  // the constraints in their order, then rules, winning condition, cuts and objective
};

[[nodiscard]] Shapes shapes_of(const model::Model& model, const model::Structure& structure,
                               Exchange exchange);

}  // namespace zermelo::symmetry
