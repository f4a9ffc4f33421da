// Exact expected values: backward induction and strategy iteration in rationals (expected_values.hpp).

#pragma once

#include "game/chance/expected_values.hpp"

namespace zermelo::game {

// Fills value and choice. False where numbers grow too long, or a component is too hard.
[[nodiscard]] bool find_exact_values(const Graph& graph, const Components& order,
                                     const ExpectedValueOptions& options, ExpectedValues& values);

// One of the two who maximise and minimise the first player's payoff: where interests are shared, everybody
// maximises.
[[nodiscard]] inline bool maximises(const ExpectedValues& values, Player player) {
    return values.interests == Interests::shared || player == 0;
}

// Strategy iteration on one component with cycles.
class ComponentSolver {
public:
    ComponentSolver(const Graph& graph, const Components& order, const ExpectedValueOptions& options,
                    ExpectedValues& values);
    // False where it is too hard.
    [[nodiscard]] bool solve(std::size_t component);

private:
    using Place = std::uint32_t;  // in the component
    [[nodiscard]] bool inside(StateId s) const { return order_.of[s] == component_; }
    [[nodiscard]] Place place(StateId s) const { return place_[s]; }
    [[nodiscard]] StateId after(StateId s) const { return graph_.successors(s)[values_.choice[s]]; }
    [[nodiscard]] double approximate(StateId s) const;
    [[nodiscard]] double backed_up(StateId s) const;
    void guess();
    [[nodiscard]] bool evaluate();
    [[nodiscard]] bool eliminate(const std::vector<StateId>& chances);
    [[nodiscard]] bool switch_moves(bool maximiser);
    [[nodiscard]] bool leave_traps(bool maximiser);
    [[nodiscard]] bool improve();

    const Graph& graph_;
    const Components& order_;
    const ExpectedValueOptions& options_;
    ExpectedValues& values_;
    Rational endless_;
    std::size_t component_ = 0;
    std::span<const StateId> members_;
    std::vector<Place> place_;   // by state
    std::vector<double> guess_;  // by place
    std::uint64_t operations_ = 0;
};

}  // namespace zermelo::game
