// The shipped games in GDL, by name.

#pragma once

#include <string>

#include "gdl/game.hpp"

namespace zermelo {

// The file of a game.
inline std::string shipped(const std::string& name) {
    return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
}

inline gdl::Game shipped_game(const std::string& name) { return gdl::Game(shipped(name)); }

}  // namespace zermelo
