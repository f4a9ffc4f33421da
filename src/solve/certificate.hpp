// Certificates: what proves a verdict, as a value and as a file.
//
// All files are JSON with "format": "zermelo-strategy", a version and a kind:
//
//     strategy, counter-strategy   of ∃ or ∀ in a quantified model        strategy/format/json.hpp
//     plan                         positional strategies of a game        game/strategy/json.hpp
//     thresholds                   a game's threshold questions, each     below
//                                  with the winner's strategy
//     policy                       of a model with chance                 stochastic/format/policy_file.hpp
//     policy                       of a game with chance                  game/chance/policy_file.hpp
//     equilibrium                  mixed strategies of a game             equilibrium/file.hpp
//
// Plans and policies of games also have a compact form, for files whose name does not end in .json.
// Files of version 0.1, which told the kinds apart in other ways, are read as well.
//
// A file of the kind "thresholds":
//
//     { "format": "zermelo-strategy", "version": 1, "kind": "thresholds",
//       "game": "tic-tac-toe.kif", "rules": "9f…",                  the fingerprint of the rules
//       "moves": [{"role": "x", "names": ["(mark 1 1)", …]}, …],    what the values 1, 2, … of variables mean
//       "strategies": [
//         {"role": "x", "threshold": 50, "horizon": 9, "form": "quantified",     the question
//          "strategy": {…}}, … ] }                                  its winner's strategy

#pragma once

#include "equilibrium/equilibrium.hpp"
#include "game/chance/policy.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "solve/problem/problem.hpp"
#include "solve/problem/threshold_questions.hpp"
#include "stochastic/policy.hpp"

namespace zermelo {

using Plans = std::vector<game::Plan>;
using ChancePolicies = std::vector<game::ChancePolicy>;
using ThresholdProofs = std::vector<std::shared_ptr<const ThresholdProof>>;

struct Certificate {
    std::variant<std::monostate, strategy::Strategy, Plans, ThresholdProofs, stochastic::Policy,
                 ChancePolicies, equilibrium::Equilibrium>
        proof = {};

    [[nodiscard]] bool empty() const { return proof.index() == 0; }
    [[nodiscard]] const char* kind() const;  // as files call it; "" where it is empty
    [[nodiscard]] std::size_t size() const;  // positions, choices or nodes
    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&proof);
    }
};

// The kind that a file claims to hold, without looking at its contents: "" where it is no certificate.
[[nodiscard]] std::string certificate_kind(const std::string& bytes);

// The text of a file. Throws Error where a plan is too large for it or does not fit the problem,
// LimitReached.
[[nodiscard]] std::string to_json_text(const Problem& problem, const Certificate& certificate,
                                       const Limits& limits = {});
// The form follows the file's name. The file is complete or not there at all. Throws Error where it cannot be
// written.
void save(const std::string& file, const Problem& problem, const Certificate& certificate,
          const Limits& limits = {});

// The certificate for this problem, as far as that can be told without playing: check() does. Throws Error,
// LimitReached.
[[nodiscard]] Certificate load(const std::string& file, const Problem& problem, const Limits& limits = {});

}  // namespace zermelo
