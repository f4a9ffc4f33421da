// Policy: a positional strategy of one or several players of a game with chance, with what it promises on
// average; the certificate of an expected value.
//
// There are three claims. `guarantee`: who follows the policy expects at least so much, whatever the others
// do. `limit`: nobody's policy gives more; it fixes no moves, and is the other half of the proof where nobody
// plays against the owners. `equilibrium`: where all follow it, everybody expects so much, and nobody can do
// better alone from any state on.
//
// As a plan (strategy/positional_strategy.hpp) a policy is written against the rules and stores no state:
// walk the game depth first, in a state of an owner by the chosen move, elsewhere by all moves, and take the
// choices in the order in which their states are met. For an equilibrium the walk takes all moves everywhere.
// Where the walk comes back to a state on its path, a play can go round in circles; for each such state, in
// the order in which this is found, the policy tells what the play is worth from there.

#pragma once

#include "core/format/rational.hpp"
#include "game/chance/expected_values.hpp"

namespace zermelo::game {

struct ChancePolicy {
    enum class Claim : std::uint8_t { guarantee, limit, equilibrium };
    Claim claim = Claim::guarantee;
    std::vector<bool> owners;  // by player: those whose moves it fixes
    Player player = 0;         // whose expected payoff it speaks of, where that is one player's
    Rationals values;          // one, or one a player for an equilibrium
    bool exact = true;         // otherwise all numbers are on the grid, and bounds
    int twice_endless = 0;     // what endless play pays to the player
    std::vector<std::uint32_t> choices;
    Rationals heads;  // what play is worth from the states where circles close
    friend bool operator==(const ChancePolicy&, const ChancePolicy&) = default;
};

[[nodiscard]] const char* name(ChancePolicy::Claim claim);
// Equal for equal policies, different for different ones.
[[nodiscard]] Hash128 fingerprint(const ChancePolicy& policy);

// The policies that it takes to prove a value, without choices and values. Opposite interests: a guarantee of
// each. Shared ones: a guarantee of all together and a limit. Otherwise an equilibrium.
[[nodiscard]] std::vector<ChancePolicy> policies_to_write(Interests interests, std::size_t players,
                                                          int twice_endless);

// The policies that prove the values of the initial state. Throws LimitReached.
[[nodiscard]] std::vector<ChancePolicy> build_policies(const Graph& graph, const ExpectedValues& values,
                                                       const Limits& limits = {});

}  // namespace zermelo::game
