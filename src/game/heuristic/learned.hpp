// Evaluation function learned by logistic regression on random playouts, for any GDL game.
//
// Playouts with random moves are played from the initial state, as many as asked for, and every state in
// them that is not terminal becomes an example: these fluents held, and this is what each role got in the
// end. For each role, logistic regression finds weights of the fluents such that 100 · σ(base + weights) is
// close to the payoff. It is fitted by stochastic gradient descent with AdaGrad's step sizes (Duchi, Hazan
// and Singer 2011), in several epochs over the examples in random order. The result depends on the random
// seed alone: same seed, same weights.
//
// The estimate is a payoff, 0 … 100, and the score is what that payoff would score, except that it is never
// infinite.

#pragma once

#include "core/limits.hpp"
#include "game/heuristic/heuristic.hpp"

namespace zermelo::game {

struct LearnOptions {
    std::uint64_t seed = 1;
    std::size_t playouts = 4000;
    std::size_t most_moves = 2000;  // a playout longer than this is given up
    std::size_t rounds = 4;
    double step = 0.1;
    double shrink = 1e-5;  // weight decay (L2 regularisation)
    Limits playing = {};   // when reached, learning starts with the playouts so far
    Limits limits = {};    // when reached, learning ends with the weights so far
};

struct LearnedHeuristic {
    std::vector<Weights> of_player;  // of the roles other than `random`, in their order

    [[nodiscard]] double payoff(const gdl::State& state, Player player) const;  // estimated
    Score operator()(const gdl::State& state, Player player) const {
        return Score(std::llround((payoff(state, player) - draw) * Score::per_point));
    }
};

static_assert(EvaluatesState<LearnedHeuristic>);

[[nodiscard]] LearnedHeuristic learn(const gdl::Machine& machine, const LearnOptions& options = {});

}  // namespace zermelo::game
