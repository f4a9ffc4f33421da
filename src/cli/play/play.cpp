// zermelo play: a person plays in the terminal, against a strategy (models) or an engine (games).

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

#include "cli/play/play_game.hpp"
#include "solve/certificate.hpp"
#include "strategy/follow.hpp"
#include "strategy/format/dot.hpp"

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
        refuse_group(*app, for_games, model.file);
        if (strategy_file.empty())
            throw Error({model.file}, "there is no strategy to play against", "give one by --strategy");
        const Problem problem = model.read();
        if (problem.model() == nullptr)
            throw Error({model.file}, "models with chance cannot be played in the terminal",
                        "choose a model without chance");
        const model::Model& m = *problem.model();
        const model::Structure structure = analyse(m);
        const Certificate certificate = load(strategy_file, problem);
        const strategy::Strategy& strategy = *certificate.as<strategy::Strategy>();
        strategy::Follower game(m, structure, strategy);
        std::signal(SIGINT, SIG_DFL);  // nothing is lost by leaving a game at once
        const bool ours = strategy.owner == model::Quantifier::exists;
        std::cout << fmt::format(
            "The program plays {}; you play {}. An empty line lists your moves, q ends the game.\n",
            ours ? "∃" : "∀", ours ? "∀" : "∃");
        while (const auto variable = game.turn()) {
            if (game.owners_turn(*variable)) {
                const model::Value value = game.move(*variable);
                std::cout << fmt::format("{} = {}\n", m.name_of(*variable), m.value_text(*variable, value));
                game.play(*variable, value);
            } else {
                const auto value = ask(m, *variable, game.legal(*variable));
                if (!value) {
                    std::cout << "\nThe game is not finished.\n";
                    return answered;
                }
                game.play(*variable, *value);
            }
        }
        const bool person = *game.winner() != strategy.owner;
        std::cout << (person ? "You win.\n" : "The program wins.\n");
        return answered;
    }

    int run_game() {
        refuse_group(*app, for_models, model.file);
        return session.run(model);
    }

    // One of the legal values; none when the person ends the game.
    static std::optional<model::Value> ask(const model::Model& m, model::VarId variable,
                                           const std::vector<model::Value>& legal) {
        const bool named = m.variables[variable].value_names != nullptr;
        const std::string choices =
            named ? strategy::edge_label(m, variable, legal) : model::Domain(legal).text();
        std::string line;
        while (true) {
            std::cout << fmt::format("{} ? ", m.name_of(variable)) << std::flush;
            if (!std::getline(std::cin, line) || line == "q") return std::nullopt;
            for (const model::Value value : legal) {
                if (named && line == m.value_text(variable, value)) return value;
            }
            try {
                std::size_t used = 0;
                const model::Value value = std::stoll(line, &used);
                const bool number = line.find_first_not_of(" \t\r", used) == std::string::npos;
                if (number && std::binary_search(legal.begin(), legal.end(), value)) return value;
            } catch (const std::exception&) {
                // Not a number: the choices are listed below, as for an illegal one.
            }
            std::cout << fmt::format("Your legal moves: {}\n", choices);
        }
    }
};

}  // namespace

Command add_play(CLI::App& app) {
    auto* command = app.add_subcommand("play", "Play in the terminal against a strategy or an engine");
    auto play = std::make_shared<Play>();
    play->app = command;
    play->model.add_to(*command);
    in_group(*command, for_models, [&] {
        command->add_option("--strategy", play->strategy_file, "a file written by solve --strategy");
    });
    in_group(*command, for_games, [&] {
        command->add_option("--role", play->session.role, "the role you play (default: the first)");
        command
            ->add_option("--engine", play->session.adviser.engine,
                         "your opponent: auto, attractors, alpha-beta or random; in GDL also uct, grave, "
                         "cfr, greedy or perfect, with options as for zermelo match")
            ->capture_default_str();
        command
            ->add_option("--seconds", play->session.adviser.seconds,
                         "seconds the program may think about a move")
            ->check(CLI::PositiveNumber)
            ->capture_default_str();
        command
            ->add_option("--heuristic", play->session.adviser.heuristic,
                         "how alpha-beta evaluates positions of a game in GDL: learned, lines, or a formula "
                         "over fluents such as \"count (cell ?x ?y white) - count (cell ?x ?y black)\"")
            ->capture_default_str();
        command
            ->add_option("--seed", play->session.adviser.seed,
                         "random seed for random moves, dice and playouts")
            ->capture_default_str();
    });
    command->footer(
        "Examples:\n"
        "  zermelo play games/quantified/nim-fibonacci.mzn -D n=20 --strategy nim.json\n"
        "  zermelo play games/gdl/tic-tac-toe.kif --role o\n"
        "  zermelo play games/gdl/breakthrough.kif --seconds 5\n"
        "  zermelo play games/gdl/kuhn-poker.kif --role second --engine cfr");
    return {command, [play] { return play->run(); }};
}

}  // namespace zermelo::cli
