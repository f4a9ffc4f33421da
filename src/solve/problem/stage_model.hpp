// A game with chance as a stochastic model with a stage for each turn (encode/stages.hpp): its text, and what its
// variables stand for.

#pragma once

#include "encode/stages.hpp"

namespace zermelo {

struct StageModel {
    encode::Unrolling unrolling;
    bool complete = false;  // no play is longer
    std::string text;       // MiniZinc

    [[nodiscard]] std::size_t horizon() const { return unrolling.steps.size() - 1; }
};

// `horizon` bounds the moves of a play; without it, the rules have to. Throws Error where they do not, and where the
// game cannot be such a model; LimitReached.
[[nodiscard]] StageModel make_stage_model(const gdl::Game& game, std::optional<std::size_t> horizon,
                                          const Limits& limits);

}  // namespace zermelo
