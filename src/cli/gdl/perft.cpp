// zermelo gdl perft: sequences of joint moves and states, counted by depth.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "cli/gdl/runnable.hpp"
#include "cli/usage/values.hpp"
#include "gdl/perft.hpp"

namespace zermelo::cli {

namespace {

int run_perft(const GdlOptions& options, std::size_t depth) {
    const Limits bounds = options.limits.start();
    Runnable run(options, bounds);
    const gdl::Perft result =
        run.game ? gdl::perft(run.game->machine(), depth, bounds) : gdl::perft(*run.reasoner, depth, bounds);
    if (options.json) {
        auto paths = nlohmann::json::array();
        auto states = nlohmann::json::array();
        auto terminals = nlohmann::json::array();
        auto goals = nlohmann::json::array();
        for (const gdl::PerftLevel& level : result.levels) {
            paths.push_back(level.paths);
            states.push_back(level.states);
            terminals.push_back(level.terminal_paths);
            auto by_goal = nlohmann::json::array();
            for (const auto& [values, count] : level.goals)
                by_goal.push_back({{"goals", values}, {"paths", count}});
            goals.push_back(by_goal);
        }
        print({{"joint_moves", paths},
               {"states", states},
               {"terminals", terminals},
               {"goals", goals},
               {"distinct_states", result.distinct},
               {"stop", describe(result.stop)}});
    } else {
        std::cout << fmt::format("{:>5} {:>20} {:>14} {:>16}\n", "depth", "joint moves", "states",
                                 "terminal");
        for (std::size_t d = 0; d < result.levels.size(); ++d) {
            const gdl::PerftLevel& level = result.levels[d];
            std::cout << fmt::format("{:>5} {:>20} {:>14} {:>16}\n", d, count_text(level.paths),
                                     count_text(level.states), count_text(level.terminal_paths));
        }
        if (result.stop != Stop::none) std::cout << describe(result.stop) << '\n';
    }
    return exit_code(result.stop);
}

}  // namespace

Command add_gdl_perft(CLI::App& gdl) {
    auto* command = add_gdl_command(gdl, "perft", "Count sequences of joint moves and states by depth",
                                    "zermelo gdl perft games/gdl/tic-tac-toe.kif --depth 9");
    auto options = std::make_shared<GdlOptions>();
    auto depth = std::make_shared<std::size_t>(4);
    options->add_to(*command);
    constexpr std::size_t deepest = 10'000;
    command->add_option("--depth", *depth, "depth in joint moves")
        ->check(between<std::size_t>(0, deepest))
        ->capture_default_str();
    return {command, [options, depth] { return run_perft(*options, *depth); }};
}

}  // namespace zermelo::cli
