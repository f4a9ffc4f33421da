// GameContext: what all players of a game share, found once a game and not once a match.
//
// The roles other than `random` are the seats; `random` is chance, and every legal move of it is equally
// likely. Where the description has `sees` rules (GDL-II) a role learns of a step only its own move and what
// it sees, unless these rules let everybody see every move; otherwise it learns all moves. Shared by any
// number of threads.

#pragma once

#include <array>

#include "game/heuristic/learned.hpp"
#include "gdl/game.hpp"
#include "play/anytime_cache.hpp"
#include "play/deadline.hpp"
#include "play/learn/value_network.hpp"
#include "scsp/win_loss_filter.hpp"
#include "symmetry/canonical.hpp"

namespace zermelo::gdl {
class Stepper;
}

namespace zermelo::play {

using gdl::JointMove;
using gdl::MoveId;
using gdl::State;

class GameContext {
public:
    // `game` must outlive it. Throws Error where nobody can play it, LimitReached where it is interrupted.
    explicit GameContext(const gdl::Game& game);

    [[nodiscard]] const gdl::Game& game() const { return game_; }
    [[nodiscard]] const gdl::Machine& machine() const { return game_.machine(); }
    [[nodiscard]] std::size_t roles() const { return chance_.size(); }
    [[nodiscard]] const std::vector<std::size_t>& seats() const { return seats_; }  // roles
    [[nodiscard]] bool chance(std::size_t role) const { return chance_[role]; }
    [[nodiscard]] bool hidden() const { return hidden_; }
    [[nodiscard]] std::string role_name(std::size_t role) const;
    // The place of a role among the seats.
    [[nodiscard]] game::Player seat_of(std::size_t role) const;

    // Two seats whose goals added up to 100 whenever one of some random plays ended. A game where they do not
    // always is possible still.
    [[nodiscard]] bool opposed() const { return opposed_; }

    // One seat moves at a time and everything is seen, without chance; as far as some random plays show.
    [[nodiscard]] bool turns() const { return turns_; }

    // A stepper (gdl/circuit/stepper.hpp) runs the game, and is faster than a runner.
    [[nodiscard]] bool steps_fast() const;

    // The role that has a choice where the stepper is; roles() where nobody has. Throws Error where a role
    // has no legal move, or several have a choice.
    [[nodiscard]] std::size_t mover(const gdl::Stepper& stepper) const;

    // What to throw where the role has no legal move in a state that is not over.
    [[nodiscard]] Error stuck(std::size_t role) const;

    // A heuristic learned from random plays (game/heuristic/learned.hpp) by the first who asks, until the
    // deadline; anew where somebody has much more time. It stays where it is. `foreseeing`: from plays in
    // which nobody overlooks what is certain.
    [[nodiscard]] const game::LearnedHeuristic& learned(const Deadline& deadline,
                                                        bool foreseeing = false) const;

    // What a state is worth (judge.hpp), learned from foreseeing plays and then from practice (practice.hpp)
    // where the game allows it; found in the same way.
    [[nodiscard]] const ValueNetwork& judge(const Deadline& deadline, bool foreseeing) const;

    // The game without moves that overlook what is certain (scsp/win_loss_filter.hpp), made by the first who
    // asks, as far as it gets until the deadline; anew where somebody has much more time. It stays where it
    // is.
    [[nodiscard]] const scsp::WinLossFilter& win_loss_filter(unsigned depth, const Deadline& deadline) const;

    // Symmetric states as one (symmetry/canonical.hpp), found in the same way.
    [[nodiscard]] const symmetry::Canonical& canonical(const Deadline& deadline) const;

private:
    void try_out();

    const gdl::Game& game_;
    std::vector<std::size_t> seats_;
    std::vector<bool> chance_;
    bool hidden_ = false;
    bool turns_ = false;
    bool opposed_ = false;
    mutable std::array<AnytimeCache<game::LearnedHeuristic>, 2>
        learned_;  // from random plays, from foreseeing ones
    game::LearnedHeuristic ignorant_;
    mutable std::array<AnytimeCache<ValueNetwork>, 2> judge_;
    ValueNetwork indifferent_;
    mutable std::array<AnytimeCache<scsp::WinLossFilter>, 4> foresight_;  // by depth
    scsp::WinLossFilter blind_;
    mutable std::once_flag stepper_tried_;
    mutable bool steps_fast_ = false;
    mutable AnytimeCache<symmetry::Canonical> canonical_;
    symmetry::Canonical plain_;
};

}  // namespace zermelo::play
