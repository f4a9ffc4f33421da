// A GDL game without chance as a Walk, on the Stepper. All roles are players.

#pragma once

#include "game/peek.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::game {

// Two roles whose goals do not always add up to 100.
class NotOpposed : public Error {
    using Error::Error;
};

class GdlWalk {
public:
    // Error where the stepper does not support the game, or a role is `random`.
    explicit GdlWalk(const gdl::Game& game, const std::vector<gdl::Stepper::Permutation>& symmetries = {});

    void load(const gdl::State& state);  // walks from there

    [[nodiscard]] std::size_t players() const { return stepper_.roles(); }
    [[nodiscard]] Turn turn() { return ply().turn; }  // Error where the rules leave a role without a move
    [[nodiscard]] std::size_t moves() { return ply().moves.size(); }
    [[nodiscard]] int payoff(Player player) const { return stepper_.goal(player); }
    [[nodiscard]] Hash128 key() const { return stepper_.key(); }
    [[nodiscard]] Hash128 exact_key() const { return stepper_.exact_key(); }
    [[nodiscard]] std::uint32_t move_id(std::size_t move) { return ply().moves[move]; }
    void make(std::size_t move);
    void unmake();
    [[nodiscard]] Peek peek(std::size_t move, Player whose);  // throws NotOpposed
    [[nodiscard]] std::pair<int, int> payoff_bounds(Player player) const {
        return stepper_.goal_bounds(player);
    }
    [[nodiscard]] gdl::State state() const { return stepper_.state(); }

private:
    struct Ply {
        bool known = false;
        Turn turn;
        std::vector<gdl::MoveId> moves;
    };
    [[nodiscard]] const Ply& ply();
    [[nodiscard]] Turn find_turn() const;

    const gdl::Game& game_;
    gdl::Stepper stepper_;
    std::size_t depth_ = 0;
    std::vector<Ply> plies_;
};

static_assert(Walk<GdlWalk>);

}  // namespace zermelo::game
