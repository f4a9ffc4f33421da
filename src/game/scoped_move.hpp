// ScopedMove: one move of a walk, made for as long as the object lives.
//
// A search that ends at a deadline, or because a heuristic or the rules complain, is left by an exception;
// the scoped moves on its stack then take the walk back to where it began.

#pragma once

#include "game/game.hpp"

namespace zermelo::game {

template <Walk W>
class ScopedMove {
public:
    template <class Move>
    ScopedMove(W& walk, const Move& move) : walk_(walk) {
        walk_.make(move);
    }
    ~ScopedMove() { walk_.unmake(); }
    ScopedMove(const ScopedMove&) = delete;
    ScopedMove& operator=(const ScopedMove&) = delete;

private:
    W& walk_;
};

}  // namespace zermelo::game
