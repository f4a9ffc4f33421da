// A GDL game without chance as a Walk, on compiled moves or on the Stepper. All roles are players.

#pragma once

#include "game/peek.hpp"
#include "gdl/compiled_stepper.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::game {

template <class S>
class StepperWalk {
public:
    // Error where the stepper does not support the game, or a role is `random`. Templates, so that instantiating the
    // class leaves out the one that its stepper has no constructor for.
    template <std::same_as<gdl::Stepper> Plain = S>
    explicit StepperWalk(const gdl::Game& game, const std::vector<gdl::Stepper::Permutation>& symmetries = {})
        : game_(game), stepper_(game, symmetries) {
        refuse_chance();
    }
    template <std::same_as<gdl::CompiledStepper> Compiled = S>
    StepperWalk(const gdl::Game& game, std::shared_ptr<gdl::CompiledMoves> moves)
        : game_(game), stepper_(std::move(moves)) {
        refuse_chance();
    }

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
    void refuse_chance() const;
    [[nodiscard]] const Ply& ply();
    [[nodiscard]] Turn find_turn() const;

    const gdl::Game& game_;
    S stepper_;
    std::size_t depth_ = 0;
    std::vector<Ply> plies_ = std::vector<Ply>(1);
};

using GdlWalk = StepperWalk<gdl::Stepper>;  // any game without recursive rules
using CompiledWalk =
    StepperWalk<gdl::CompiledStepper>;  // several times faster, where the moves can be compiled
static_assert(Walk<GdlWalk> && Walk<CompiledWalk>);

}  // namespace zermelo::game
