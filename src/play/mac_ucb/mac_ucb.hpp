// MAC-UCB (seed 003) and MAC-UCB-SYM (seed 002): constraint programming plays a game.
//
// A game is a sequence of micro-SCSPs, one a turn. Part of the time of a move goes to their resolution, the
// rest to sampling the continuations by upper confidence bounds (mind.hpp). MAC-UCB-SYM also takes symmetric
// micro-SCSPs for one. Both find out what suits the game at hand (trials.hpp): how the time is split, how far
// filtering looks, whether symmetry pays; where a setting is given it stays.
//
// Where moves are hidden, sampling goes over what each role knows (information_tree.hpp).

#pragma once

#include "play/mac_ucb/config_racing.hpp"

namespace zermelo::play {

struct MacUcbOptions {
    MacUcbEngineOptions mind = {};
    MacUcbConfig way = {};               // to start with
    ConfigRacing::Changes changes = {};  // what may be changed after trials
};

// `trials` may be empty: the way stays.
[[nodiscard]] std::unique_ptr<Player> make_mac_ucb(const GameContext& rules, const Settings& settings,
                                                   const MacUcbOptions& options,
                                                   std::shared_ptr<ConfigRacing> trials);

}  // namespace zermelo::play
