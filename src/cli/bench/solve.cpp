// zermelo bench solve: exact solving of games in GDL, the default against the same without one of its
// techniques, and against the other engines, in one run. The time is that of the proof, without plans.

#include <fmt/format.h>

#include <iostream>

#include "cli/bench/bench.hpp"
#include "core/clock.hpp"
#include "game/solve.hpp"

namespace zermelo::cli {

namespace {

struct Measured {
    std::string what;
    game::Solution solution;
    double wall_seconds = 0;
};

Measured measure(const gdl::Game& game, const std::string& what, const game::SolveOptions& options) {
    const auto start = Clock::now();
    Measured row{what, {}, 0};
    try {
        row.solution = game::solve(game, options);
    } catch (const Error&) {
        row.solution.stop = Stop::none;  // refused
    }
    row.wall_seconds = seconds_since(start);
    return row;
}

std::string value_text(const game::Solution& solution) {
    if (!solution.solved) return solution.stop == Stop::none ? "refused" : "unfinished";
    return fmt::format("{}", fmt::join(solution.values, ":"));
}

}  // namespace

int BenchSolve::run() const {
    nlohmann::json all = nlohmann::json::array();
    if (!json) {
        std::cout << fmt::format("{:<28} {:>10} {:>14} {:>10} {:>10} {:>9} {:>9}\n", "game", "values",
                                 "positions", "CPU s", "wall s", "× pos.", "× wall");
    }
    for (const std::string& file : files) {
        const gdl::Game game(file);
        game::SolveOptions options;
        options.engine = game::Engine::alpha_beta;
        options.plans = false;
        options.table_bytes = std::size_t{table_megabytes} << 20;
        std::vector<std::pair<std::string, game::SolveOptions>> variants = {{file, options}};
        variants.emplace_back("  one thread", options).second.threads = 1;
        if (!brief) {
            variants.emplace_back("  without symmetry", options).second.symmetry = false;
            variants.emplace_back("  not compiled", options).second.compiled = false;
            variants.emplace_back("  proof-number", options).second.engine = game::Engine::proof_number;
            variants.emplace_back("  attractors", options).second.engine = game::Engine::attractors;
        }
        std::optional<Measured> first;
        for (auto& [what, chosen] : variants) {
            chosen.limits = Limits(seconds, std::nullopt);
            const Measured row = measure(game, what, chosen);
            const auto& s = row.solution.statistics;
            if (!first) first = row;
            const double positions =
                static_cast<double>(s.nodes) / static_cast<double>(first->solution.statistics.nodes);
            const double wall = row.wall_seconds / first->wall_seconds;
            if (json) {
                all.push_back({{"game", file},
                               {"variant", what},
                               {"values", value_text(row.solution)},
                               {"nodes", s.nodes},
                               {"cpu_seconds", s.cpu_seconds},
                               {"wall_seconds", row.wall_seconds},
                               {"positions_ratio", positions},
                               {"wall_ratio", wall}});
            } else {
                std::cout << fmt::format("{:<28} {:>10} {:>14} {:>10.2f} {:>10.2f} {:>9.2f} {:>9.2f}\n", what,
                                         value_text(row.solution), count_text(s.nodes), s.cpu_seconds,
                                         row.wall_seconds, positions, wall)
                          << std::flush;
            }
            if (row.solution.stop == Stop::interrupted) return interrupted;
        }
    }
    if (json) print({{"games", all}});
    return answered;
}

}  // namespace zermelo::cli
