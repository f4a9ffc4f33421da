// Building a plan: the walk of plan.hpp, with somebody to ask at each state of the owner.

#pragma once

#include <functional>
#include <type_traits>

#include "core/limits.hpp"
#include "game/search/path.hpp"
#include "game/strategy/positional_strategy.hpp"

namespace zermelo::game {

template <Walk W>
using Choose = std::function<std::size_t(W&)>;

// From the current position of the walk. `choose(walk)` tells the owner's move, once for each state; it may
// walk on, and has to come back. Throws LimitReached, and Repetition where the choices lead in a circle
// though the plan promises more than endless play pays. Instantiated in positional_strategy.cpp for the walks
// of this room; for any other walk include build-inl.hpp.
template <Walk W>
[[nodiscard]] Plan build_plan(W& walk, Player owner, int promise,
                              const std::type_identity_t<Choose<W>>& choose, const Limits& limits = {});

}  // namespace zermelo::game
