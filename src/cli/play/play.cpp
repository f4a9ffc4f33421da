// zermelo play: a person plays in the terminal, against a strategy or an engine.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/play/play_game.hpp"
#include "cli/play/play_model.hpp"
#include "cli/usage/values.hpp"

namespace zermelo::cli {

namespace {

constexpr const char* for_games = "GDL and graphs";

struct Play {
    CLI::App* app = nullptr;
    ModelOptions model;
    std::string strategy_file;
    PlayGame session;

    int run() {
        if (!is_model(language_of(model.file))) return run_game();
        for (const char* option : {"--engine", "--heuristic", "--net", "--no-net"})
            refuse_option(*app, option, model.file, fmt::format("is for {}", for_games));
        const Problem problem = model.read();
        if (problem.model() != nullptr) warn_of_horizon(*problem.model());
        PlayModelOptions options;
        options.strategy_file = strategy_file;
        options.role = session.role;
        options.seconds = session.adviser.seconds;
        options.seed = session.adviser.seed;
        return PlayModel(problem, options, model.reading).run();
    }

    int run_game() {
        refuse_group(*app, for_models, model.file);
        return session.run(model);
    }
};

std::vector<std::string> opponents() {
    std::vector<std::string> names = {"auto", "attractors"};
    for (const std::string& player : player_names()) names.push_back(player);
    return names;
}

}  // namespace

Command add_play(CLI::App& app) {
    auto* command = app.add_subcommand("play", "Play in the terminal against a strategy or an engine");
    auto play = std::make_shared<Play>();
    play->app = command;
    play->model.add_to(*command);
    in_group(*command, for_models, [&] {
        command->add_option(
            "--strategy", play->strategy_file,
            "a file written by solve --strategy: its owner's moves (default: the program solves each "
            "position)");
    });
    command->add_option("--role", play->session.role,
                        "the role you play; of models exists or forall (default: the first, or against the "
                        "strategy)");
    command
        ->add_option("--seconds", play->session.adviser.seconds, "seconds the program may think about a move")
        ->check(more_than(0))
        ->capture_default_str();
    command
        ->add_option("--seed", play->session.adviser.seed, "random seed for random moves, dice and playouts")
        ->capture_default_str();
    in_group(*command, for_games, [&] {
        command
            ->add_option("--engine", play->session.adviser.engine,
                         "your opponent: auto, attractors, alpha-beta or random; in GDL also zermelo, uct, "
                         "grave, cfr, greedy or perfect, with options as for zermelo match")
            ->check(suggesting(opponents()))
            ->capture_default_str();
        command
            ->add_option("--heuristic", play->session.adviser.heuristic,
                         "how alpha-beta evaluates positions of a game in GDL: learned, lines, or a formula "
                         "over fluents such as \"count (cell ?x ?y white) - count (cell ?x ?y black)\"")
            ->capture_default_str();
        play->session.net.add_to(*command);
    });
    command->footer(
        "Examples:\n"
        "  zermelo play games/quantified/nim-fibonacci.mzn -D n=20\n"
        "  zermelo play games/quantified/nim-fibonacci.mzn -D n=20 --strategy nim.json --role forall\n"
        "  zermelo play games/gdl/tic-tac-toe.kif --role o\n"
        "  zermelo play games/gdl/breakthrough.kif --seconds 5\n"
        "  zermelo play games/gdl/kuhn-poker.kif --role second --engine cfr");
    return {command, [play] { return play->run(); }};
}

}  // namespace zermelo::cli
