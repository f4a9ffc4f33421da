// Checking: does a certificate prove what it claims? Answered by the rules alone, without any solver.

#pragma once

#include "equilibrium/check/best_response.hpp"
#include "game/chance/verify_policy.hpp"
#include "game/strategy/verify.hpp"
#include "solve/certificate.hpp"
#include "stochastic/verify.hpp"

namespace zermelo {

struct CheckOptions {
    Limits limits = {};
    std::function<void(const std::string& text)> progress = {};  // called now and then
};

// A plan that was checked.
struct CheckedPlan {
    std::string owner;
    int promise = 0;
    std::size_t choices = 0;
    Hash128 fingerprint = {};
    game::PlanVerification result;
};
using CheckedPlans = std::vector<CheckedPlan>;
// A policy of a game with chance that was checked.
struct CheckedPolicy {
    std::string claim;
    std::string player;  // whose expected payoff it speaks of
    Rationals values;    // one, or one a player
    bool exact = true;
    std::size_t choices = 0;
    Hash128 fingerprint = {};
    game::PolicyVerification result;
};
using CheckedPolicies = std::vector<CheckedPolicy>;
using CheckedThresholds = std::vector<strategy::Verification>;  // by proof

struct Report {
    bool valid = false;  // false also where a limit ended the check
    Stop stop = Stop::none;
    std::uint64_t positions = 0;  // looked at
    std::string scenarios;        // plays that the certificate covers; a number, or why it is none
    std::optional<std::string> counterexample;  // a play that breaks the claim, and how

    // What the checker of this kind tells.
    std::variant<std::monostate, strategy::Verification, CheckedPlans, CheckedThresholds,
                 stochastic::PolicyVerification, CheckedPolicies, equilibrium::Verification>
        details;
    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&details);
    }
};

[[nodiscard]] Report check(const Problem& problem, const Certificate& certificate,
                           const CheckOptions& options = {});

// Plans, policies or an equilibrium in a file, checked by the reasoner on the rules as they stand: it shares no
// code with what solvers run on.
[[nodiscard]] Report check_by_reasoner(const gdl::Description& description, const std::string& file,
                                       const CheckOptions& options = {});

}  // namespace zermelo
