// Verification of policies: is what a policy claims true, by the rules alone?
//
// The walk of the policy (policy.hpp) visits every state that can arise, and its values are computed again on
// the way back: a payoff at the end, the mean over the moves of chance, the least over moves of those who are
// not bound by the policy (the most, for a limit). All numbers are rationals, or, where the policy speaks of
// bounds, multiples of 2^-52 rounded to the safe side. A state where circles close counts as the policy says,
// and this must not be more than what its moves give.
//
// Then the values bound every play that ends. One that does not end pays what endless play pays, so nobody
// may be able to keep the play for ever among states that are claimed to be worth more (for a limit: less).
// This is what the last step looks for. The argument: along a play the value of the state is a bounded
// submartingale, which converges; where the play does not end it comes by states worth no more than that
// again and again.

#pragma once

#include "game/chance/policy.hpp"
#include "game/strategy/verify.hpp"

namespace zermelo::game {

struct PolicyVerification {
    bool valid = false;  // false also when a limit was reached: see `stop`
    Stop stop = Stop::none;
    std::uint64_t positions = 0;
    std::string scenarios;  // number of plays, as for plans
    std::optional<PlanVerification::Counterexample> counterexample;
    Rationals values;  // as computed here; one, or one a player
};

// Instantiated for the games of this room that have chance; for any other game include verify_policy-inl.hpp.
template <Game G>
[[nodiscard]] PolicyVerification verify_policy(G& game, const ChancePolicy& policy,
                                               const Limits& limits = {});

}  // namespace zermelo::game
