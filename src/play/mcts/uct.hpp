// UCT and GRAVE players: Monte Carlo tree search (mcts.hpp), and information set MCTS where moves are hidden
// (ismcts.hpp).

#pragma once

#include "play/mcts/mcts.hpp"
#include "play/player.hpp"

namespace zermelo::play {

// Threads, memory and seed come from the settings.
[[nodiscard]] std::unique_ptr<Player> make_uct(const GameContext& rules, const Settings& settings,
                                               const MctsOptions& options);

}  // namespace zermelo::play
