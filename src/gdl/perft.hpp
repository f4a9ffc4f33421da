// Perft: how many sequences of joint moves there are of each length, and how many different states they
// reach.
//
// The usual test of a move generator. States are counted level by level with the number of ways to reach
// each, so the cost grows with the states, not with the sequences.

#pragma once

#include <map>

#include "gdl/circuit/machine.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::gdl {

struct PerftLevel {
    std::uint64_t paths = 0;                          // sequences of joint moves
    std::uint64_t states = 0;                         // different states
    std::uint64_t terminal_paths = 0;                 // sequences that end here
    std::map<std::vector<int>, std::uint64_t> goals;  // of these: by the goals of the roles
};

struct Perft {
    std::vector<PerftLevel> levels;  // from depth 0
    Stop stop = Stop::none;          // why it is shorter than asked for
    std::uint64_t distinct = 0;      // different states over all levels
};

[[nodiscard]] Perft perft(const Machine& machine, std::size_t depth, const Limits& limits = {});
[[nodiscard]] Perft perft(Reasoner& reasoner, std::size_t depth, const Limits& limits = {});

}  // namespace zermelo::gdl
