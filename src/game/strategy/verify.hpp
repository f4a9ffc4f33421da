// Verification of plans: does the owner get what is promised, whatever the others do?
//
// Answered from the rules alone, by walking along the plan. Every choice has to be a move, every end of play
// has to pay the promise, and no choice may be missing or left over. A circle is a play that never ends: it
// is allowed only if such a play pays the promise too. Chance may do what it likes, like any other player.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

struct PlanVerification {
    struct Counterexample {
        std::vector<std::string> play;           // the names of the moves
        std::string reason;                      // a sentence
        [[nodiscard]] std::string text() const;  // (mark 1 1), (mark 2 2): reason
    };
    bool valid = false;  // false also when a limit was reached: see `stop`
    Stop stop = Stop::none;
    std::uint64_t positions = 0;  // different ones
    std::string scenarios;        // plays; exact below 2^128, "endless" where there are circles
    std::optional<Counterexample> counterexample;
};

// Instantiated in verify.cpp for the games of this room; for any other game include verify-inl.hpp.
template <Game G>
[[nodiscard]] PlanVerification verify_plan(G& game, const Plan& plan, const Limits& limits = {});

}  // namespace zermelo::game
