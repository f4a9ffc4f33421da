// Best play in a game with chance that has been solved: all beliefs of the players are listed and valued
// (game/chance/expected_values.hpp), and a follower keeps track of where a match stands among them.

#pragma once

#include "game/chance/expected_values.hpp"
#include "game/views/belief_game.hpp"
#include "play/player.hpp"

namespace zermelo::play {

struct KnownChance {
    game::Graph graph;
    game::ExpectedValues values;
};

// Throws Error where the game cannot be solved so, LimitReached.
[[nodiscard]] std::shared_ptr<const KnownChance> solve_chance(const GameContext& rules, const Limits& limits,
                                                              unsigned threads);

// Where a match stands, as one role knows it.
class ChanceFollower {
public:
    ChanceFollower(const GameContext& rules, std::shared_ptr<const KnownChance> known, std::size_t role);

    void see(const Observation& seen);
    // The best of these moves, with what all of them are worth; nothing where the role is not on turn, or has
    // seen what cannot be.
    [[nodiscard]] std::optional<MoveId> choose(const std::vector<MoveId>& legal, Thought& thought);

private:
    const GameContext& rules_;
    std::shared_ptr<const KnownChance> known_;
    std::size_t role_;
    game::ChanceGame game_;
    game::ChanceGame::State belief_;
    game::StateId at_;
    bool lost_ = false;
};

}  // namespace zermelo::play
