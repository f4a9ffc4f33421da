#include "cli/solve/heuristics.hpp"

#include "game/heuristic/expression.hpp"
#include "game/heuristic/learned.hpp"
#include "game/heuristic/lines.hpp"

namespace zermelo::cli {

NamedHeuristic heuristic_named(const std::string& name, const gdl::Game& game, std::uint64_t seed,
                               double seconds) {
    if (name == "learned") {
        game::LearnOptions learning;
        learning.seed = seed;
        learning.limits = Limits(seconds, std::nullopt);
        return {game::learn(game.machine(), learning), "with a learned heuristic"};
    }
    if (name == "lines")
        return {game::lines_heuristic(game.machine()), "with the lines of the rules as heuristic"};
    return {game::Expression(game, name, "--heuristic"), "with the given heuristic"};
}

}  // namespace zermelo::cli
