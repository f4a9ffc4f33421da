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
    command->add_option(
        "--list", bench->list,
        "a list of instances in the format of bench/quantified.json (default: the shipped one)");
    command->add_option("--seconds", bench->seconds, "time limit for each run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--options,!--no-options", bench->options_too,
                      "also measure the effect of each technique (default: yes)");
    command->add_flag("--check", bench->check, "check every strategy without the solver");
    command->add_flag("--json", bench->json, "print one JSON object");
    return command;
}

}  // namespace

Command add_bench(CLI::App& app) {
    auto* command = app.add_subcommand("bench", "Run benchmarks and compare with published figures");
    command->require_subcommand(1);
    auto quantified = std::make_shared<BenchQuantified>();
    quantified->title = "Zermelo and QuaCode (2016), its best figures on a comparable machine (CPU seconds).";
    auto* quantified_command = add_quantified(
        *command, "quantified",
        "The benchmark of Barichard and Stéphan (2017): Nim, baker, matrix game, Connect-Four", quantified);
    auto strategic = std::make_shared<BenchQuantified>();
    strategic->title = "Zermelo and the paper on strategic CSP (a machine of 1.6 GHz, seconds).";
    auto* strategic_command = add_quantified(
        *command, "strategic", "Table 1 of Bessiere and Verger (2006): Tic-tac-toe and Connect-Four by ranks",
        strategic);
    for (auto* level : {command, quantified_command})
        level->footer("Example:\n  zermelo bench quantified --seconds 20");
    strategic_command->footer("Example:\n  zermelo bench strategic --seconds 5 --check");

    auto gdl = std::make_shared<BenchGdl>();
    auto* gdl_command = command->add_subcommand(
        "gdl", "Set-up time and random playouts of GDL games, compared with public engines");
    gdl_command
        ->add_option("DIRECTORY", gdl->directory,
                     "a folder with games (.kif) and speed.tsv, the figures of other engines")
        ->required();
    gdl_command->add_option("--seconds", gdl->seconds, "CPU seconds per game")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    gdl_command->add_flag("--json", gdl->json, "print one JSON object");
    gdl_command->footer("Example:\n  zermelo bench gdl published-games --seconds 1");

    auto solving = std::make_shared<BenchSolve>();
    auto* solve_command = command->add_subcommand(
        "solve", "Exact solving of games in GDL, with each technique switched on and off");
    solve_command->add_option("FILE", solving->files, "games in GDL")->required()->check(CLI::ExistingFile);
    solve_command->add_option("--seconds", solving->seconds, "time limit for each run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    solve_command
        ->add_option("--table", solving->table_megabytes, "size of the transposition table in megabytes")
        ->capture_default_str();
    solve_command->add_flag("--brief", solving->brief,
                            "run only the defaults, with all threads and with one");
    solve_command->add_flag("--json", solving->json, "print one JSON object");
    solve_command->footer("Example:\n  zermelo bench solve games/gdl/tic-tac-toe.kif");

    auto attractors = std::make_shared<BenchAttractors>();
    auto* attractors_command = command->add_subcommand(
        "attractors", "Attractors of a large random graph, measured in scans of its edge list");
    attractors_command->add_option("--states", attractors->states, "number of states")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
        ->capture_default_str();
    attractors_command
        ->add_option("--edges-per-state", attractors->edges_per_state, "average number of moves per state")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000}))
        ->capture_default_str();
    attractors_command->add_option("--seed", attractors->seed, "random seed of the graph")
        ->capture_default_str();
    attractors_command->add_option("--threads", attractors->threads,
                                   "number of threads (default: one per core)");
    attractors_command->add_flag("--json", attractors->json, "print one JSON object");
    attractors_command->footer("Example:\n  zermelo bench attractors --states 1000000");

    auto play = std::make_shared<BenchPlay>();
    auto* play_command = command->add_subcommand(
        "play",
        "Playouts per second of each player, compared with the bare game engine and with two threads");
    play_command->add_option("FILE", play->files, "games in GDL")->required()->check(CLI::ExistingFile);
    play_command
        ->add_option("--players", play->players, "players that use playouts, named as for zermelo match")
        ->capture_default_str();
    play_command->add_option("--seconds", play->seconds, "seconds per run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    play_command->add_flag("--json", play->json, "print one JSON object");
    play_command->footer("Example:\n  zermelo bench play games/gdl/breakthrough.kif --seconds 0.5");

    auto symmetry = std::make_shared<BenchSymmetry>();
    auto* symmetry_command =
        command->add_subcommand("symmetry", "Count the states by depth, before and after symmetry reduction");
    symmetry_command->add_option("FILE", symmetry->files, "games in GDL")
        ->required()
        ->check(CLI::ExistingFile);
    symmetry_command->add_option("--states", symmetry->most_states, "largest number of states to explore")
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
