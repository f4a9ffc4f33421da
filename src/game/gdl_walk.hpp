// A GDL game, walked on the stepper.

#pragma once

#include "game/game.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::game {

class GdlWalk {
public:
    explicit GdlWalk(const gdl::Game& game, const std::vector<gdl::Stepper::Permutation>& symmetries = {});

    [[nodiscard]] std::size_t players() const { return stepper_.roles(); }
    [[nodiscard]] Turn turn() const;  // Error where the rules leave a role without a move
    [[nodiscard]] std::size_t moves() { return list().size(); }
    [[nodiscard]] int payoff(Player player) const { return stepper_.goal(player); }
    [[nodiscard]] Hash128 key() const { return stepper_.key(); }
    [[nodiscard]] Hash128 exact_key() const { return stepper_.exact_key(); }
    [[nodiscard]] std::uint32_t move_id(std::size_t move) { return list()[move]; }
    void make(std::size_t move);
    void unmake();
    [[nodiscard]] gdl::Stepper::Glimpse glimpse(std::size_t move, Player whose) {
        const Player mover = turn().player;
        return stepper_.glimpse(mover, list()[move], whose);
    }
    [[nodiscard]] gdl::Stepper& stepper() { return stepper_; }

private:
    struct Ply {
        bool listed = false;
        std::vector<gdl::MoveId> moves;
    };
    const std::vector<gdl::MoveId>& list();

    const gdl::Game& game_;
    gdl::Stepper stepper_;
    std::size_t random_;  // the role that is chance
    std::size_t depth_ = 0;
    std::vector<Ply> plies_;
};

static_assert(Walk<GdlWalk>);

}  // namespace zermelo::game
