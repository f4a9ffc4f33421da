// Plan: a positional (memoryless) strategy of one player that guarantees a payoff whatever the others do;
// the certificate of a value.
//
// A plan is written against the rules and nothing else. Walk the game depth first from its initial state: in
// a state of the owner take the move that the plan says, in a state of others all moves, in their order, and
// do not enter a state twice. The plan lists the owner's choices in the order in which this walk first meets
// the owner's states; no state is stored. Small plans can be written as JSON, a graph of positions that a
// person can read; large ones in a binary format, about a byte a state of the owner before compression.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "game/game.hpp"

namespace zermelo::game {

struct Plan {
    Player owner = 0;
    int promise = 0;                     // the owner's payoff is at least this
    std::vector<std::uint32_t> choices;  // a move, by its place among the moves of the state
    friend bool operator==(const Plan&, const Plan&) = default;
};

// Equal for equal plans, different for different ones.
[[nodiscard]] Hash128 fingerprint(const Plan& plan);

}  // namespace zermelo::game
