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

    // Lets join, and writes the rank of, all that is drawn in by the states of `frontier`, which joined in
    // `round`. A state without needs never joins.
    void run(std::vector<StateId> frontier, Rank round, Large<std::uint32_t>& needs, Large<Rank>& rank) const;
};

}  // namespace zermelo::game
