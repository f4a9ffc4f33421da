// Exploration: all states that can be reached, numbered, as a Graph.
//
// Breadth first: the initial state is 0, then come the states one move away in the order of the moves, and so
// on; every state keeps its moves in order. The numbers do not depend on how many threads took part. A state
// costs its row, four to eleven bytes of index, nine bytes of graph, and four for each of its moves; rows and
// index go when the graph is complete.
//
// The work stops cleanly at a limit, or when there are more states than wanted, and then tells what it
// counted. With a checkpoint it is saved now and then and when it stops, and goes on from there the next
// time.

#pragma once

#include <functional>

#include "core/limits.hpp"
#include "game/graph/graph.hpp"

namespace zermelo::game {

inline constexpr const char* exploration_kind = "explore";  // of checkpoints

struct ExploreProgress {
    std::size_t states = 0;    // met
    std::size_t expanded = 0;  // their moves are known
    std::size_t edges = 0;
    std::size_t depth = 0;
};

struct ExploreOptions {
    Limits limits = {};
    std::size_t most_states = std::numeric_limits<StateId>::max() - 1;  // give up when there are more
    unsigned threads = 0;                                               // 0: as many as the machine has
    bool names = false;                                                 // name states and moves
    std::string checkpoint = {};                                        // a file; read if it is there
    double seconds_between_saves = 600;
    std::function<void(const ExploreProgress&)> progress = {};  // called about once a second
};

struct Exploration {
    bool complete = false;
    Stop stop = Stop::none;  // why not; none where there were too many states
    ExploreProgress counted;
    std::vector<std::size_t> levels;  // states by their distance from the start; when incomplete, those met
    std::size_t bytes = 0;            // of graph, states and index, at the end
    bool continued = false;           // from a checkpoint
    Graph graph;                      // when complete

    [[nodiscard]] double bytes_per_state() const {
        return static_cast<double>(bytes) / static_cast<double>(counted.states);
    }
};

// Instantiated in explore.cpp for the games of this room; for any other game include explore-inl.hpp.
// Throws Error where the game breaks its rules, has more than 128 different outcomes or more than 64 players,
// and where the checkpoint is none of this game.
template <Game G>
[[nodiscard]] Exploration explore(G& game, const ExploreOptions& options = {});

}  // namespace zermelo::game
