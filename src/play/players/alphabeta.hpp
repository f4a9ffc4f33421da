// Alpha-beta player: iterative deepening alpha-beta (game/search/alphabeta.hpp) with a heuristic learned from
// random plays (game/heuristic/learned.hpp).
//
// Where one player moves at a time and everything is seen, it searches the game itself, and on the stepper
// (gdl/stepper.hpp) it keeps its transposition table from one move to the next. Any other game is
// searched in several determinizations (information/determinization.hpp) of positions drawn from the belief,
// and the move that is best in most of them is made. With more than two players it assumes that all others
// play against it (the paranoid algorithm, Sturtevant and Korf 2000).

#pragma once

#include "game/search/alphabeta.hpp"
#include "game/views/gdl_walk.hpp"
#include "play/information/determinization.hpp"
#include "play/player.hpp"

namespace zermelo::play {

struct AlphaBetaPlayerOptions {
    std::size_t determinizations = 8;  // that share the time of a move
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
    [[nodiscard]] MoveId search_determinizations(const std::vector<MoveId>& legal,
                                                 const TimeBudget& allowance, Thought& thought);
    [[nodiscard]] game::AlphaBetaOptions options_for(std::uint64_t calls, const Deadline& deadline) const;
    [[nodiscard]] game::Player seat() const { return rules().seat_of(role()); }

    AlphaBetaPlayerOptions options_;
    std::unique_ptr<game::GdlWalk> walk_;  // none: determinizations
    std::unique_ptr<Search> search_;       // on it, when the heuristic is there
    std::uint64_t calls_ = 0;              // that this search may take
    const game::LearnedHeuristic* learned_ = nullptr;
};

}  // namespace zermelo::play
