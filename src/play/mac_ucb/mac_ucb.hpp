// MAC-UCB (Piette et al. 2015) and MAC-UCB-SYM (Koriche et al. 2016): constraint programming plays a game.
//
// A game is a sequence of micro-SCSPs, one a turn. Part of the time of a move goes to their resolution, the
// rest to sampling the continuations by upper confidence bounds (mac_ucb_engine.hpp). MAC-UCB-SYM also
// identifies symmetric micro-SCSPs. Both race configurations before the first move (config_racing.hpp): how
// the time is split, how far filtering looks, whether symmetry pays; a setting that is given explicitly
// stays.
//
// Where moves are hidden, sampling goes over information sets (mcts/ismcts.hpp).

#pragma once

#include "play/mac_ucb/config_racing.hpp"

namespace zermelo::play {

struct MacUcbOptions {
    MacUcbEngineOptions engine = {};
    MacUcbConfig config = {};            // of the first match
    ConfigRacing::Changes changes = {};  // what racing may change
};

// `racing` may be empty: the configuration stays.
[[nodiscard]] std::unique_ptr<Player> make_mac_ucb(const GameContext& rules, const Settings& settings,
                                                   const MacUcbOptions& options,
                                                   std::shared_ptr<ConfigRacing> racing);

}  // namespace zermelo::play
