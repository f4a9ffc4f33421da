// The parts of a word plan: how one word is computed from others, and what moves do by themselves.

#pragma once

#include <map>

#include "gdl/compiled/word_plan.hpp"

namespace zermelo::gdl {

// By word * 2 + negated, and by lane: the bits of that word which the lane reads.
using LaneReads = std::map<std::uint32_t, std::vector<std::vector<std::uint8_t>>>;

// The word whose lanes read so: by transfers, or by reductions where these are fewer instructions. Their number,
// about, is added to `cost`.
[[nodiscard]] WordPlan::Group make_group(std::size_t lanes, const LaneReads& reads, double& cost);

// The values of gates that depend on the role's move alone, a row of words for each move. `gates` are in
// topological order; those that are read have a place in the words of a row.
[[nodiscard]] std::vector<std::uint64_t> move_table(const Network& network, std::size_t role,
                                                    const std::vector<std::uint32_t>& gates,
                                                    const std::vector<WordPlan::Place>& places,
                                                    std::uint32_t first_row, std::uint32_t row_words);

}  // namespace zermelo::gdl
