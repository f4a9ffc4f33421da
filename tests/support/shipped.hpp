// The shipped games in GDL, by name.

#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gdl/game.hpp"

namespace zermelo {

// The file of a game.
inline std::string shipped(const std::string& name) {
    return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
}

// All of them, in the order of their names.
inline std::vector<std::string> shipped_names() {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/games/gdl")) {
        if (entry.path().extension() == ".kif") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

inline gdl::Game shipped_game(const std::string& name) { return gdl::Game(shipped(name)); }

}  // namespace zermelo
