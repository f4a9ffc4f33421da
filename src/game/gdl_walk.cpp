#include "game/gdl_walk.hpp"

#include <fmt/format.h>

namespace zermelo::game {

GdlWalk::GdlWalk(const gdl::Game& game, const std::vector<gdl::Stepper::Permutation>& symmetries)
    : game_(game), stepper_(game, symmetries), random_(stepper_.roles()), plies_(1) {
    for (std::size_t r = 0; r < stepper_.roles(); ++r) {
        if (game.text(game.machine().network().roles[r]) == "random") random_ = r;
    }
}

Turn GdlWalk::turn() const {
    if (stepper_.terminal()) return {Turn::Kind::over, 0};
    std::size_t choosing = 0;
    Player mover = random_ == 0 ? 1 : 0;
    for (std::size_t r = 0; r < stepper_.roles(); ++r) {
        const std::size_t choices = stepper_.choices(r);
        if (choices == 1) continue;
        if (choices == 0) {
            throw Error(fmt::format("a state that is not terminal leaves {} without a legal move",
                                    game_.text(game_.machine().network().roles[r])),
                        "correct the rules; zermelo gdl check tells more");
        }
        mover = static_cast<Player>(r);
        ++choosing;
    }
    if (choosing > 1) return {Turn::Kind::simultaneous, 0};
    if (choosing == 1 && mover == random_) return {Turn::Kind::chance, mover};
    return {Turn::Kind::player, mover};
}

const std::vector<gdl::MoveId>& GdlWalk::list() {
    Ply& ply = plies_[depth_];
    if (!ply.listed) {
        ply.moves.clear();
        if (!stepper_.terminal()) stepper_.legal(turn().player, ply.moves);
        ply.listed = true;
    }
    return ply.moves;
}

void GdlWalk::make(std::size_t move) {
    const gdl::MoveId id = list()[move];
    stepper_.play(turn().player, id);
    if (++depth_ == plies_.size()) plies_.emplace_back();
    plies_[depth_].listed = false;
}

void GdlWalk::unmake() {
    stepper_.undo();
    --depth_;
}

}  // namespace zermelo::game
