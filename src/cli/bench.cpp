// zermelo bench: our figures beside those of others, and the effect of each option as a ratio within one run.

#include <fmt/format.h>

#include <iostream>

#include "cli/bench.hpp"
#include "cli/instances.hpp"
#include "cli/solving.hpp"

namespace zermelo::cli {

namespace {

struct Variation {
    const char* name;
    void (*change)(SolveOptions&);
};

constexpr Variation variations[] = {
    {"without goods", [](SolveOptions& o) { o.goods = false; }},
    {"success when assigned", [](SolveOptions& o) { o.success = Success::assigned; }},
    {"without cuts", [](SolveOptions& o) { o.cuts = false; }},
    {"pure values", [](SolveOptions& o) { o.pure_values = true; }},
    {"values ascending", [](SolveOptions& o) { o.values = ValueOrder::ascending; }},
    {"values from the middle", [](SolveOptions& o) { o.values = ValueOrder::middle; }},
    {"smallest domain first", [](SolveOptions& o) { o.variables = VariableOrder::smallest_domain; }},
    {"recompute 4", [](SolveOptions& o) { o.recompute = 4; }},
    {"without strategy", [](SolveOptions& o) { o.strategy = false; }},
};

// The better of two runs, because the machine is never quite still.
Answer best_of_two(const Model& model, const SolveOptions& options) {
    Answer first = solve(model, options);
    if (first.verdict == Verdict::unknown || first.statistics.cpu_seconds > 10) return first;
    Answer second = solve(model, options);
    return second.statistics.cpu_seconds < first.statistics.cpu_seconds ? std::move(second)
                                                                        : std::move(first);
}

std::string ratio_text(double ours, double theirs) {
    return theirs > 0 ? fmt::format("{:.3g}", ours / theirs) : std::string("-");
}

struct Bench {
    std::string list;
    double seconds = 60;
    bool json = false;
    bool options_too = true;

    int run() {
        const auto instances = read_instances(list.empty() ? shipped("bench") + "/quantified.json" : list);
        nlohmann::json rows = nlohmann::json::array();
        nlohmann::json effects = nlohmann::json::array();
        int code = answered;
        if (!json) {
            std::cout
                << "Ours beside QuaCode 2016, its best figures on a machine of this class (CPU seconds).\n";
            std::cout << fmt::format("{:<34} {:>7} {:>11} {:>13} {:>9} {:>13} {:>9} {:>9} {:>9}\n",
                                     "instance", "verdict", "nodes", "propagations", "seconds", "theirs",
                                     "theirs", "prop.", "time");
        }
        for (const Instance& instance : instances) {
            const Model model = instance.read({});
            SolveOptions options;
            options.limits = Limits(seconds, std::nullopt);
            const Answer answer = best_of_two(model, options);
            const auto& s = answer.statistics;
            const auto theirs = instance.more.value("quacode", nlohmann::json::object());
            const double propagations = theirs.value("propagations", 0.0);
            const double cpu = theirs.value("cpu_seconds", 0.0);
            rows.push_back({{"instance", instance.name},
                            {"verdict", name(answer.verdict)},
                            {"nodes", s.nodes},
                            {"propagations", s.propagations},
                            {"cpu_seconds", s.cpu_seconds},
                            {"strategy_nodes", answer.strategy.size()},
                            {"quacode", theirs}});
            if (!json) {
                const bool unsolved = theirs.value("unsolved", false);
                std::cout << fmt::format("{:<34} {:>7} {:>11} {:>13} {:>9.3f} {:>13} {:>9} {:>9} {:>9}\n",
                                         instance.name, name(answer.verdict), count_text(s.nodes),
                                         count_text(s.propagations), s.cpu_seconds,
                                         propagations > 0
                                             ? count_text(static_cast<std::uint64_t>(propagations))
                                             : "-",
                                         cpu > 0 ? fmt::format("{}{}", unsolved ? ">" : "", cpu) : "-",
                                         ratio_text(static_cast<double>(s.propagations), propagations),
                                         ratio_text(s.cpu_seconds, cpu))
                          << std::flush;
            }
            if (options.limits.reached() == Stop::interrupted) {
                code = interrupted;
                break;
            }
            if (options_too && instance.more.value("options", false))
                effects.push_back(try_options(instance, model, answer));
        }
        if (json) {
            print({{"instances", rows}, {"options", effects}});
            return code;
        }
        for (const auto& effect : effects) {
            std::cout << fmt::format("\n{}: each option against the default, as ratios\n",
                                     effect["instance"].get<std::string>());
            std::cout << fmt::format("  {:<26} {:>10} {:>13} {:>9}\n", "option", "nodes", "propagations",
                                     "seconds");
            for (const auto& row : effect["ratios"]) {
                std::cout << fmt::format("  {:<26} {:>10.3g} {:>13.3g} {:>9.3g}{}\n",
                                         row["option"].get<std::string>(), row["nodes"].get<double>(),
                                         row["propagations"].get<double>(), row["cpu_seconds"].get<double>(),
                                         row["finished"].get<bool>() ? "" : "  (time limit)");
            }
        }
        return code;
    }

    nlohmann::json try_options(const Instance& instance, const Model& model, const Answer& base) const {
        auto ratios = nlohmann::json::array();
        for (const Variation& variation : variations) {
            SolveOptions options;
            options.limits = Limits(seconds, std::nullopt);
            variation.change(options);
            const Answer answer = best_of_two(model, options);
            const auto over = [](auto a, auto b) {
                return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : 1.0;
            };
            ratios.push_back(
                {{"option", variation.name},
                 {"finished", answer.verdict != Verdict::unknown},
                 {"nodes", over(answer.statistics.nodes, base.statistics.nodes)},
                 {"propagations", over(answer.statistics.propagations, base.statistics.propagations)},
                 {"cpu_seconds", over(answer.statistics.cpu_seconds, base.statistics.cpu_seconds)}});
        }
        return {{"instance", instance.name}, {"ratios", ratios}};
    }
};

}  // namespace

Command add_bench(CLI::App& app) {
    auto* command =
        app.add_subcommand("bench", "Measure, beside other solvers and with each option switched");
    command->require_subcommand(1);
    auto* quantified = command->add_subcommand(
        "quantified", "The benchmark of seed 000: Nim, baker, matrix game, Connect-Four");
    auto bench = std::make_shared<Bench>();
    quantified->add_option("--list", bench->list, "another list of instances, as bench/quantified.json");
    quantified->add_option("--seconds", bench->seconds, "time limit for each run")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    quantified->add_flag("--options,!--no-options", bench->options_too,
                         "measure the effect of each option too (default: yes)");
    quantified->add_flag("--json", bench->json, "print one JSON object");
    for (auto* level : {command, quantified})
        level->footer("Example:\n  zermelo bench quantified --seconds 20");

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
    return {command, [=] {
                if (gdl_command->parsed()) return gdl->run();
                if (solve_command->parsed()) return solving->run();
                if (attractors_command->parsed()) return attractors->run();
                return bench->run();
            }};
}

}  // namespace zermelo::cli
