#include "cli/solve/forward.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <numeric>

#include "cli/processes.hpp"
#include "cluster/retrograde/solve.hpp"

namespace zermelo::cli {

using game::Engine;
using game::Solution;

namespace {

Engine engine_named(const std::string& name) {
    if (name == levels_engine) return Engine::attractors;
    for (const Engine engine :
         {Engine::automatic, Engine::attractors, Engine::alpha_beta, Engine::proof_number}) {
        if (name == game::name(engine)) return engine;
    }
    throw Error(fmt::format("--engine {}: there is no such engine", name),
                fmt::format("choose from {}", forward_engines));
}

}  // namespace

void ForwardOptions::add_to(CLI::App& app) {
    app.add_flag("--symmetry,!--no-symmetry", solve.symmetry,
                 "treat positions that are alike as one (default: yes for games, no for models)");
    app.add_option("--threads", solve.threads, "0: one for each core (default: 0 for games, 1 for models)");
    app.add_option(
        "--checkpoint", solve.checkpoint,
        "save the work in this file (with --engine levels: folder) now and then, and continue from "
        "it if it is there");
    app.add_option("--checkpoint-seconds", solve.seconds_between_saves, "save so often")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    in_group(app, for_forward_engines, [&] {
        app.add_option("--table-size", table_size,
                       "memory for remembered positions, for example 512M (default: 2G)");
        app.add_option("--spill", spill,
                       "with --engine levels: a folder for what exceeds half of --memory-limit");
    });
}

game::SolveOptions ForwardOptions::options(const std::string& engine, const Limits& limits) const {
    game::SolveOptions options = solve;
    options.engine = engine_named(engine);
    options.limits = limits;
    if (!table_size.empty()) options.table_bytes = memory_amount("--table-size", table_size);
    return options;
}

TimedSolution solve_with_progress(const Problem& subject, game::SolveOptions options) {
    ProgressLine line;
    std::unique_ptr<cluster::ClusterSearch> partners;
    if (processes().size() > 1) {
        partners = allies_of_search(line);
        options.partners = partners.get();
        if (options.threads == 0) options.threads = 1;  // a process has a core
    } else {
        options.progress = [&](const game::SolveProgress& now) {
            line.show(fmt::format("{}: {} positions, {} MB", now.stage, count_text(now.positions),
                                  count_text(now.bytes >> 20)));
        };
    }
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    TimedSolution timed;
    try {
        timed.solution = subject.solve(options);
    } catch (const LimitReached& limit) {
        timed.solution = {};
        timed.solution.engine = options.engine;
        timed.solution.stop = limit.stop();
    }
    timed.cpu_seconds = cpu_seconds() - cpu_start;
    timed.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (partners) {
        timed.together = to_json(*partners);
        const auto all = cluster::gather_all(processes(), timed.cpu_seconds);
        timed.cpu_seconds = std::accumulate(all.begin(), all.end(), 0.0);
    }
    return timed;
}

TimedSolution solve_together(const Problem& subject, const game::SolveOptions& options,
                             const std::string& spill) {
    cluster::Comm& comm = processes();
    ProgressLine line;
    cluster::SolveOptions together;
    together.common = options;
    together.spill = spill;
    if (comm.first()) {
        together.progress = [&](const cluster::Progress& now) {
            line.show(fmt::format("{}: level {}, {} states here, {} MB", now.stage, now.level,
                                  count_text(now.states), count_text(resident_bytes() >> 20)));
        };
    }
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    TimedSolution timed;
    cluster::Solved solved;
    if (subject.gdl() != nullptr) {
        solved = cluster::solve(*subject.gdl(), comm, together);
    } else if (subject.graph() != nullptr) {
        solved = cluster::solve(*subject.graph(), comm, together);
    } else {
        throw Error({subject.file()}, "--engine levels is for games in GDL and graphs", "leave it out");
    }
    timed.solution = std::move(solved.solution);
    timed.solution.reason =
        comm.size() == 1 ? "asked for" : fmt::format("there are {} processes", comm.size());
    timed.cpu_seconds = timed.solution.statistics.cpu_seconds;
    timed.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    timed.together = {{"processes", comm.size()},
                      {"levels", solved.levels},
                      {"layered", solved.layered},
                      {"forgotten", solved.forgotten},
                      {"digest", fmt::format("{:016x}{:016x}", solved.digest.high, solved.digest.low)},
                      {"explore_seconds", solved.explore_seconds},
                      {"backward_seconds", solved.backward_seconds},
                      {"shares", nlohmann::json::array()}};
    for (const cluster::Share& share : solved.shares) {
        timed.together["shares"].push_back({{"states", share.states},
                                            {"peak_bytes", share.peak_bytes},
                                            {"bytes_sent", share.bytes_sent},
                                            {"messages", share.messages},
                                            {"bytes_stored", share.bytes_stored},
                                            {"cpu_seconds", share.cpu_seconds}});
    }
    return timed;
}

void tell_about_checkpoint(const Solution& solution, const std::string& checkpoint) {
    if (solution.stop == Stop::none || checkpoint.empty() || !std::filesystem::exists(checkpoint)) return;
    std::cerr << fmt::format("the work is saved in {}; the same command continues it\n", checkpoint);
}

std::string headline(const Solution& solution) {
    std::string values;
    for (std::size_t p = 0; p < solution.players.size(); ++p) {
        values += fmt::format("{}{} {}", p == 0 ? "" : ", ", solution.players[p], solution.values[p]);
    }
    const std::string word = game::verdict(solution);
    if (word != "drawn") return fmt::format("{} by {}: {}", word, solution.players.front(), values);
    // Somebody who plays alone draws with nobody.
    return solution.players.size() == 1 ? "solved: " + values : "drawn: " + values;
}

std::string cost_text(const TimedSolution& timed) {
    const bool states = timed.solution.engine == Engine::attractors;
    return fmt::format("by {}, {}, {}", game::name(timed.solution.engine),
                       plural(count_text(timed.solution.statistics.nodes), states ? "state" : "position"),
                       seconds_text(timed.cpu_seconds - timed.solution.statistics.plan_cpu_seconds));
}

nlohmann::json values_json(const std::vector<std::string>& players, const std::vector<int>& values) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < values.size(); ++p) object[players[p]] = values[p];
    return object;
}

nlohmann::json statistics_json(const TimedSolution& timed) {
    const Solution& solution = timed.solution;
    const game::SolveStatistics& s = solution.statistics;
    nlohmann::json object = {{"engine", game::name(solution.engine)},
                             {"reason", solution.reason},
                             {"nodes", s.nodes},
                             {"propagations", 0},
                             {"glimpses", s.peeks},
                             {"states", solution.engine == Engine::attractors ? s.nodes : 0},
                             {"edges", s.edges},
                             {"bytes_per_state", s.bytes_per_state},
                             {"table_hits", s.table_hits},
                             {"table_entries", s.table_entries},
                             {"symmetries", s.symmetries},
                             {"threads", s.threads},
                             {"continued", solution.continued},
                             {"cpu_seconds", timed.cpu_seconds},
                             {"plan_cpu_seconds", s.plan_cpu_seconds},
                             {"wall_seconds", timed.wall_seconds},
                             {"peak_bytes", peak_bytes()}};
    if (!timed.together.is_null()) object.update(timed.together);
    return object;
}

}  // namespace zermelo::cli
