// Dice, cards, score sheets and numbers in the terminal, where the hints beside the rules say that facts are such; as
// web/src/board/specials.tsx shows them.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace zermelo::cli {

// Lines for the facts that are such; these are taken out of `facts`. `roles` are the columns of score sheets. Nothing is
// drawn where the hints are of another form than ours.
[[nodiscard]] std::string draw_specials(std::vector<std::string>& facts, const nlohmann::json& hints,
                                        const std::vector<std::string>& roles);

}  // namespace zermelo::cli
