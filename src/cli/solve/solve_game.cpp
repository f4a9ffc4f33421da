#include "cli/solve/solve_game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/processes.hpp"
#include "game/strategy/file.hpp"

namespace zermelo::cli {

// All that there is to tell.
struct SolveGame::Report {
    TimedSolution timed;
    std::vector<CheckedPlan> checks;  // by plan; none if they were not checked
    double setup_cpu_seconds = 0;

    [[nodiscard]] const game::Solution& solution() const { return timed.solution; }
    [[nodiscard]] std::vector<std::string> best() const {
        std::vector<std::string> moves;
        for (const game::MoveReport& move : solution().moves) {
            if (move.best) moves.push_back(move.move);
        }
        return moves;
    }
    [[nodiscard]] int code() const {
        if (solution().stop != Stop::none) return exit_code(solution().stop);
        int code = answered;
        for (const CheckedPlan& check : checks) {
            if (check.result.counterexample) return check_failed;
            if (check.result.stop == Stop::interrupted) code = interrupted;
        }
        return code;
    }
};

namespace {

void print_first_moves(const std::vector<std::string>& best, bool all_of_them, bool one_a_line) {
    if (best.empty()) return;
    if (one_a_line) {
        std::cout << fmt::format("best first moves: {}\n", best.size());
        for (const std::string& move : best) std::cout << "  " << move << '\n';
        return;
    }
    constexpr std::size_t most = 12;
    const auto end = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), most));
    std::cout << fmt::format("{}: {}",
                             !all_of_them       ? "a best first move"
                             : best.size() == 1 ? "best first move"
                                                : "best first moves",
                             fmt::join(best.begin(), end, ", "));
    if (best.size() > most) std::cout << fmt::format(", and {} more", best.size() - most);
    std::cout << '\n';
}

std::string check_text(const CheckedPlan& check) {
    const game::PlanVerification& result = check.result;
    if (result.counterexample) return "; THE CHECK FAILED: " + result.counterexample->text();
    if (!result.valid)
        return fmt::format("; not checked to the end: {} (raise --check-seconds)", describe(result.stop));
    return fmt::format("; checked by the rules alone: {}, {}, kept in all",
                       plural(count_text(result.positions), "position"), scenarios_text(result));
}

}  // namespace

void require_folder(const std::string& file) {
    const auto folder = std::filesystem::absolute(file).parent_path();
    if (!std::filesystem::is_directory(folder))
        throw Error({file}, "there is no folder for this file", "make it, or choose another file");
}

int SolveGame::run(ModelOptions& source, const Limits& limits) const {
    game::SolveOptions options = forward.options(engine, limits);
    options.every_move = all_first_moves;
    options.plans = check || !strategy_file.empty();
    if (!strategy_file.empty()) require_folder(strategy_file);
    if (!options.checkpoint.empty()) require_folder(options.checkpoint);
    Report report;
    std::string complaint;
    try {
        const double start = cpu_seconds();
        const Problem subject =
            made_by_all([&] { return Problem(source, limits); }, "while the rules were read");
        report.setup_cpu_seconds = cpu_seconds() - start;
        report.timed = together(subject.file()) ? solve_together(subject, options, forward.spill)
                                                : solve_with_progress(subject, options);
        const game::Solution& solution = report.solution();
        if (!processes().first()) return answered;  // the first one has the plans, and tells how it went
        if (!strategy_file.empty()) complaint = save(subject, solution, limits);
        if (check) {
            const Limits check_limits(check_seconds, limits.memory());
            report.checks = subject.with_game(
                [&](auto& game) { return check_plans(game, solution.plans, check_limits); });
        }
    } catch (const LimitReached& limit) {
        report.timed.solution.stop = limit.stop();  // while the rules were read: an answer too, if a poor one
    }
    if (json) {
        report_json(report);
    } else {
        report_text(report);
    }
    tell_about_checkpoint(report.solution(), options.checkpoint);
    if (complaint.empty()) return report.code();
    std::cerr << complaint << '\n';
    return bad_input;
}

// Whether all processes work on levels, of which there may be one.
bool SolveGame::together(const std::string& file) const {
    if (engine == "proof-number") require_one_process(file, "proof-number search");
    const bool levels =
        (processes().size() > 1 && engine != game::name(game::Engine::alpha_beta)) || engine == levels_engine;
    if (!levels && !forward.spill.empty()) {
        throw Error({file}, "--spill is for --engine levels", "leave it out, or choose this engine");
    }
    return levels;
}

// What went wrong, if something did: the verdict is worth telling all the same.
std::string SolveGame::save(const Problem& subject, const game::Solution& solution,
                            const Limits& limits) const {
    if (!solution.solved || solution.stop != Stop::none) return "";
    try {
        if (solution.plans.empty()) {
            throw Error({strategy_file}, "there is no plan to write: the players' interests are not opposite",
                        "leave --strategy out");
        }
        subject.with_game([&](auto& game) {
            const game::PlanFile file{subject.title(), subject.rules(), solution.plans};
            game::save_plans(strategy_file, game, file, Limits(std::nullopt, limits.memory()));
        });
    } catch (const Error& problem) {
        return problem.what();
    }
    return "";
}

void SolveGame::report_text(const Report& report) const {
    const game::Solution& solution = report.solution();
    if (!solution.solved) {
        std::cout << fmt::format("unknown: {} — {}\n", describe(solution.stop), cost_text(report.timed));
    } else {
        std::cout << fmt::format("{} — {}\n", headline(solution), cost_text(report.timed));
        print_first_moves(report.best(), solution.all_best || all_first_moves, all_first_moves);
        if (solution.stop != Stop::none) {
            std::cout << fmt::format("no plans: {} while they were written\n", describe(solution.stop));
        } else if (report.timed.together.is_object() && report.timed.together.value("forgotten", false)) {
            std::cout << "no plans: states were taken out of memory while others were found\n";
        } else if (check && solution.plans.empty() && solution.players.size() > 1) {
            std::cout << "no plans: this comes out when everybody plays for the own payoff alone\n";
        }
    }
    for (std::size_t i = 0; i < solution.plans.size(); ++i) {
        const game::Plan& plan = solution.plans[i];
        std::cout << fmt::format("plan of {} for {}: {}", solution.players[plan.owner], plan.promise,
                                 plural(count_text(plan.choices.size()), "choice"))
                  << (i < report.checks.size() ? check_text(report.checks[i]) : "") << '\n';
    }
    if (verbose) {
        const auto statistics = statistics_json(report.timed);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("  {:<18}{}\n", key,
                                     value.is_string() ? value.get<std::string>() : value.dump());
    }
}

void SolveGame::report_json(const Report& report) {
    const game::Solution& solution = report.solution();
    nlohmann::json object = statistics_json(report.timed);
    object["verdict"] = game::verdict(solution);
    object["stop"] = describe(solution.stop);
    object["values"] = values_json(solution.players, solution.values);
    object["best"] = report.best();
    object["all_best"] = solution.all_best;
    object["rank"] = solution.rank ? nlohmann::json(*solution.rank) : nlohmann::json(nullptr);
    object["setup_cpu_seconds"] = report.setup_cpu_seconds;
    std::size_t choices = 0;
    for (const game::Plan& plan : solution.plans) choices += plan.choices.size();
    object["strategy_nodes"] = choices;
    object["checks"] = nlohmann::json::array();
    for (const CheckedPlan& check : report.checks) object["checks"].push_back(to_json(check));
    print(object);
}

}  // namespace zermelo::cli
