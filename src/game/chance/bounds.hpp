// Lower bounds of expected values by value iteration, rounded down (expected_values.hpp).
//
// Some players maximise, all others minimise. Let T raise every state to what its moves guarantee by the
// bounds of their results. A bound x is sound if x ≤ T x, and if the maximisers' moves keep the play from
// staying for ever where x is more than endless play pays. Value iteration from below all payoffs keeps both
// at every step, provided that a move is taken over when it raises the bound and at no other time. Two more
// steps are sound: to raise to what endless play pays a set of states in which the maximisers can stay; and to
// take over a guess for which both conditions have been checked.

#pragma once

#include "game/chance/expected_values.hpp"

namespace zermelo::game {

class LowerBounds {
public:
    // `negated`: of the payoffs subtracted from 100. `endless` on the grid, as the payoffs here.
    LowerBounds(const Graph& graph, const Components& order, const Limits& limits,
                std::vector<bool> maximises, bool negated, Grid endless);

    void solve(std::size_t component);
    // Tries bounds that are a little below `guess`, by state; whether they are sound.
    template <class Guess>
    bool try_guess(std::size_t component, const Guess& guess);

    [[nodiscard]] Grid operator[](StateId s) const { return low_[s]; }
    [[nodiscard]] std::uint32_t choice(StateId s) const { return choice_[s]; }
    [[nodiscard]] std::uint64_t sweeps() const { return sweeps_; }

private:
    struct Backup {
        Grid value;
        std::uint32_t move;
    };
    [[nodiscard]] Backup backed_up(StateId s) const;
    [[nodiscard]] Grid payoff(StateId s) const;
    void raise_until_settled(std::span<const StateId> members);
    [[nodiscard]] bool raise_to_endless(std::span<const StateId> members);
    [[nodiscard]] bool can_be_held_up(std::span<const StateId> members, std::size_t component) const;

    const Graph& graph_;
    const Components& order_;
    const Limits& limits_;
    std::vector<bool> maximises_;  // by player
    bool negated_;
    Grid endless_;
    Grid lowest_;
    std::vector<Grid> low_;
    std::vector<std::uint32_t> choice_;
    std::uint64_t sweeps_ = 0;
};

// Bounds of all states; sets low, high, choice.
void find_bounds(const Graph& graph, const Components& order, const ExpectedValueOptions& options,
                 ExpectedValues& values);

}  // namespace zermelo::game
