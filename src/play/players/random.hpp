// Random player: a uniformly random legal move.

#pragma once

#include "play/player.hpp"

namespace zermelo::play {

class RandomPlayer : public Player {
public:
    using Player::Player;

private:
    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                               Thought& thought) override;
};

}  // namespace zermelo::play
