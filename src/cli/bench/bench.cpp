// zermelo bench: our figures beside those of others, and the effect of each technique as a ratio within one
// run.

#include "cli/bench/bench.hpp"

#include "cli/instances.hpp"
#include "cli/usage/values.hpp"

#include <CLI/CLI.hpp>

namespace zermelo::cli {

namespace {

// `instances` is the list that is shipped.
Command add_model_bench(CLI::App& app, const std::string& name, const std::string& about,
                        const std::string& title, const std::string& instances) {
    auto* command = app.add_subcommand(name, about);
    auto bench = std::make_shared<BenchQuantified>();
    bench->title = title;
    command->add_option(
        "--list", bench->list,
        "a list of instances in the format of bench/quantified.json (default: the shipped one)");
    command->add_option("--seconds", bench->seconds, "time limit for each run")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_flag("--options,!--no-options", bench->options_too,
                      "also measure the effect of each technique (default: yes)");
    command->add_flag("--check", bench->check, "check every strategy without the solver");
    command->add_flag("--json", bench->json, "print one JSON object");
    return {command, [bench, instances] {
                if (bench->list.empty()) bench->list = shipped("bench") + instances;
                return bench->run();
            }};
}

Command add_quantified_bench(CLI::App& app) {
    Command added = add_model_bench(
        app, "quantified",
        "The benchmark of Barichard and Stéphan (2017): Nim, baker, matrix game, Connect-Four",
        "Zermelo and QuaCode (2016), its best figures on a comparable machine (CPU seconds).",
        "/quantified.json");
    added.app->footer("Example:\n  zermelo bench quantified --seconds 20");
    return added;
}

Command add_strategic_bench(CLI::App& app) {
    Command added = add_model_bench(
        app, "strategic", "Table 1 of Bessiere and Verger (2006): Tic-tac-toe and Connect-Four by ranks",
        "Zermelo and the paper on strategic CSP (a machine of 1.6 GHz, seconds).", "/strategic.json");
    added.app->footer("Example:\n  zermelo bench strategic --seconds 5 --check");
    return added;
}

Command add_qbf_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchQbf>();
    auto* command = app.add_subcommand(
        "qbf",
        "Formulas made from the rules of games: our answers and times beside those of another QBF solver");
    command->add_option("--list", bench->list,
                        "families of games in the format of bench/qbf.json (default: the shipped ones)");
    command
        ->add_option("--peer", bench->peer,
                     "the other solver, a program with the options and exit codes of DepQBF; '' for none")
        ->capture_default_str();
    command->add_option("--engine", bench->engine, "ours: auto, quantified or qcdcl")->capture_default_str();
    command->add_flag_function(
        "--pure-values,!--no-pure-values", [bench](std::int64_t given) { bench->pure_values = given > 0; },
        "with the engine qcdcl: give variables the value that cannot hurt their player");
    command->add_option("--family", bench->only, "run this family only");
    command->add_option("--every", bench->every, "run only every so many formulas")->capture_default_str();
    command->add_option("--seconds", bench->seconds, "time limit for each run of a solver")
        ->check(more_than(0))
        ->capture_default_str();
    command
        ->add_option("--minimax-seconds", bench->minimax_seconds,
                     "time limit for the third opinion, by minimax on the rules")
        ->check(at_least(0))
        ->capture_default_str();
    command->add_flag("--check,!--no-check", bench->check, "check every strategy (default: yes)");
    command->add_option("--write", bench->write_to, "a folder to write the formulas to, as QDIMACS")
        ->check(CLI::ExistingDirectory);
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench qbf --family hex --seconds 2");
    return {command, [bench] {
                if (bench->list.empty()) bench->list = shipped("bench") + "/qbf.json";
                return bench->run();
            }};
}

Command add_gdl_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchGdl>();
    auto* command = app.add_subcommand(
        "gdl", "Set-up time and random playouts of GDL games, compared with public engines");
    command
        ->add_option("DIRECTORY", bench->directory,
                     "a folder with games (.kif) and speed.tsv, the figures of other engines")
        ->required();
    command->add_option("--seconds", bench->seconds, "CPU seconds per game")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench gdl published-games --seconds 1");
    return {command, [bench] { return bench->run(); }};
}

Command add_solve_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchSolve>();
    auto* command =
        app.add_subcommand("solve", "Exact solving of games in GDL, with each technique switched on and off");
    command->add_option("FILE", bench->files, "games in GDL")->required()->check(CLI::ExistingFile);
    command->add_option("--seconds", bench->seconds, "time limit for each run")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_option("--table", bench->table_megabytes, "size of the transposition table in megabytes")
        ->capture_default_str();
    command->add_flag("--brief", bench->brief, "run only the defaults, with all threads and with one");
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench solve games/gdl/tic-tac-toe.kif");
    return {command, [bench] { return bench->run(); }};
}

Command add_attractors_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchAttractors>();
    auto* command = app.add_subcommand(
        "attractors", "Attractors of a large random graph, measured in scans of its edge list");
    command->add_option("--states", bench->states, "number of states")
        ->check(between(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
        ->capture_default_str();
    command->add_option("--edges-per-state", bench->edges_per_state, "average number of moves per state")
        ->check(between(std::uint64_t{1}, std::uint64_t{1000}))
        ->capture_default_str();
    command->add_option("--seed", bench->seed, "random seed of the graph")->capture_default_str();
    command->add_option("--threads", bench->threads, "number of threads (default: one per core)");
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench attractors --states 1000000");
    return {command, [bench] { return bench->run(); }};
}

Command add_play_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchPlay>();
    auto* command = app.add_subcommand(
        "play",
        "Playouts per second of each player, compared with the bare game engine and with two threads");
    command->add_option("FILE", bench->files, "games in GDL")->required()->check(CLI::ExistingFile);
    command->add_option("--players", bench->players, "players that use playouts, named as for zermelo match")
        ->capture_default_str();
    command->add_option("--seconds", bench->seconds, "seconds per run")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench play games/gdl/breakthrough.kif --seconds 0.5");
    return {command, [bench] { return bench->run(); }};
}

Command add_symmetry_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchSymmetry>();
    auto* command =
        app.add_subcommand("symmetry", "Count the states by depth, before and after symmetry reduction");
    command->add_option("FILE", bench->files, "games in GDL")->required()->check(CLI::ExistingFile);
    command->add_option("--states", bench->most_states, "largest number of states to explore")
        ->check(between(std::uint64_t{1}, std::uint64_t{1'000'000'000}))
        ->capture_default_str();
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench symmetry games/gdl/tic-tac-toe.kif");
    return {command, [bench] { return bench->run(); }};
}

Command add_scsp_bench(CLI::App& app) {
    auto bench = std::make_shared<BenchScsp>();
    auto* command = app.add_subcommand(
        "scsp", "Turns of games as micro-SCSPs solved by MAC, beside the machine and beside Gecode");
    command->add_option("FILE", bench->files, "games in GDL (default: the 13 of Koriche et al. 2015)")
        ->check(CLI::ExistingFile);
    command->add_option("--states", bench->states, "number of states of random plays for each game")
        ->check(between(std::size_t{1}, std::size_t{1'000'000}))
        ->capture_default_str();
    command->add_option("--gecode-seconds", bench->gecode_seconds, "CPU seconds for Gecode on each game")
        ->check(at_least(0))
        ->capture_default_str();
    command->add_flag("--json", bench->json, "print one JSON object");
    command->footer("Example:\n  zermelo bench scsp games/gdl/othello.kif --gecode-seconds 0.5");
    return {command, [bench] {
                if (bench->files.empty()) {
                    for (const char* name :
                         {"awale", "backgammon", "bomberman", "cant-stop", "checkers", "chess", "kaseklau",
                          "orchard", "othello", "pacman", "pickomino", "tic-tac-toe", "yahtzee"})
                        bench->files.push_back(shipped("games") + "/gdl/" + name + ".kif");
                }
                return bench->run();
            }};
}

}  // namespace

Command add_bench(CLI::App& app) {
    auto* command = app.add_subcommand("bench", "Run benchmarks and compare with published figures");
    command->require_subcommand(1);
    command->footer("Example:\n  zermelo bench quantified --seconds 20");
    std::vector<Command> benchmarks;
    for (const auto add :
         {add_quantified_bench, add_strategic_bench, add_gdl_bench, add_solve_bench, add_attractors_bench,
          add_play_bench, add_symmetry_bench, add_qbf_bench, add_scsp_bench})
        benchmarks.push_back(add(*command));
    return {command, [benchmarks] {
                for (const Command& one : benchmarks) {
                    if (one.app->parsed()) return one.run();
                }
                return int{bad_input};  // not reached: one is required
            }};
}

}  // namespace zermelo::cli
