// UCT and GRAVE: Monte Carlo tree search with playouts (tree.hpp), and where moves are hidden over what each
// role knows (information_tree.hpp).

#pragma once

#include "play/mcts/mcts.hpp"
#include "play/player.hpp"

namespace zermelo::play {

// Threads, memory and seed come from the settings.
[[nodiscard]] std::unique_ptr<Player> make_uct(const GameContext& rules, const Settings& settings,
                                               const MctsOptions& options);

}  // namespace zermelo::play
