#pragma once

#include <string>

inline std::string shipped(const std::string& name) {
    return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
}
