// Verdict: who wins, what everybody gets, by which first moves, and the certificate that proves it.

#pragma once

#include "equilibrium/solution.hpp"
#include "game/chance/solve.hpp"
#include "solve/certificate.hpp"
#include "solve/problem/options.hpp"

namespace zermelo {

enum class Outcome : std::uint8_t { won, lost, drawn, unknown };  // seen from ∃ or from the first player
[[nodiscard]] const char* name(Outcome outcome);

// What was found about threshold questions (threshold_questions.hpp).
struct ThresholdSolution {
    struct Asked {
        std::shared_ptr<const ThresholdProof> proof;
        quantified::Answer answer;  // its strategy is in the proof
    };
    // The greatest goal that a role can force: it is one of `goals`, or none.
    struct RoleValue {
        std::size_t role = 0;
        std::vector<int> goals;              // ascending
        std::size_t at_least = 0;            // so many of them, counted from below, are known to be forced
        std::size_t at_most = 0;             // and no more than so many can be
        std::optional<std::size_t> forced;   // the question that shows the first, if one was asked
        std::optional<std::size_t> refuted;  // and the second

        [[nodiscard]] bool known() const { return at_least == at_most; }
        [[nodiscard]] std::optional<int> value() const {
            if (!known() || at_least == 0) return std::nullopt;
            return goals[at_least - 1];
        }
    };

    std::shared_ptr<const ThresholdQuestions> questions;
    std::size_t role = 0;  // whose goal was asked for
    std::optional<int> threshold;
    encode::ModelForm form = encode::ModelForm::quantified;
    std::vector<Asked> asked;
    std::vector<RoleValue> values;    // of the role and, where they were sought, of the other
    std::vector<std::size_t> needed;  // the questions whose proofs make the certificate

    [[nodiscard]] quantified::SearchStatistics statistics() const;  // of all questions together
};

struct Verdict {
    Outcome outcome = Outcome::unknown;
    Stop stop = Stop::none;             // what ended the work early
    Engine engine = Engine::automatic;  // the one that answered
    std::vector<std::string> players;
    std::vector<double> values;     // by player; empty where they are not known
    std::vector<std::string> best;  // first moves of whoever moves first
    bool all_best = false;          // there are no others
    std::uint64_t nodes = 0;
    double cpu_seconds = 0;
    double wall_seconds = 0;
    Certificate certificate;

    // What only this kind of engine tells; plans, strategies and policies are in the certificate.
    std::variant<std::monostate, game::Solution, quantified::Answer, ThresholdSolution, stochastic::Answer,
                 game::ChanceSolution, equilibrium::Solution>
        details;
    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&details);
    }
};

// What a forward engine found, as a verdict; the times are the caller's.
[[nodiscard]] Verdict to_verdict(game::Solution solution);

// The first moves of whoever owns a strategy, as far as it fixes them.
[[nodiscard]] std::vector<strategy::Move> first_moves(const model::Model& model,
                                                      const strategy::Strategy& strategy);
// The decisions of a policy before the first chance variable.
[[nodiscard]] std::vector<strategy::Move> first_decisions(const stochastic::StochasticModel& model,
                                                          const stochastic::Policy& policy);
// x = 1, y = 3
[[nodiscard]] std::string moves_text(const model::Model& model, const std::vector<strategy::Move>& moves);

}  // namespace zermelo
