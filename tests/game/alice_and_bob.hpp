// Two players by name.

#pragma once

#include "game/game.hpp"

namespace zermelo::game {

inline constexpr Player alice = 0;
inline constexpr Player bob = 1;

}  // namespace zermelo::game
