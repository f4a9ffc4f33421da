// Nets that were learned earlier (learn/net_file.hpp), found for a game.

#pragma once

#include <string>

#include "learn/net_file.hpp"
#include "play/game_context.hpp"

namespace zermelo::play {

// What the file says about the game; throws Error where it cannot be used. Without a file, what is kept in the cache folder,
// and nothing where there is nothing: then a file that cannot be used counts as none.
[[nodiscard]] std::shared_ptr<const learn::Judgement> load_judgement(const GameContext& rules,
                                                                     const std::string& file);

}  // namespace zermelo::play
