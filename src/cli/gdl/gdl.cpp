// zermelo gdl: what is in a GDL description, and how it runs.

#include "cli/gdl/gdl.hpp"
#include "cli/usage/values.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace zermelo::cli {

void GdlOptions::add_to(CLI::App& app) {
    app.add_option("FILE", file, "the game description (.kif), or the name of a shipped game")
        ->required()
        ->transform(shipped_game())
        ->check(game_in_gdl());
    limits.add_to(app);
    app.add_flag("--json", json, "print one JSON object");
}

std::vector<std::string> role_names(const gdl::Game& game) {
    std::vector<std::string> names;
    for (const gdl::TermId role : game.machine().network().roles) names.push_back(game.text(role));
    return names;
}

CLI::App* add_gdl_command(CLI::App& gdl, const std::string& name, const std::string& about,
                          const std::string& example) {
    auto* command = gdl.add_subcommand(name, about);
    command->footer(fmt::format("Example:\n  {}", example));
    return command;
}

Command add_gdl(CLI::App& app) {
    auto* command = app.add_subcommand("gdl", "Read, check and run games in the Game Description Language");
    command->require_subcommand(1);
    command->footer("Examples:\n  zermelo gdl check games/gdl/tic-tac-toe.kif\n  zermelo help gdl check");
    auto chosen = std::make_shared<std::function<int()>>();
    for (const auto add : {add_gdl_info, add_gdl_check, add_gdl_ground, add_gdl_fmt, add_gdl_perft,
                           add_gdl_model, add_gdl_simulate, add_gdl_network}) {
        const Command one = add(*command);
        one.app->final_callback([chosen, run = one.run] { *chosen = run; });
    }
    return {command, [chosen] { return (*chosen)(); }};
}

}  // namespace zermelo::cli
