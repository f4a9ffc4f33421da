#include "game/views/gdl_walk.hpp"

#include <fmt/format.h>

namespace zermelo::game {

GdlWalk::GdlWalk(const gdl::Game& game, const std::vector<gdl::Stepper::Permutation>& symmetries)
    : game_(game), stepper_(game, symmetries), plies_(1) {
    for (const gdl::TermId role : game.machine().network().roles) {
        if (game.text(role) == "random") require_turns({Turn::Kind::chance, 0}, "this engine");
    }
}

void GdlWalk::load(const gdl::State& state) {
    stepper_.load(state);
    depth_ = 0;
    plies_.front().known = false;
}

Turn GdlWalk::find_turn() const {
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

const GdlWalk::Ply& GdlWalk::ply() {
    Ply& ply = plies_[depth_];
    if (ply.known) return ply;
    ply.turn = find_turn();
    ply.moves.clear();
    if (ply.turn.kind == Turn::Kind::player) stepper_.legal(ply.turn.player, ply.moves);
    ply.known = true;
    return ply;
}

Peek GdlWalk::peek(std::size_t move, Player whose) {
    const Ply& from = ply();
    const auto seen = stepper_.peek(from.turn.player, from.moves[move], whose);
    if (seen.terminal && players() == 2 && seen.goals != win) {
        throw NotOpposed("the goals of the two roles do not add up to 100 in every terminal state",
                         "use " + setting("engine", "attractors"));
    }
    return {seen.key, static_cast<std::uint32_t>(seen.effect.low), seen.terminal, seen.goal, seen.threats};
}

void GdlWalk::make(std::size_t move) {
    const Ply& from = ply();
    stepper_.play(from.turn.player, from.moves[move]);
    if (++depth_ == plies_.size()) plies_.emplace_back();
    plies_[depth_].known = false;
}

void GdlWalk::unmake() {
    stepper_.undo();
    --depth_;
}

}  // namespace zermelo::game
