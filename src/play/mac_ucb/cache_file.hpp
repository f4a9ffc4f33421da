// The cache of MAC-UCB as a file, so that it grows over matches and not only over moves (Koriche et al. 2015,
// section 3 and figures 2 and 3).
//
// A file is a checkpoint (game/explore/checkpoint.hpp): checked as a whole before it is used, replaced as a whole
// when it is written, and bound to the rules. It has the micro-SCSPs that were visited most, as many as fit into
// the memory. What leads out of them is open again: a micro-SCSP of which a next one is missing has to be resolved
// anew, and keeps its visits and its utilities. Symmetries are not stored, because how many of them are found may
// depend on time; a micro-SCSP is known by its states.
//
// Cost: linear in the size of the cache.

#pragma once

#include <string>

#include "play/mac_ucb/micro_tree.hpp"

namespace zermelo::play {

// What the file holds, up to so many bytes of memory; an empty cache where there is no file. Throws Error where
// the file is damaged, or belongs to other rules.
[[nodiscard]] MicroTree read_cache(const std::string& file, const GameContext& rules, std::size_t memory);

// Writes what the cache and the file know: of a micro-SCSP that both have, what was visited more. Throws as above,
// and where the file cannot be written. One writer at a time.
void write_cache(const std::string& file, const GameContext& rules, const MicroTree& tree,
                 std::size_t memory);

}  // namespace zermelo::play
