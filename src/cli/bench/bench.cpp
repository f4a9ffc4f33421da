// zermelo bench: our figures beside those of others, and the effect of each technique as a ratio within one
// run.

#include "cli/bench/bench.hpp"

#include "cli/instances.hpp"

#include <CLI/CLI.hpp>

namespace zermelo::cli {

namespace {

CLI::App* add_quantified(CLI::App& app, const std::string& name, const std::string& about,
                         const std::shared_ptr<BenchQuantified>& bench) {
    auto* command = app.add_subcommand(name, about);
    command->add_option("--list", bench->list, "another list of instances, as bench/quantified.json");
    command->add_option("--seconds", bench->seconds, "time limit for each run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--options,!--no-options", bench->options_too,
                      "measure the effect of each technique too (default: yes)");
    command->add_flag("--check", bench->check, "check every strategy by the rules alone");
    command->add_flag("--json", bench->json, "print one JSON object");
    return command;
}

}  // namespace

Command add_bench(CLI::App& app) {
    auto* command =
        app.add_subcommand("bench", "Measure, beside other solvers and with each option switched");
    command->require_subcommand(1);
    auto quantified = std::make_shared<BenchQuantified>();
    quantified->title =
        "Ours beside QuaCode 2016, its best figures on a machine of this class (CPU seconds).";
    auto* quantified_command = add_quantified(
        *command, "quantified",
        "The benchmark of Barichard and Stéphan (2017): Nim, baker, matrix game, Connect-Four", quantified);
    auto strategic = std::make_shared<BenchQuantified>();
    strategic->title = "Ours beside the paper on strategic CSP (a machine of 1.6 GHz, seconds).";
    auto* strategic_command = add_quantified(
        *command, "strategic", "Table 1 of Bessiere and Verger (2006): Tic-tac-toe and Connect-Four by ranks",
        strategic);
    for (auto* level : {command, quantified_command})
        level->footer("Example:\n  zermelo bench quantified --seconds 20");
    strategic_command->footer("Example:\n  zermelo bench strategic --seconds 5 --check");

    auto gdl = std::make_shared<BenchGdl>();
    auto* gdl_command =
        command->add_subcommand("gdl", "Set-up and random playouts of GDL games beside public engines");
    gdl_command
        ->add_option("DIRECTORY", gdl->directory, "games (.kif) and speed.tsv with the figures of others")
        ->required();
    gdl_command->add_option("--seconds", gdl->seconds, "CPU seconds for each game")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    gdl_command->add_flag("--json", gdl->json, "print one JSON object");
    gdl_command->footer("Example:\n  zermelo bench gdl published-games --seconds 1");

    auto solving = std::make_shared<BenchSolve>();
    auto* solve_command =
        command->add_subcommand("solve", "Exact solving of games in GDL, with and without its techniques");
    solve_command->add_option("FILE", solving->files, "games in GDL")->required()->check(CLI::ExistingFile);
    solve_command->add_option("--seconds", solving->seconds, "give up a run after so long")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    solve_command->add_option("--table", solving->table_megabytes, "megabytes for remembered positions")
        ->capture_default_str();
    solve_command->add_flag("--brief", solving->brief, "only the default, and with one thread");
    solve_command->add_flag("--json", solving->json, "print one JSON object");
    solve_command->footer("Example:\n  zermelo bench solve games/gdl/tic-tac-toe.kif");

    auto attractors = std::make_shared<BenchAttractors>();
    auto* attractors_command = command->add_subcommand(
        "attractors", "Attractors of a large random graph, in scans of its list of edges");
    attractors_command->add_option("--states", attractors->states, "states of the graph")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
        ->capture_default_str();
    attractors_command
        ->add_option("--edges-per-state", attractors->edges_per_state, "moves of a state, on average")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000}))
        ->capture_default_str();
    attractors_command->add_option("--seed", attractors->seed, "of the random graph")->capture_default_str();
    attractors_command->add_option("--threads", attractors->threads, "threads (default: one a core)");
    attractors_command->add_flag("--json", attractors->json, "print one JSON object");
    attractors_command->footer("Example:\n  zermelo bench attractors --states 1000000");

    auto play = std::make_shared<BenchPlay>();
    auto* play_command = command->add_subcommand(
        "play", "Playouts inside each player beside the bare machine, and what a second thread brings");
    play_command->add_option("FILE", play->files, "games in GDL")->required()->check(CLI::ExistingFile);
    play_command->add_option("--players", play->players, "players with playouts, as zermelo match names them")
        ->capture_default_str();
    play_command->add_option("--seconds", play->seconds, "seconds for each run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    play_command->add_flag("--json", play->json, "print one JSON object");
    play_command->footer("Example:\n  zermelo bench play games/gdl/breakthrough.kif --seconds 0.5");

    auto symmetry = std::make_shared<BenchSymmetry>();
    auto* symmetry_command = command->add_subcommand(
        "symmetry", "States up to a depth, and how many are left when symmetric ones are one");
    symmetry_command->add_option("FILE", symmetry->files, "games in GDL")
        ->required()
        ->check(CLI::ExistingFile);
    symmetry_command->add_option("--states", symmetry->most_states, "as deep as there are at most so many")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->capture_default_str();
    symmetry_command->add_flag("--json", symmetry->json, "print one JSON object");
    symmetry_command->footer("Example:\n  zermelo bench symmetry games/gdl/tic-tac-toe.kif");
    return {command, [=] {
                if (play_command->parsed()) return play->run();
                if (symmetry_command->parsed()) return symmetry->run();
                if (gdl_command->parsed()) return gdl->run();
                if (solve_command->parsed()) return solving->run();
                if (attractors_command->parsed()) return attractors->run();
                const bool by_ranks = strategic_command->parsed();
                BenchQuantified& models = by_ranks ? *strategic : *quantified;
                if (models.list.empty())
                    models.list = shipped("bench") + (by_ranks ? "/strategic.json" : "/quantified.json");
                return models.run();
            }};
}

}  // namespace zermelo::cli
