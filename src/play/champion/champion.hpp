// The player `zermelo`: resolution of the coming turns, sampling, and configuration racing.
//
// Part of the time of a move goes to an expectimax over the coming turns with a learned heuristic, the rest to
// Monte Carlo tree search on a filtered network (champion_engine.hpp). It grew out of the idea of MAC-UCB
// (Koriche et al. 2015), and is not that algorithm: that one is in play/mac_ucb/. Before the first move,
// configurations race (config_racing.hpp): how the time is split, how far filtering looks, whether symmetry
// pays; a setting that is given explicitly stays. Where nothing is known about the game, half of the time before that may go
// to learning it (learn/start_learning.hpp).
//
// Where moves are hidden, sampling goes over information sets (mcts/ismcts.hpp).

#pragma once

#include "play/champion/config_racing.hpp"
#include "play/learn/start_learning.hpp"

namespace zermelo::play {

struct ChampionOptions {
    ChampionEngineOptions engine = {};
    ChampionConfig config = {};          // of the first match
    ConfigRacing::Changes changes = {};  // what racing may change
};

// `racing` may be empty: the configuration stays. So may `learning`, which needs racing.
[[nodiscard]] std::unique_ptr<Player> make_champion(const GameContext& rules, const Settings& settings,
                                                    const ChampionOptions& options,
                                                    std::shared_ptr<ConfigRacing> racing,
                                                    std::shared_ptr<StartLearning> learning = nullptr);

}  // namespace zermelo::play
