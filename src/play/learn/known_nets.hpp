// Nets that were learned earlier (learn/net_file.hpp), found for a game.

#pragma once

#include <optional>
#include <string>

#include "learn/net_file.hpp"
#include "play/game_context.hpp"

namespace zermelo::play {

// Which game it is, where there is a cache folder with nets to look into, and it is found out soon.
[[nodiscard]] std::optional<symmetry::RulesForm> form_in_cache(const GameContext& rules);
// What that folder has about the game; nothing where there is nothing that can be used.
[[nodiscard]] std::shared_ptr<const learn::Judgement> judgement_in_cache(const GameContext& rules,
                                                                         const symmetry::RulesForm& form);

// What the file says about the game; throws Error where it cannot be used. Without a file, what is kept in the cache folder,
// and nothing where there is nothing: then a file that cannot be used counts as none.
[[nodiscard]] std::shared_ptr<const learn::Judgement> load_judgement(const GameContext& rules,
                                                                     const std::string& file);

}  // namespace zermelo::play
