// The subcommands of `zermelo gdl`, one a file, and what they share.

#pragma once

#include "cli/command.hpp"
#include "gdl/game.hpp"

namespace zermelo::cli {

struct GdlOptions {
    std::string file;
    LimitOptions limits;
    bool json = false;

    void add_to(CLI::App& app);
    [[nodiscard]] gdl::GroundOptions grounding(const Limits& bounds) const {
        gdl::GroundOptions options;
        options.limits = bounds;
        return options;
    }
};

[[nodiscard]] std::vector<std::string> role_names(const gdl::Game& game);

// Adds a command to `gdl`, without options.
[[nodiscard]] CLI::App* add_gdl_command(CLI::App& gdl, const std::string& name, const std::string& about,
                                        const std::string& example);

// Each adds its command to `gdl`; the result is what to run when it is chosen.
[[nodiscard]] Command add_gdl_info(CLI::App& gdl);
[[nodiscard]] Command add_gdl_check(CLI::App& gdl);
[[nodiscard]] Command add_gdl_ground(CLI::App& gdl);
[[nodiscard]] Command add_gdl_fmt(CLI::App& gdl);
[[nodiscard]] Command add_gdl_perft(CLI::App& gdl);
[[nodiscard]] Command add_gdl_model(CLI::App& gdl);
[[nodiscard]] Command add_gdl_simulate(CLI::App& gdl);
[[nodiscard]] Command add_gdl_network(CLI::App& gdl);

}  // namespace zermelo::cli
