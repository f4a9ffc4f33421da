// A shipped game with its rules.

#pragma once

#include <string>

#include "play/rules.hpp"

inline std::string shipped(const std::string& name) {
    return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
}

namespace zermelo::play {

struct Loaded {
    gdl::Game game;
    Rules rules{game};
    explicit Loaded(const std::string& name) : game(shipped(name)) {}
    explicit Loaded(gdl::Description description) : game(std::move(description)) {}
};

}  // namespace zermelo::play
