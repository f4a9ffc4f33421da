// Threshold questions: can a role of a game in GDL force a goal of at least so much within so many moves?
//
// The game is unrolled and encoded as a quantified or strategic model (src/encode), and the engines for
// models answer. Whoever wins the model has a strategy that proves the answer: a proof.

#pragma once

#include "encode/quantify.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/strategy.hpp"

namespace zermelo {

class ThresholdQuestions {
public:
    // Without a horizon, the longest play. Throws Error where the game cannot become a model, or where its
    // longest play is not known.
    ThresholdQuestions(std::shared_ptr<const gdl::Game> game, std::optional<std::size_t> horizon,
                       const Limits& limits);

    [[nodiscard]] const gdl::Game& game() const { return *game_; }
    [[nodiscard]] std::size_t horizon() const { return unrolling_.steps.size() - 1; }
    [[nodiscard]] bool complete() const { return complete_; }  // every play ends within the horizon
    [[nodiscard]] std::string within() const;  // " within 5 moves"; nothing where it is complete

    [[nodiscard]] encode::QuantifiedGame model(const encode::Question& question) const;

    [[nodiscard]] std::string role_name(std::size_t role) const;
    [[nodiscard]] std::size_t role_named(const std::string& name) const;  // throws Error
    [[nodiscard]] std::string move_name(const encode::QuantifiedGame& quantified,
                                        const strategy::Move& move) const;
    [[nodiscard]] std::optional<std::size_t> first_mover() const;  // the role that has the first choice
    [[nodiscard]] std::vector<std::string> first_options() const;  // what it may choose
    [[nodiscard]] const encode::MoveNumbers& numbers() const { return numbers_; }

private:
    std::shared_ptr<const gdl::Game> game_;
    encode::MoveNumbers numbers_;
    encode::Unrolling unrolling_;
    bool complete_ = false;
};

// A question with the strategy of whoever wins it.
struct ThresholdProof {
    std::shared_ptr<const ThresholdQuestions> questions;
    encode::QuantifiedGame quantified;
    strategy::Strategy strategy;

    [[nodiscard]] bool forced() const { return strategy.owner == model::Quantifier::exists; }
    [[nodiscard]] const encode::Question& question() const { return quantified.question; }
    // The role whose moves the strategy chooses; in a game for one, a refutation is nobody's.
    [[nodiscard]] bool owned_by(std::size_t role) const { return forced() == (question().role == role); }
    // What it shows: "x gets at least 50", "x does not get 100 within 5 moves".
    [[nodiscard]] std::string claim() const;
    // The moves of a play by their names.
    [[nodiscard]] std::vector<std::string> move_names(const std::vector<strategy::Move>& play) const;
};

}  // namespace zermelo
