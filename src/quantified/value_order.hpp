// Value and variable ordering: in which sequence the search tries the values of a variable and the variables
// of a block. `history` is the history heuristic (Schaeffer 1983); `impact` looks one move ahead, see
// Search::look_ahead.

#pragma once

#include "core/random.hpp"
#include "kernel/kernel.hpp"
#include "kernel/program.hpp"
#include "quantified/solve.hpp"

namespace zermelo::quantified {

class Ordering {
public:
    Ordering(const kernel::Program& program, const SolveOptions& options);

    // All values of the declared domain, in the order in which to try them.
    void values(model::VarId variable, std::vector<model::Value>& values);

    // The next variable of block `b` among those for which `played` is false; -1 when all are played.
    template <kernel::PositionView Position>
    [[nodiscard]] model::VarId next(const Position& position, int b, const std::vector<bool>& played) const;

    // Are the values, of which so many are left, ordered by looking ahead? Each of them costs a propagation.
    [[nodiscard]] bool looks_ahead(model::VarId variable, std::ptrdiff_t left) const {
        constexpr std::ptrdiff_t most = 16;
        return left > 1 && left <= most &&
               (options_.values == ValueOrder::impact ||
                (options_.values == ValueOrder::history &&
                 program_.model.variables[variable].preference == model::Preference::impact));
    }

    // This value closed a branch: it won for ∃, or refuted for ∀.
    void reward(model::VarId variable, model::Value value);

private:
    [[nodiscard]] std::vector<model::Value> first_order(model::VarId variable) const;

    const kernel::Program& program_;
    const SolveOptions& options_;
    Random random_;
    std::vector<std::vector<model::Value>>
        order_;                                   // by variable, the best first; empty until it is asked for
    std::vector<std::vector<std::size_t>> rank_;  // by variable and value from the least: in the first order
    std::vector<std::vector<std::uint32_t>>
        score_;                // by variable and value from the least; empty without history
    std::vector<int> degree_;  // by variable
};

// ---------------------------------------------------------------------------------------------------------

template <kernel::PositionView Position>
model::VarId Ordering::next(const Position& position, int b, const std::vector<bool>& played) const {
    model::VarId best = -1;
    for (const model::VarId v : program_.block(b).variables) {
        if (played[v]) continue;
        // A strategic strategy names the moves in the order of the prefix.
        if (options_.variables == VariableOrder::input || program_.model.strategic) return v;
        const bool better = best < 0 || (options_.variables == VariableOrder::smallest_domain
                                             ? position.size(v) < position.size(best)
                                             : degree_[v] > degree_[best]);
        if (better) best = v;
    }
    return best;
}

}  // namespace zermelo::quantified
