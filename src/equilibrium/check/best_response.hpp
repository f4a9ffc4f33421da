// Best responses: what do the two strategies of an equilibrium guarantee?
//
// The strategy of one role is fixed, and the other role plays as well as it can: by states, backward induction
// over the positions that the strategy allows; by views, one walk through the tree of plays sums up what every
// sequence of the other role's moves is worth, and its best choices follow information set by information set
// (von Stengel 1996). All numbers are rational, so the two guarantees are exact, and the true value of the game
// lies between them. No linear program and nothing of the solver is used.
//
// Cost: every position or play that one of the strategies allows is visited once.

#pragma once

#include "core/limits.hpp"
#include "equilibrium/equilibrium.hpp"
#include "equilibrium/rules.hpp"

namespace zermelo::equilibrium {

// Breaks the claim of a certificate.
struct Fault {
    std::string at;  // an information set, or empty
    std::string reason;
    [[nodiscard]] std::string text() const { return at.empty() ? reason : at + ": " + reason; }
};

struct Guarantees {
    Rational lower;  // the first role gets at least this, whatever the second does
    Rational upper;  // and at most this, if the second keeps to its strategy
    int sum = 100;   // of both goals at every end of play
    std::uint64_t positions = 0;
    std::optional<Fault> fault;  // a strategy that does not fit the rules
};

// Throws LimitReached; Error where the interests are not opposite, or where a play may never end.
template <class Rules>
[[nodiscard]] Guarantees guarantees(Rules& rules, const typename Rules::State& start,
                                    const Equilibrium& equilibrium, const Limits& limits = {});

struct Verification {
    bool valid = false;
    Stop stop = Stop::none;
    Guarantees found;
    std::optional<Fault> fault;
};

// Does the certificate say the truth: do its strategies guarantee exactly what it claims?
[[nodiscard]] Verification verify(MachineRules& rules, const Equilibrium& equilibrium,
                                  const Limits& limits = {});
[[nodiscard]] Verification verify(ReasonerRules& rules, const Equilibrium& equilibrium,
                                  const Limits& limits = {});

}  // namespace zermelo::equilibrium
