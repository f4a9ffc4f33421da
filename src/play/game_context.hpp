// Game context: what all players of a game share, computed once a game and not once a match.
//
// The roles other than `random` are the seats; `random` is chance, and every legal move of it is equally
// likely. Where the description has `sees` rules (GDL-II, Thielscher 2010) a role learns of a step only its
// own move and what it sees, unless these rules let every role see every move; otherwise it learns all moves.
// Shared by any number of threads.

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
    // `game` must outlive it. Throws Error where there is no role but chance, LimitReached where it is
    // interrupted.
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

    // Constant-sum, as far as some random plays show: two seats whose goals add up to 100.
    [[nodiscard]] bool opposed() const { return opposed_; }

    // Two seats of which one gets more than the other in most random plays; in particular two that are opposed and seldom
    // draw.
    [[nodiscard]] bool rivals() const { return rivals_; }

    // One seat moves at a time and everything is seen, without chance; as far as some random plays show.
    [[nodiscard]] bool turns() const { return turns_; }

    // A stepper (gdl/stepper.hpp) runs the game, and is faster than a runner.
    [[nodiscard]] bool steps_fast() const;

    // The role that has a choice where the stepper is; roles() where none has. Throws Error where a role
    // has no legal move, or several have a choice.
    [[nodiscard]] std::size_t mover(const gdl::Stepper& stepper) const;

    // What to throw where the role has no legal move in a state that is not over.
    [[nodiscard]] Error stuck(std::size_t role) const;

    // A heuristic learned from random plays (game/heuristic/learned.hpp), cached as anytime_cache.hpp says.
    // `filtered`: from plays on the win_loss_filter.
    [[nodiscard]] const game::LearnedHeuristic& learned(const Deadline& deadline,
                                                        bool filtered = false) const;

    // A value network, learned from random plays and then by self-play (learn/self_play.hpp) where the game
    // allows it; cached in the same way.
    [[nodiscard]] const ValueNetwork& value_network(const Deadline& deadline, bool filtered) const;

    // The game without moves that miss an immediate win or allow one (scsp/win_loss_filter.hpp), as far as
    // it gets until the deadline; cached in the same way.
    [[nodiscard]] const scsp::WinLossFilter& win_loss_filter(unsigned depth, const Deadline& deadline) const;

    // Canonical forms of symmetric states (symmetry/canonical.hpp), cached in the same way.
    [[nodiscard]] const symmetry::Canonical& canonical(const Deadline& deadline) const;

private:
    void probe();

    const gdl::Game& game_;
    std::vector<std::size_t> seats_;
    std::vector<bool> chance_;
    bool hidden_ = false;
    bool turns_ = false;
    bool opposed_ = false;
    bool rivals_ = false;
    mutable std::array<AnytimeCache<game::LearnedHeuristic>, 2>
        learned_;  // from all random plays, from filtered ones
    game::LearnedHeuristic untrained_heuristic_;
    mutable std::array<AnytimeCache<ValueNetwork>, 2> value_networks_;
    ValueNetwork untrained_network_;
    mutable std::array<AnytimeCache<scsp::WinLossFilter>, 4> win_loss_filters_;  // by depth
    scsp::WinLossFilter empty_filter_;
    mutable std::once_flag stepper_tried_;
    mutable bool steps_fast_ = false;
    mutable AnytimeCache<symmetry::Canonical> canonical_;
    symmetry::Canonical identity_;
};

}  // namespace zermelo::play
