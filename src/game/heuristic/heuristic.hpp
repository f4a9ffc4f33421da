// Static evaluation functions (Shannon 1950): the score of a position without looking ahead.
//
// A heuristic is anything that can be called with a walk and a player and answers with a Score: how good the
// position is for this player. It is called only where the game is not over. Heuristics of GDL games
// evaluate the state alone: they are called with a gdl::State, and `OnState` applies them to any walk that
// shows its state.
//
// The most common one is Linear, a weight for each fluent; lines.hpp computes such weights from the rules,
// learned.hpp from playouts, and expression.hpp reads a formula that a person wrote.

#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "game/heuristic/score.hpp"
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

// Applies a heuristic of states to the state of a walk.
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

// A linear evaluation for each player.
struct Linear {
    std::vector<Weights> of_player;

    Score operator()(const gdl::State& state, Player player) const {
        return Score(std::llround(of_player[player].sum(state)));
    }
};

static_assert(EvaluatesState<Linear> && EvaluatesState<StateHeuristic>);

}  // namespace zermelo::game
