// Strategy verification: does a strategy win? Decided by the rules alone, without any solver code.
//
// The checker walks the strategy along every legal value of the opponent and evaluates the constraints
// themselves (partial_assignment.hpp). A play is decided by its first broken rule, in favour of the player
// who did not break it, and by the winning condition when all rules were kept. With `apply_cuts`, a cut ends
// the play in favour of ∃ when the block that completes its variables is over. At the leaf, where the
// strategy claims to have won whatever follows, the intervals usually decide; where they do not, the open
// variables are enumerated in the order of the play: every value of the opponent, and every legal value of
// the owner, of which one must exist.
//
// Strategies may skip variables and may test them out of order. What must not happen is that a choice of the
// owner depends on a later move: an owner's node below an opponent's node of a later block is refused.
//
// In a strategic model the legal values are those of Bessiere and Verger (2006) instead
// (verify_strategic.cpp), and a strategy names the variables in the order of the prefix.
//
// The walk is exponential in the worst case. Positions that were found to be won at a shared node are cached
// by a 128-bit hash of what is open in them, so that checking usually costs about as much as the strategy has
// nodes.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/limits.hpp"
#include "model/model.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

struct VerifyOptions {
    Limits limits = {};
    std::function<void(std::uint64_t positions)> progress = {};  // called now and then
    bool apply_cuts = false;                                     // true: end the play where a cut fires
    std::size_t remembered = std::size_t{1} << 22;               // positions, 16 bytes each; 0 for none
};

struct Move {
    model::VarId variable;
    model::Value value;
    friend bool operator==(const Move&, const Move&) = default;
};

struct Counterexample {
    std::vector<Move> play;  // in the order of the prefix
    std::string reason;      // a sentence

    [[nodiscard]] std::string text(const model::Model& model) const;  // x1 = 1, y1 = 3: reason
};

struct Verification {
    bool valid = false;  // false also when a limit was reached: see `stop`
    Stop stop = Stop::none;
    std::uint64_t positions = 0;  // looked at
    std::string scenarios;        // paths from the root to the leaf, one for each value; exact below 2^128
    std::optional<Counterexample> counterexample;
};

[[nodiscard]] Verification verify(const model::Model& model, const Strategy& strategy,
                                  const VerifyOptions& options = {});

// How many scenarios a strategy has, as in Verification.
[[nodiscard]] std::string scenarios(const Strategy& strategy);

}  // namespace zermelo::strategy
