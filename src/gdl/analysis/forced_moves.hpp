// Forced moves: who really does something where nobody has a choice.
//
// GDL lets every role move in every state, so that who is not on turn has a move that only waits. A move counts if some
// rule asks for it by `does`; where several do, or none, the first role is taken.

#pragma once

#include <optional>
#include <string>

#include "gdl/game.hpp"

namespace zermelo::gdl {

struct Deed {
    std::string role;
    std::string move;
};

// For many states of one game, which must outlive it.
class ForcedMoves {
public:
    explicit ForcedMoves(const Game& game) : game_(game), runner_(game.machine()) {}
    // Nothing where the play is over, or somebody has a choice.
    [[nodiscard]] std::optional<Deed> at(const State& state);

private:
    const Game& game_;
    Runner runner_;
    std::vector<MoveId> legal_;
};

// The same for one state.
[[nodiscard]] std::optional<Deed> forced_deed(const Game& game, const State& state);

}  // namespace zermelo::gdl
