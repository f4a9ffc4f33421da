// Value network: a neural network with one small hidden layer that estimates a state for the first seat from
// its fluents.
//
// The estimate is σ(base + Σ weights of the fluents that hold + Σ out · s(unit)), where each of a few hidden
// units is a weighted sum of fluents, too, and s(x) = x / (1 + |x|). The weighted sum alone is logistic
// regression on random plays (game/heuristic/learned.hpp); the units learn by self-play (self_play.hpp), with
// AdaGrad's step sizes (Duchi, Hazan and Singer 2011). In a game of two opponents the second seat gets one
// minus the value.

#pragma once

#include <array>

#include "game/heuristic/learned.hpp"

namespace zermelo::play {

class ValueNetwork {
public:
    static constexpr std::size_t units = 16;

    ValueNetwork() = default;  // knows nothing
    explicit ValueNetwork(const game::LearnedHeuristic& learned);

    [[nodiscard]] double value(const gdl::State& state) const;  // 0 … 1

    // Draws the estimate towards the target, and tells what it was before.
    double learn(const gdl::State& state, double target);
    // Random hidden units, to learn with.
    void begin(std::uint64_t seed);

private:
    using Units = std::array<float, units>;
    struct Row {  // of a fluent, or of the base
        Units in{};
        float weight = 0;
    };
    [[nodiscard]] double sum(const gdl::State& state, Units& inside) const;

    std::vector<Row> rows_;   // by fluent
    std::vector<Row> moved_;  // how far each weight has been moved: squares
    Row base_;
    Row base_moved_;
    Units out_{};
    Units out_moved_{};
};

}  // namespace zermelo::play
