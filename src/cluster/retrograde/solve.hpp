// Distributed solving by retrograde analysis: the values of all states, and for the position that was asked
// about what game/solve.hpp gives: values, best moves, and positional strategies that prove them.
//
// Collective: all processes call it; the solution and its strategies are in the first one.

#pragma once

#include "cluster/retrograde/value_lookup.hpp"
#include "game/solve.hpp"

namespace zermelo::cluster {

struct LevelOptions {
    game::SolveOptions common;  // limits are those of each process; `checkpoint` is a folder
    std::string spill = {};     // a folder for what does not fit into memory
    bool counters = true;       // see retrograde.hpp
    ShardId shards = 0;         // 0: enough for the processes
    std::function<void(const Progress&)> progress = {};
};

// The work of one process.
struct Share {
    std::uint64_t states = 0;
    std::uint64_t peak_bytes = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes_stored = 0;
    double cpu_seconds = 0;
};

struct LevelsSolution {
    game::Solution solution;
    std::vector<Share> shares;          // by process
    std::vector<std::uint64_t> levels;  // states by their distance from the start
    bool layered = false;               // all moves lead to the next level
    bool forgotten = false;             // states were taken out of memory
    // Of all states with their values and ranks, in whatever order: equal exactly where these are equal.
    Hash128 digest;
    double explore_seconds = 0;
    double backward_seconds = 0;
};

[[nodiscard]] LevelsSolution solve_levels(const gdl::Game& game, Comm& comm,
                                          const LevelOptions& options = {});
[[nodiscard]] LevelsSolution solve_levels(const game::Graph& graph, Comm& comm,
                                          const LevelOptions& options = {});

// Collective: calls visit(row, payoffs, rank) for all states of this process.
using VisitState =
    std::function<void(std::span<const std::uint64_t> row, const std::vector<int>& payoffs, game::Rank rank)>;
void for_each_state(const Explored& explored, const Values& values, Rank rank, const VisitState& visit);

}  // namespace zermelo::cluster
