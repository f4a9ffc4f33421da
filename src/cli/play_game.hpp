// zermelo play, for games in GDL and graphs: a person in the terminal against an engine.

#pragma once

#include "cli/adviser.hpp"
#include "cli/subject.hpp"

namespace zermelo::cli {

struct PlayGame {
    std::string role;  // the person's; empty: the first
    AdviserOptions adviser;

    // `source` names a game in GDL, or a graph.
    [[nodiscard]] int run(ModelOptions& source) const;
};

// A state as a person likes to see it: facts with the same relation together, and those that look like
// (cell 2 3 x) as a board.
[[nodiscard]] std::string board(const std::vector<std::string>& facts);

}  // namespace zermelo::cli
