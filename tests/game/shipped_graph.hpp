// The shipped graphs, by file.

#pragma once

#include <string>

#include "game/graph/graph.hpp"

namespace zermelo::game {

inline Graph shipped_graph(const std::string& file) {
    return read_graph(std::string(ZERMELO_SOURCE_DIR) + "/games/graphs/" + file);
}

}  // namespace zermelo::game
