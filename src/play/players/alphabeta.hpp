// AlphaBetaPlayer: searches deeper and deeper (game/search/alphabeta.hpp), and judges by what random plays
// taught (game/heuristic/learned.hpp).
//
// Where one player moves at a time and everything is seen, it searches the game itself, and on the stepper
// (gdl/circuit/stepper.hpp) it remembers positions from one move to the next. Any other game is searched in
// several worlds (worlds.hpp), drawn from what is possible, and the move that is best in most of them is
// made. Between more than two players it expects all others to be against it.

#pragma once

#include "game/search/alphabeta.hpp"
#include "game/views/gdl_walk.hpp"
#include "play/information/determinization.hpp"
#include "play/player.hpp"

namespace zermelo::play {

struct AlphaBetaPlayerOptions {
    std::size_t worlds = 8;  // that share the time of a move
};

class AlphaBetaPlayer : public Player {
public:
    AlphaBetaPlayer(const GameContext& rules, const Settings& settings,
                    const AlphaBetaPlayerOptions& options = {});

private:
    using Heuristic = game::OnState<game::LearnedHeuristic>;
    using Search = game::AlphaBeta<game::GdlWalk, Heuristic>;

    void prepare(const Deadline& deadline) override;
    [[nodiscard]] MoveId think(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                               Thought& thought) override;
    [[nodiscard]] MoveId search_game(const TimeBudget& allowance, Thought& thought);
    [[nodiscard]] MoveId search_worlds(const std::vector<MoveId>& legal, const TimeBudget& allowance,
                                       Thought& thought);
    [[nodiscard]] game::AlphaBetaOptions options_for(std::uint64_t calls, const Deadline& deadline) const;
    [[nodiscard]] game::Player seat() const { return rules().seat_of(role()); }

    AlphaBetaPlayerOptions options_;
    std::unique_ptr<game::GdlWalk> walk_;  // none: worlds
    std::unique_ptr<Search> search_;       // on it, when the heuristic is there
    std::uint64_t calls_ = 0;              // that this search may take
    const game::LearnedHeuristic* learned_ = nullptr;
};

}  // namespace zermelo::play
