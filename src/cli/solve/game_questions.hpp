// Questions about a game in GDL that the engines for quantified models answer: can a role force a goal of at
// least so much within so many moves? The answers are strategies, and go into a file that `verify` and `show`
// read.
//
//     { "format": "zermelo-game-strategies", "version": 1,
//       "game": "tic-tac-toe.kif",
//       "rules": "9f…",                                           the fingerprint of the rules
//       "moves": [{"role": "x", "names": ["(mark 1 1)", …]}, …],  what the values 1, 2, … of variables mean
//       "strategies": [
//         {"role": "x", "threshold": 50, "horizon": 9, "form": "quantified",     the question
//          "strategy": {…}}, … ] }              its winner's strategy, as strategy/format/json.hpp says

#pragma once

#include "cli/command.hpp"
#include "encode/quantify.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::cli {

class GameQuestions {
public:
    // Without a horizon, the longest play. Throws Error where the game is none that becomes a model, or where
    // its longest play is not known.
    GameQuestions(const gdl::Game& game, std::optional<std::size_t> horizon, const Limits& limits);

    [[nodiscard]] const gdl::Game& game() const { return game_; }
    [[nodiscard]] std::size_t horizon() const { return unrolling_.steps.size() - 1; }
    [[nodiscard]] bool complete() const { return complete_; }  // every play ends within the horizon
    [[nodiscard]] std::string within() const;  // " within 5 moves", nothing where it is complete

    [[nodiscard]] encode::QuantifiedGame model(const encode::Question& question) const;

    [[nodiscard]] std::string role_name(std::size_t role) const;
    [[nodiscard]] std::size_t role_named(const std::string& name) const;  // throws Error
    [[nodiscard]] std::string move_name(const encode::QuantifiedGame& quantified,
                                        const strategy::Move& move) const;
    [[nodiscard]] std::optional<std::size_t> first_mover() const;  // the role that has the first choice
    [[nodiscard]] std::vector<std::string> first_options() const;  // what it may choose
    [[nodiscard]] const encode::MoveNumbers& numbers() const { return numbers_; }

private:
    const gdl::Game& game_;
    encode::MoveNumbers numbers_;
    encode::Unrolling unrolling_;
    bool complete_ = false;
};

// A question with the strategy of whoever wins it.
struct Certificate {
    encode::QuantifiedGame quantified;
    strategy::Strategy strategy;

    [[nodiscard]] bool forced() const { return strategy.owner == model::Quantifier::exists; }
};

// What the certificate shows: "x gets at least 50", "x does not get 100 within 5 moves".
[[nodiscard]] std::string claim(const GameQuestions& questions, const Certificate& certificate);
// A play that breaks it, with the names of the moves.
[[nodiscard]] std::string text(const GameQuestions& questions, const Certificate& certificate,
                               const strategy::Counterexample& counterexample);
[[nodiscard]] nlohmann::json to_json(const GameQuestions& questions, const Certificate& certificate,
                                     const strategy::Counterexample& counterexample);

// --- files ---

[[nodiscard]] bool is_game_strategies(const std::string& file);  // false also where it cannot be read
void save_game_strategies(const std::string& file, const GameQuestions& questions,
                          const std::vector<Certificate>& certificates);

// What a file holds; every certificate with the questions it belongs to, since horizons may differ.
struct LoadedCertificate {
    std::shared_ptr<const GameQuestions> questions;
    Certificate certificate;
};
// Throws Error where the file cannot be read or belongs to another game, LimitReached.
[[nodiscard]] std::vector<LoadedCertificate> load_game_strategies(const std::string& file,
                                                                  const gdl::Game& game,
                                                                  const Limits& limits);

// --- zermelo verify and show for such files ---

[[nodiscard]] int verify_game_strategies(const std::string& file, const gdl::Game& game, bool json,
                                         const Limits& limits);
void show_game_strategies(const std::string& file, const gdl::Game& game, const std::string& role,
                          std::size_t most_nodes);

}  // namespace zermelo::cli
