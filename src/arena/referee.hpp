// Referee: runs a match of any game between players, and trusts none of them.
//
// Every seat is asked in turn for its move, with a clock of its own that runs only while it thinks; seats
// that move at the same time do not hear of each other's moves before all are made. Remote players think all
// at the same time, and while local ones do. A move that is illegal or late is replaced by a random legal one
// and counted. The referee plays chance, and tells each seat what the rules let it know: all moves, or in
// GDL-II its own move and what it sees.

#pragma once

#include <span>

#include "arena/record.hpp"
#include "core/limits.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "play/player.hpp"

namespace zermelo::arena {

struct Seat {
    play::Player* player = nullptr;
    std::string label = {};
    double seconds = 0;          // for a move; 0: no clock
    std::uint64_t playouts = 0;  // for a move; 0: the clock decides
    bool ponder = false;         // it may think while others move and it has no choice
};

// What went wrong, by role; empty where nothing has. Spelled as play::Delivery does it.
using Faults = std::vector<std::string>;

struct MatchOptions {
    double start_seconds = 1;  // for preparation, each
    std::uint64_t seed = 1;    // of chance
    std::uint64_t most_moves = 2000;
    // Follows the play, if there is one: it shares no code with the machine that everything else runs on, and
    // has to agree with every state. Throws Error where it does not.
    gdl::Reasoner* witness = nullptr;
    Limits limits = {};
    // Called when all players have started.
    std::function<void(const Faults&)> started = {};
    // Called after every step with the state and the moves that led to it.
    std::function<void(const play::State&, const play::JointMove&, const Faults&)> watch = {};
};

// One seat for each role but chance, in their order. Throws LimitReached when it was interrupted. A match
// that cannot be finished has an error instead of a result.
[[nodiscard]] MatchResult referee(const play::GameContext& rules, std::span<const Seat> seats,
                                  const MatchOptions& options);

}  // namespace zermelo::arena
