// Greedy player: one-ply lookahead.
//
// A move is worth the mean goal of the role in the states after it, over the positions that are possible and
// over what the others may do, all equally likely. Goals count in states that are not over, too: many games
// state there how far a role has come.

#pragma once

#include "play/player.hpp"

namespace zermelo::play {

class GreedyPlayer : public Player {
public:
    GreedyPlayer(const GameContext& rules, const Settings& settings)
        : Player(rules, settings), info_(rules) {}

private:
    struct Tally;

    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                               Thought& thought) override;
    [[nodiscard]] bool look_ahead(const Position& position, double weight, const std::vector<MoveId>& legal,
                                  const Deadline& deadline, std::vector<Tally>& tallies);
    void list_others();

    InfoState info_;
    std::vector<JointMove> others_;  // what the others may do in the info; the own move is open
    bool sampled_ = false;           // some possibilities were left out
};

}  // namespace zermelo::play
