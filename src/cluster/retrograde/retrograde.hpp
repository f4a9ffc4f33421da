// Distributed retrograde analysis (Thompson 1986; Bal and Allis 1995): the value of every state, and its
// rank.
//
// The same values and ranks as game/graph/values.hpp finds, by the same definitions. They go from states to
// their predecessors, level by level from the last to the first: the moves of a level are all among the edges
// of the next one, so one phase decides a level for good where moves lead only to the next level. Where they
// do not, the sweep is repeated until nothing changes; each time, what has been found so far is an upper
// bound, so it ends with the ranks of the attractors. Where the edges are in memory and can lead anywhere,
// attractors grow round by round with counters instead, and visit each edge once.

#pragma once

#include "cluster/retrograde/explore.hpp"
#include "game/graph/values.hpp"

namespace zermelo::cluster {

struct Values {
    game::Method method = game::Method::attractors;
    std::vector<std::vector<int>> outcomes;
    // By shard of this process and place.
    std::vector<std::vector<std::uint8_t>> outcome;
    std::vector<std::vector<game::Rank>> rank;

    [[nodiscard]] const std::vector<int>& payoffs(std::size_t shard, PlaceInShard place) const {
        return outcomes[outcome[shard][place]];
    }
};

struct RetrogradeOptions {
    Limits limits = {};
    bool counters = true;  // where they can be used
    // A file with the moves of several levels is read once for all of them if it has at most so many bytes,
    // or else for each of them anew.
    std::uint64_t most_loaded = std::uint64_t{64} << 20;
    std::function<void(const Progress&)> progress = {};
};

// Collective. Throws Error where the graph has cycles that the method cannot handle; LimitReached at a limit.
[[nodiscard]] Values find_values(Explored& explored, Comm& comm, const RetrogradeOptions& options = {});

}  // namespace zermelo::cluster
