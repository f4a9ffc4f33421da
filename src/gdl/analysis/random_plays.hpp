// States of random plays, for those who reject guesses by them.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct RandomPlays {
    int plays = 20;
    int most_moves = 500;  // of one play
    std::uint64_t seed = 1;
    Limits limits = {};
};

// Visits the states of random plays in which every legal joint move is equally likely, first and last ones among
// them. A play ends early where a role has no move.
void visit_random_plays(const Machine& machine, const RandomPlays& plays,
                        const std::function<void(const State&)>& visit);

}  // namespace zermelo::gdl
