#include "game/views/gdl_walk.hpp"

#include <fmt/format.h>

namespace zermelo::game {

template <class S>
void StepperWalk<S>::refuse_chance() const {
    for (const gdl::TermId role : game_.machine().network().roles) {
        if (game_.text(role) == "random") require_turns({Turn::Kind::chance, 0}, "this engine");
    }
}

template <class S>
void StepperWalk<S>::load(const gdl::State& state) {
    stepper_.load(state);
    depth_ = 0;
    plies_.front().known = false;
}

template <class S>
Turn StepperWalk<S>::find_turn() const {
    if (stepper_.terminal()) return {Turn::Kind::over, 0};
    std::size_t choosing = 0;
    Player mover = 0;
    for (std::size_t r = 0; r < stepper_.roles(); ++r) {
        const std::size_t choices = stepper_.choices(r);
        if (choices == 1) continue;
        if (choices == 0) {
            throw Error(fmt::format("{} has no legal move in a non-terminal state",
                                    game_.text(game_.machine().network().roles[r])),
                        "correct the rules; `zermelo gdl check` shows the state");
        }
        mover = static_cast<Player>(r);
        ++choosing;
    }
    return {choosing > 1 ? Turn::Kind::simultaneous : Turn::Kind::player, mover};
}

template <class S>
auto StepperWalk<S>::ply() -> const Ply& {
    Ply& ply = plies_[depth_];
    if (ply.known) return ply;
    ply.turn = find_turn();
    ply.moves.clear();
    if (ply.turn.kind == Turn::Kind::player) stepper_.legal(ply.turn.player, ply.moves);
    ply.known = true;
    return ply;
}

template <class S>
Peek StepperWalk<S>::peek(std::size_t move, Player whose) {
    const Ply& from = ply();
    const auto seen = stepper_.peek(from.turn.player, from.moves[move], whose);
    if (seen.terminal && players() == 2) require_opposed(seen.goals);
    Peek peek{seen.key, static_cast<std::uint32_t>(seen.effect.low), seen.terminal, seen.goal, seen.threats};
    if constexpr (std::same_as<S, gdl::CompiledStepper>) peek.lines = seen.lines;
    return peek;
}

template <class S>
void StepperWalk<S>::make(std::size_t move) {
    const Ply& from = ply();
    stepper_.play(from.turn.player, from.moves[move]);
    if (++depth_ == plies_.size()) plies_.emplace_back();
    plies_[depth_].known = false;
}

template <class S>
void StepperWalk<S>::unmake() {
    stepper_.undo();
    --depth_;
}

template class StepperWalk<gdl::Stepper>;
template class StepperWalk<gdl::CompiledStepper>;

}  // namespace zermelo::game
