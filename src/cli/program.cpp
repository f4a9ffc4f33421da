// The program zermelo: its subcommands, and which of them a command line asks for.

#include "cli/processes.hpp"
#include "zermelo/version.hpp"

#include <CLI/CLI.hpp>

namespace zermelo::cli {

int run_program(int argc, char** argv) {
    CLI::App app{"Zermelo solves finite games: it finds out who wins, and by which strategy.", "zermelo"};
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
                                add_completion(app), add_qbf(app)};
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? answered : bad_input;
    }
    catch_interrupts();
    for (const Command& command : commands) {
        if (command.app->parsed()) return run_command(command);
    }
    return bad_input;
}

}  // namespace zermelo::cli
