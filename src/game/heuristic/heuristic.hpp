// Heuristics: judging a position without looking ahead (seed 004, section 2.1).
//
// A heuristic is anything that can be called with a walk and a player and answers with a Score: how good the
// position is for this player. It is asked only where nothing is over yet. Heuristics of GDL games judge the
// state alone: they are called with a gdl::State, and `OnState` puts them onto any walk that shows its state.
//
// The workhorse is Linear, a weight for each fluent; lines.hpp computes such weights from the rules,
// learned.hpp from playouts, and expression.hpp reads a formula that a person wrote.

#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "game/search/score.hpp"
#include "gdl/circuit/machine.hpp"

namespace zermelo::game {

template <class H, class W>
concept Evaluates = requires(H heuristic, W& walk, Player player) {
    { heuristic(walk, player) } -> std::same_as<Score>;
};

template <class H>
concept EvaluatesState = requires(const H heuristic, const gdl::State& state, Player player) {
    { heuristic(state, player) } -> std::same_as<Score>;
};

// Any of them, where it is chosen while the program runs.
using StateHeuristic = std::function<Score(const gdl::State&, Player)>;

// Knows nothing: every position that is not over looks like a draw.
struct ZeroHeuristic {
    template <class W>
    Score operator()(const W&, Player) const {
        return {};
    }
};

// A heuristic of states, for walks.
template <EvaluatesState H>
struct OnState {
    H heuristic;

    template <class W>
    Score operator()(const W& walk, Player player) const {
        return heuristic(walk.state(), player);
    }
};

// The sum of the weights of the fluents that hold.
struct Weights {
    double base = 0;
    std::vector<double> of_fluent;

    [[nodiscard]] double sum(const gdl::State& state) const;
};

// The weights of the player, taken as a score.
struct Linear {
    std::vector<Weights> of_player;

    Score operator()(const gdl::State& state, Player player) const {
        return Score(std::llround(of_player[player].sum(state)));
    }
};

static_assert(EvaluatesState<Linear> && EvaluatesState<StateHeuristic>);

}  // namespace zermelo::game
