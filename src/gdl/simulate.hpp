// Random playouts from the initial state: how fast a game runs, how long it lasts, and what the roles get.

#pragma once

#include "gdl/circuit/bitsliced_playouts.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::gdl {

// scalar: one state at a time, by compiled rules or by the interpreter, whichever is faster.
enum class Engine { automatic, scalar, sliced, interpreter, reasoner };

struct Simulation {
    Tally tally;
    Engine engine = Engine::scalar;  // the one that ran
    bool compiled = false;           // by compiled rules
    double compile_seconds = 0;      // CPU seconds that these took, not part of cpu_seconds
    std::size_t lanes = 1;
    double cpu_seconds = 0;
    Stop stop = Stop::none;
};

struct SimulateOptions {
    double seconds = 1;          // CPU seconds
    std::uint64_t playouts = 0;  // stop after so many instead, when not 0
    std::uint64_t seed = 1;
    std::uint64_t most_moves = 100000;  // a playout longer than this is given up
    Engine engine = Engine::automatic;  // automatic: whichever is faster in a short trial
    Limits limits = {};
};

[[nodiscard]] Simulation simulate(const Machine& machine, const SimulateOptions& options = {});
[[nodiscard]] Simulation simulate(Reasoner& reasoner, const SimulateOptions& options = {});

}  // namespace zermelo::gdl
