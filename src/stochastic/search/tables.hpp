// Extensional form: the constraints of a model as tables over decisions and chance variables alone.
//
// A formula is a hard constraint or a variable, with the definitions that lead from the turns of the play to
// it. Small ones are expanded into a table over all values of their turns; of the others the formula itself
// is evaluated. Only forward checking reads constraints in this way; Gecode and the checker have their own.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stochastic/model.hpp"

namespace zermelo::stochastic {

struct Formula {
    std::vector<int> turns;        // that it depends on: ascending indices into the order
    std::vector<int> definitions;  // constraints to be computed on the way, inputs first
    int constraint = -1;           // its truth is asked for, or
    model::VarId variable = -1;    // its value
};

class Reading {
public:
    explicit Reading(const StochasticModel& model);  // which must outlive it

    [[nodiscard]] Formula of_constraint(int constraint) const;
    [[nodiscard]] Formula of_variable(model::VarId variable) const;

    // By the values of its turns, in their order. Nothing where a definition has no value there; then a hard
    // constraint is broken anyway.
    [[nodiscard]] std::optional<model::Value> value(const Formula& formula,
                                                    const std::vector<model::Value>& at) const;

    [[nodiscard]] const std::vector<model::Value>& values(int turn) const {
        return values_[static_cast<std::size_t>(turn)];
    }
    // Entries of the table over all values of the turns; nothing when they are too many to be written out.
    [[nodiscard]] std::optional<std::size_t> entries(const Formula& formula) const;
    // The values of the formula one after the other, the last turn varying fastest.
    [[nodiscard]] std::vector<std::optional<model::Value>> table(const Formula& formula) const;

private:
    void close(Formula& formula, std::vector<model::VarId> open) const;

    const StochasticModel& m_;
    std::vector<int> turn_of_;                       // by variable
    std::vector<std::vector<model::Value>> values_;  // by turn
    mutable std::vector<model::Value> scratch_;      // by variable
};

}  // namespace zermelo::stochastic
