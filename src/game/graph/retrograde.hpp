// Retrograde analysis (Ströhlein 1970), round by round: from the states that have just joined an attractor
// to their predecessors.
//
// Every state outside has a number of needs: how many more of its moves have to lead inside before it joins.
// That is one for a state of the player, and all of its moves for a state of others. Rounds are kept apart,
// so that the rank of a state is its distance to the goal under optimal play, in whatever order the cores do
// the work of a round.

#pragma once

#include "game/graph/predecessors.hpp"

namespace zermelo::game {

using Rank = std::uint32_t;
[[nodiscard]] constexpr Rank outside() { return std::numeric_limits<Rank>::max(); }

struct Retrograde {
    const Predecessors& predecessors;
    unsigned threads;
    const Limits& limits;

    // Propagates from the states of `frontier`, which joined in `round`: all states that join as a
    // consequence get their rank. A state whose needs are zero from the start never joins.
    void run(std::vector<StateId> frontier, Rank round, LargeVector<std::uint32_t>& needs,
             LargeVector<Rank>& rank) const;
};

}  // namespace zermelo::game
