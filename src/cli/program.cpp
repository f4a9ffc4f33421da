// The program zermelo: its subcommands, and which of them a command line asks for.

#include <optional>
#include <set>

#include "cli/processes.hpp"
#include "cli/usage/help_format.hpp"
#include "cli/usage/language.hpp"
#include "cli/usage/spoken_output.hpp"
#include "cli/usage/usage.hpp"
#include "zermelo/version.hpp"

#include <CLI/CLI.hpp>

namespace zermelo::cli {

namespace {

// Whether the command prints for people, and not a file or a table that programs read.
bool speaks(const CLI::App& app) {
    const std::string& command = app.get_name();
    const auto asked = [&](const char* option) { return app.count(option) > 0; };
    if (command == "gdl")
        return app.got_subcommand("check") || app.got_subcommand("info") || app.got_subcommand("perft") ||
               app.got_subcommand("simulate") || app.got_subcommand("network");
    if (command == "games") return !asked("--text") && !asked("--folder");
    static const std::set<std::string> speaking = {"solve", "verify",     "play",   "analyse",
                                                   "match", "tournament", "manage", "player",
                                                   "serve", "show",       "new",    "train"};
    return speaking.contains(command);
}

}  // namespace

int run_program(int argc, char** argv) {
    CLI::App app{"Zermelo solves finite games: it finds out who wins, and by which strategy.", "zermelo"};
    app.formatter(spoken_formatter());
    app.footer(
        "Examples:\n"
        "  zermelo solve games/quantified/nim-fibonacci.mzn -D n=20\n"
        "  zermelo solve games/quantified/nim-fibonacci.mzn -D n=20 --strategy nim.json\n"
        "  zermelo verify games/quantified/nim-fibonacci.mzn -D n=20 nim.json\n"
        "  zermelo solve games/gdl/tic-tac-toe.kif\n"
        "  zermelo play games/gdl/tic-tac-toe.kif\n"
        "  zermelo serve\n"
        "  zermelo games --tag dice\n"
        "  zermelo SUBCOMMAND --help");
    app.set_version_flag("--version", std::string("zermelo ") + ZERMELO_VERSION);
    app.require_subcommand(1);
    const Command commands[] = {add_solve(app),      add_verify(app),     add_show(app),   add_play(app),
                                add_match(app),      add_tournament(app), add_manage(app), add_analyse(app),
                                add_generate(app),   add_gdl(app),        add_bench(app),  add_examples(app),
                                add_player(app),     add_serve(app),      add_games(app),  add_reproduce(app),
                                add_completion(app), add_qbf(app),        add_new(app),    add_lsp(app),
                                add_help(app),       add_train(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        if (problem.get_exit_code() == 0) return app.exit(problem);  // --help, --version
        throw usage_error(app, {argv + 1, argv + argc}, problem);
    }
    catch_interrupts();
    for (const Command& command : commands) {
        if (!command.app->parsed()) continue;
        std::optional<SpokenOutput> translated;
        if (tongue() != Tongue::english && speaks(*command.app) && !asks_for_json(argc, argv))
            translated.emplace();
        return run_command(command);
    }
    return bad_input;
}

}  // namespace zermelo::cli
