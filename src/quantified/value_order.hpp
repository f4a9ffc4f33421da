// Value and variable ordering: in which sequence the search tries the values of a variable and the variables
// of a block. `history` is the history heuristic (Schaeffer 1983).

#pragma once

#include "core/random.hpp"
#include "kernel/position.hpp"
#include "quantified/solve.hpp"

namespace zermelo::quantified {

class Ordering {
public:
    Ordering(const kernel::Program& program, const SolveOptions& options);

    [[nodiscard]] std::vector<model::Value> values(model::VarId variable);

    // The next variable of block `b` among those for which `played` is false; -1 when all are played.
    [[nodiscard]] model::VarId next(const kernel::Position& position, int b,
                                    const std::vector<bool>& played) const;

    // This value closed a branch: it won for ∃, or refuted for ∀.
    void reward(model::VarId variable, model::Value value);

private:
    [[nodiscard]] std::vector<model::Value> fixed_order(model::VarId variable) const;

    const kernel::Program& program_;
    const SolveOptions& options_;
    Random random_;
    std::vector<std::vector<model::Value>> fixed_;  // by variable; empty until it is asked for
    std::vector<std::vector<std::uint32_t>>
        score_;                // by variable and value from the least; empty without history
    std::vector<int> degree_;  // by variable
};

}  // namespace zermelo::quantified
