#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/solve/report.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::cli {

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

std::string scenarios_text(const game::PlanVerification& result) {
    if (result.scenarios == "endless") return "endlessly many scenarios";
    if (result.scenarios == "not counted") return "scenarios too many to count";
    return plural(result.scenarios, "scenario");
}

std::string check_text(const CheckedPlan& check) {
    const game::PlanVerification& result = check.result;
    if (result.counterexample) return "; THE CHECK FAILED: " + result.counterexample->text();
    if (!result.valid)
        return fmt::format("; not checked to the end: {} (raise --check-seconds)", describe(result.stop));
    return fmt::format("; checked by the rules alone: {}, {}, kept in all",
                       plural(count_text(result.positions), "position"), scenarios_text(result));
}

nlohmann::json to_json(const CheckedPlan& checked) {
    const game::PlanVerification& result = checked.result;
    nlohmann::json object = {{"owner", checked.owner},        {"promise", checked.promise},
                             {"choices", checked.choices},    {"fingerprint", hex(checked.fingerprint)},
                             {"valid", result.valid},         {"stop", describe(result.stop)},
                             {"positions", result.positions}, {"scenarios", result.scenarios},
                             {"counterexample", nullptr}};
    if (result.counterexample) {
        object["counterexample"] = {{"play", result.counterexample->play},
                                    {"reason", result.counterexample->reason}};
    }
    return object;
}

const CheckedPlans& checks_of(const std::optional<Report>& report) {
    static const CheckedPlans none;
    const auto* plans = report ? report->as<CheckedPlans>() : nullptr;
    return plans == nullptr ? none : *plans;
}

const Plans& plans_of(const Verdict& verdict) {
    static const Plans none;
    const auto* plans = verdict.certificate.as<Plans>();
    return plans == nullptr ? none : *plans;
}

}  // namespace

std::string headline(const game::Solution& solution) {
    std::string values;
    for (std::size_t p = 0; p < solution.players.size(); ++p) {
        values += fmt::format("{}{} {}", p == 0 ? "" : ", ", solution.players[p], solution.values[p]);
    }
    const std::string word = game::verdict(solution);
    if (word != "drawn") return fmt::format("{} by {}: {}", word, solution.players.front(), values);
    // Somebody who plays alone draws with nobody.
    return solution.players.size() == 1 ? "solved: " + values : "drawn: " + values;
}

std::string cost_text(const Verdict& verdict) {
    const auto& solution = *verdict.as<game::Solution>();
    const bool states = solution.engine == game::Engine::attractors;
    return fmt::format("by {}, {}, {}", game::name(solution.engine),
                       plural(count_text(solution.statistics.nodes), states ? "state" : "position"),
                       seconds_text(verdict.cpu_seconds - solution.statistics.plan_cpu_seconds));
}

nlohmann::json values_json(const std::vector<std::string>& players, const std::vector<int>& values) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < values.size(); ++p) object[players[p]] = values[p];
    return object;
}

nlohmann::json statistics_json(const cluster::TogetherVerdict& together) {
    const auto& solution = *together.verdict.as<game::Solution>();
    const game::SolveStatistics& s = solution.statistics;
    nlohmann::json object = {{"engine", game::name(solution.engine)},
                             {"reason", solution.reason},
                             {"opposed", solution.opposed},
                             {"nodes", s.nodes},
                             {"propagations", 0},
                             {"glimpses", s.peeks},
                             {"states", solution.engine == game::Engine::attractors ? s.nodes : 0},
                             {"edges", s.edges},
                             {"bytes_per_state", s.bytes_per_state},
                             {"table_hits", s.table_hits},
                             {"table_entries", s.table_entries},
                             {"symmetries", s.symmetries},
                             {"threads", s.threads},
                             {"continued", solution.continued},
                             {"cpu_seconds", together.verdict.cpu_seconds},
                             {"plan_cpu_seconds", s.plan_cpu_seconds},
                             {"wall_seconds", together.verdict.wall_seconds},
                             {"peak_bytes", peak_bytes()}};
    if (together.work) object.update(*together.work);
    return object;
}

void tell_about_checkpoint(Stop stop, const std::string& checkpoint) {
    if (stop == Stop::none || checkpoint.empty() || !std::filesystem::exists(checkpoint)) return;
    std::cerr << fmt::format("the work is saved in {}; the same command continues it\n", checkpoint);
}

void print_game_text(const SolveReport& report) {
    const auto& solution = *report.verdict().as<game::Solution>();
    const CheckedPlans& checks = checks_of(report.check);
    const Plans& plans = plans_of(report.verdict());
    if (!solution.solved) {
        std::cout << fmt::format("unknown: {} — {}\n", describe(solution.stop), cost_text(report.verdict()));
    } else {
        std::cout << fmt::format("{} — {}\n", headline(solution), cost_text(report.verdict()));
        if (!solution.opposed)
            std::cout
                << "this is what each can force alone; that their goals always add up to 100 is not proven\n";
        print_first_moves(report.verdict().best, solution.all_best || report.all_first_moves,
                          report.all_first_moves);
        if (solution.stop != Stop::none) {
            std::cout << fmt::format("no plans: {} while they were written\n", describe(solution.stop));
        } else if (report.together.forgotten) {
            std::cout << "no plans: states were taken out of memory while others were found\n";
        } else if (report.certified && plans.empty() && solution.players.size() > 1) {
            std::cout << "no plans: this comes out when everybody plays for the own payoff alone\n";
        }
    }
    for (std::size_t i = 0; i < plans.size(); ++i) {
        std::cout << fmt::format("plan of {} for {}: {}", solution.players[plans[i].owner], plans[i].promise,
                                 plural(count_text(plans[i].choices.size()), "choice"))
                  << (i < checks.size() ? check_text(checks[i]) : "") << '\n';
    }
    if (report.verbose) {
        const auto statistics = statistics_json(report.together);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("  {:<18}{}\n", key,
                                     value.is_string() ? value.get<std::string>() : json_text(value));
    }
}

nlohmann::json game_json(const SolveReport& report) {
    const auto& solution = *report.verdict().as<game::Solution>();
    nlohmann::json object = statistics_json(report.together);
    object["verdict"] = game::verdict(solution);
    object["stop"] = describe(solution.stop);
    object["values"] = values_json(solution.players, solution.values);
    object["best"] = report.verdict().best;
    object["all_best"] = solution.all_best;
    object["rank"] = solution.rank ? nlohmann::json(*solution.rank) : nlohmann::json(nullptr);
    object["setup_cpu_seconds"] = report.setup_cpu_seconds;
    object["strategy_nodes"] = report.verdict().certificate.size();
    object["checks"] = nlohmann::json::array();
    for (const CheckedPlan& check : checks_of(report.check)) object["checks"].push_back(to_json(check));
    return object;
}

void print_checked_plans(const CheckedPlans& plans, Stop stop) {
    if (plans.empty()) std::cout << fmt::format("unknown: {}\n", describe(stop));
    for (const CheckedPlan& plan : plans) {
        const game::PlanVerification& result = plan.result;
        if (result.valid) {
            std::cout << fmt::format("valid: {} gets at least {} in {} ({} looked at)\n", plan.owner,
                                     plan.promise, scenarios_text(result),
                                     plural(count_text(result.positions), "position"));
        } else if (result.counterexample) {
            std::cout << fmt::format("not valid, the plan of {}: {}\n", plan.owner,
                                     result.counterexample->text());
        } else {
            std::cout << fmt::format("unknown, the plan of {}: {} after {}\n", plan.owner,
                                     describe(result.stop), plural(count_text(result.positions), "position"));
        }
    }
}

nlohmann::json checked_plans_json(const Report& report, bool by_reasoner) {
    nlohmann::json object = {
        {"valid", report.valid},           {"stop", describe(report.stop)},
        {"positions", report.positions},   {"scenarios", report.scenarios.empty() ? "0" : report.scenarios},
        {"counterexample", nullptr},       {"checked_by", by_reasoner ? "reasoner" : "rules"},
        {"plans", nlohmann::json::array()}};
    const auto* plans = report.as<CheckedPlans>();
    if (plans == nullptr) return object;
    for (const CheckedPlan& plan : *plans) {
        object["plans"].push_back(to_json(plan));
        if (!plan.result.counterexample || !object["counterexample"].is_null()) continue;
        object["counterexample"] = object["plans"].back()["counterexample"];
        object["counterexample"]["owner"] = plan.owner;
    }
    return object;
}

}  // namespace zermelo::cli
