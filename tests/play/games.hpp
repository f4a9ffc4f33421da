// A shipped game with its rules, and what a referee does with players.

#pragma once

#include <string>

#include "play/player.hpp"
#include "support/shipped.hpp"

namespace zermelo::play {

struct Loaded {
    gdl::Game game;
    GameContext rules{game};
    explicit Loaded(const std::string& name) : game(shipped(name)) {}
    explicit Loaded(gdl::Description description) : game(std::move(description)) {}
};

// Each seat's player learns of the step that the info has just made what its role learns of it.
inline void tell(const std::vector<std::unique_ptr<Player>>& players, InfoState& info,
                 const JointMove& joint) {
    const GameContext& rules = info.rules();
    for (std::size_t s = 0; s < players.size(); ++s) {
        const std::size_t role = rules.seats()[s];
        Observation seen;
        seen.own = joint[role];
        if (rules.hidden())
            seen.percepts = info.percepts(role);
        else
            seen.joint = joint;
        players[s]->see(std::move(seen));
    }
}

}  // namespace zermelo::play
