// zermelo gdl simulate: random playouts, their speed, lengths and goals.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "cli/gdl/runnable.hpp"
#include "cli/usage/values.hpp"
#include "gdl/simulate.hpp"

namespace zermelo::cli {

namespace {

const char* engine_name(gdl::Engine engine) {
    switch (engine) {
        case gdl::Engine::sliced:
            return "sliced";
        case gdl::Engine::reasoner:
            return "reasoner";
        case gdl::Engine::interpreter:
            return "interpreter";
        default:
            return "scalar";
    }
}

// Lengths in up to twenty classes, as bars.
void print_lengths(const std::vector<std::uint64_t>& lengths) {
    std::size_t low = lengths.size();
    std::size_t high = 0;
    for (std::size_t n = 0; n < lengths.size(); ++n) {
        if (lengths[n] == 0) continue;
        low = std::min(low, n);
        high = n;
    }
    if (low > high) return;
    const std::size_t width = (high - low) / 20 + 1;
    std::vector<std::uint64_t> classes((high - low) / width + 1, 0);
    for (std::size_t n = low; n <= high; ++n) classes[(n - low) / width] += lengths[n];
    const std::uint64_t most = *std::max_element(classes.begin(), classes.end());
    for (std::size_t c = 0; c < classes.size(); ++c) {
        std::string bar;
        for (std::uint64_t i = 0; i < classes[c] * 40 / most; ++i) bar += "█";
        std::cout << fmt::format("  {:>5} {}\n", low + c * width, bar);
    }
}

// Of each role, the mean over all playouts.
std::vector<double> mean_goals(const gdl::Tally& tally) {
    const auto playouts = static_cast<double>(std::max<std::uint64_t>(tally.playouts, 1));
    std::vector<double> goals;
    for (const double sum : tally.goals) goals.push_back(sum / playouts);
    return goals;
}

double mean_length(const gdl::Tally& tally) {
    return static_cast<double>(tally.length) /
           static_cast<double>(std::max<std::uint64_t>(tally.playouts, 1));
}

double a_second(std::uint64_t count, const gdl::Simulation& result) {
    return static_cast<double>(count) / std::max(result.cpu_seconds, 1e-9);
}

nlohmann::json simulation_json(const Runnable& run, const gdl::Simulation& result) {
    const gdl::Tally& tally = result.tally;
    auto histogram = nlohmann::json::object();
    for (std::size_t n = 0; n < tally.lengths.size(); ++n) {
        if (tally.lengths[n] != 0) histogram[std::to_string(n)] = tally.lengths[n];
    }
    return {{"playouts", tally.playouts},
            {"playouts_per_cpu_second", a_second(tally.playouts, result)},
            {"states_per_cpu_second", a_second(tally.states, result)},
            {"setup_cpu_seconds", run.set_up_seconds + result.compile_seconds},
            {"mean_length", mean_length(tally)},
            {"mean_goals", mean_goals(tally)},
            {"roles", run.roles()},
            {"engine", engine_name(result.engine)},
            {"compiled", result.compiled},
            {"lanes", result.lanes},
            {"given_up", tally.stuck},
            {"cpu_seconds", result.cpu_seconds},
            {"lengths", histogram},
            {"stop", describe(result.stop)}};
}

void print_simulation(const Runnable& run, const gdl::Simulation& result) {
    const gdl::Tally& tally = result.tally;
    std::cout << fmt::format(
        "{} playouts in {:.2f} CPU seconds after {:.3f} s of set-up, {} ({} at a time{})\n",
        count_text(tally.playouts), result.cpu_seconds, run.set_up_seconds + result.compile_seconds,
        engine_name(result.engine), result.lanes, result.compiled ? ", compiled" : "");
    std::cout << fmt::format("  {} playouts/s, {} states/s, {:.2f} moves a playout\n",
                             count_text(static_cast<std::uint64_t>(a_second(tally.playouts, result))),
                             count_text(static_cast<std::uint64_t>(a_second(tally.states, result))),
                             mean_length(tally));
    const auto names = run.roles();
    const auto goals = mean_goals(tally);
    for (std::size_t r = 0; r < names.size(); ++r)
        std::cout << fmt::format("  {:<20} mean goal {:.2f}\n", names[r], goals[r]);
    if (tally.stuck != 0)
        std::cout << fmt::format("  {} playouts given up: a role had no legal move\n", tally.stuck);
    print_lengths(tally.lengths);
}

int run_simulate(const GdlOptions& options, const gdl::SimulateOptions& given) {
    gdl::SimulateOptions how = given;
    how.limits = options.limits.start();
    Runnable run(options, how.limits, given.engine == gdl::Engine::reasoner);
    const gdl::Simulation result =
        run.game ? gdl::simulate(run.game->machine(), how) : gdl::simulate(*run.reasoner, how);
    if (options.json) {
        print(simulation_json(run, result));
    } else {
        print_simulation(run, result);
    }
    return exit_code(result.stop);
}

}  // namespace

Command add_gdl_simulate(CLI::App& gdl) {
    auto* command = add_gdl_command(gdl, "simulate", "Run random playouts and report speed, length and goals",
                                    "zermelo gdl simulate games/gdl/tic-tac-toe.kif --seconds 2");
    auto options = std::make_shared<GdlOptions>();
    auto how = std::make_shared<gdl::SimulateOptions>();
    auto engine = std::make_shared<std::string>("auto");
    options->add_to(*command);
    command->add_option("--seconds", how->seconds, "stop after this many CPU seconds")
        ->check(more_than(0))
        ->capture_default_str();
    command->add_option("--playouts", how->playouts, "stop after this many playouts instead");
    command->add_option("--seed", how->seed, "random seed")->capture_default_str();
    command
        ->add_option("--engine", *engine,
                     "how playouts are run: auto, scalar (one at a time, by compiled rules where that pays), "
                     "sliced (bit-parallel), interpreter (one at a time, never compiled) or reasoner "
                     "(without a network)")
        ->check(one_of(std::vector<std::string>{"auto", "scalar", "sliced", "interpreter", "reasoner"}))
        ->capture_default_str();
    return {command, [options, how, engine] {
                how->engine = *engine == "scalar"        ? gdl::Engine::scalar
                              : *engine == "sliced"      ? gdl::Engine::sliced
                              : *engine == "interpreter" ? gdl::Engine::interpreter
                              : *engine == "reasoner"    ? gdl::Engine::reasoner
                                                         : gdl::Engine::automatic;
                return run_simulate(*options, *how);
            }};
}

}  // namespace zermelo::cli
