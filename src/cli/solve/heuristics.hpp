// The heuristics that a person can name: learned from playouts, lines read off the rules, or a formula.

#pragma once

#include <functional>

#include "game/heuristic/heuristic.hpp"
#include "gdl/game.hpp"

namespace zermelo::cli {

struct NamedHeuristic {
    std::function<game::Score(const gdl::State&, game::Player)> judge;
    std::string about;  // with a learned heuristic
};

// `name`: learned, lines, or an expression (game/heuristic/expression.hpp). Learning ends after so many
// seconds. Throws Error.
[[nodiscard]] NamedHeuristic heuristic_named(const std::string& name, const gdl::Game& game,
                                             std::uint64_t seed, double seconds);

}  // namespace zermelo::cli
