// RandomPlayer: any legal move. Nobody should lose against it for long.

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
