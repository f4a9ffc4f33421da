// Policy verification: checks a policy by the model alone.
//
// Walks every play of positive probability: at a chance variable the edges must cover exactly the values that
// the model's table gives a positive probability, with the probabilities that it gives them; at the end all
// hard constraints are evaluated and the utilities added up. The expected utilities must be the claimed ones.
// It shares no code with the engines that find policies: constraints are evaluated by
// strategy/rules/evaluate.hpp. The cost is linear in the number of such plays.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "stochastic/policy.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo::stochastic {

struct PolicyVerification {
    bool valid = false;  // false also when a limit was reached: see `stop`
    Stop stop = Stop::none;
    std::uint64_t positions = 0;  // looked at
    std::uint64_t scenarios = 0;  // plays of positive probability
    Rationals utilities;          // expected, when the policy is feasible
    bool reaches_thresholds = false;
    std::optional<strategy::Counterexample> counterexample;
};

// A policy below a threshold may be valid: whether it is a solution, too, is `reaches_thresholds`.
[[nodiscard]] PolicyVerification verify(const StochasticModel& model, const Policy& policy,
                                        const Limits& limits = {});

}  // namespace zermelo::stochastic
