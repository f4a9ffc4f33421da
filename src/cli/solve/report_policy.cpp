#include <fmt/format.h>

#include <iostream>

#include "cli/solve/report.hpp"
#include "core/format/json_text.hpp"
#include "stochastic/format/policy_file.hpp"

namespace zermelo::cli {

namespace {

nlohmann::json moves_json(const stochastic::StochasticModel& model,
                          const std::vector<strategy::Move>& moves) {
    auto object = nlohmann::json::object();
    for (const strategy::Move& move : moves) object[model.model.name_of(move.variable)] = move.value;
    return object;
}

// By player, from 1; "2/3" and 0.6666….
nlohmann::json utilities_json(const stochastic::Rationals& utilities, bool decimal) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        auto& entry = object[std::to_string(p + 1)];
        if (decimal) {
            entry = static_cast<double>(utilities[p]);
        } else {
            entry = stochastic::text(utilities[p]);
        }
    }
    return object;
}

std::string thresholds_text(const stochastic::StochasticModel& model) {
    std::string result;
    for (std::size_t p = 0; p < model.thresholds.size(); ++p) {
        if (!model.thresholds[p]) continue;
        if (!result.empty()) result += ", ";
        if (model.players() > 1) result += fmt::format("player {}: ", p + 1);
        result += stochastic::text(*model.thresholds[p]);
    }
    return result;
}

// 2/3 ≈ 0.667
std::string utilities_text(const stochastic::Rationals& utilities) {
    std::string approximately;
    bool whole = true;
    for (const stochastic::Rational& utility : utilities) {
        approximately +=
            fmt::format("{}{:.4g}", approximately.empty() ? "" : ", ", static_cast<double>(utility));
        whole = whole && denominator(utility) == 1;
    }
    if (whole) return stochastic::text(utilities);
    return fmt::format("{} ≈ {}", stochastic::text(utilities),
                       utilities.size() == 1 ? approximately : "(" + approximately + ")");
}

nlohmann::json to_json(const stochastic::Statistics& s) {
    return {{"nodes", s.nodes},
            {"failures", s.failures},
            {"pruned", s.pruned},
            {"propagations", s.propagations},
            {"tuples", s.tuples},
            {"refuted", s.refuted},
            {"cpu_seconds", s.cpu_seconds},
            {"wall_seconds", s.wall_seconds}};
}

void print_policy(const SolveReport& report, const stochastic::Policy& policy) {
    std::cout << fmt::format("policy: {}", plural(count_text(policy.size()), "node"));
    if (report.check && report.check->valid) {
        const auto& checked = *report.check->as<stochastic::PolicyVerification>();
        std::cout << fmt::format("; checked without the solver: {}",
                                 plural(count_text(checked.scenarios), "scenario"));
    } else if (report.check && report.check->counterexample) {
        std::cout << fmt::format("; THE CHECK FAILED: {}", *report.check->counterexample);
    } else if (report.check) {
        std::cout << fmt::format("; not checked to the end in {} (raise --check-seconds)",
                                 seconds_text(report.check_seconds));
    }
    std::cout << '\n';
}

}  // namespace

bool is_solution(const Report& report) {
    const auto* checked = report.as<stochastic::PolicyVerification>();
    return report.valid && checked != nullptr && checked->reaches_thresholds;
}

void print_policy_text(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& model = *report.problem->stochastic();
    const auto* policy = verdict.certificate.as<stochastic::Policy>();
    const bool best = report.best_policy || !model.has_threshold();
    const std::string cost =
        fmt::format("{}, {}", plural(count_text(verdict.nodes), "node"), seconds_text(verdict.cpu_seconds));
    if (verdict.outcome == Outcome::unknown) {
        std::cout << fmt::format("unknown: {} after {}\n", describe(verdict.stop), cost);
    } else if (policy == nullptr) {
        std::cout << fmt::format(
            "lost in {} — {}\n", cost,
            best ? "no policy is feasible" : "no policy reaches " + thresholds_text(model));
    } else {
        std::cout << fmt::format("{} in {} — {} {}", name(verdict.outcome), cost,
                                 best ? "the best expected utility is" : "expected utility",
                                 utilities_text(policy->utilities));
        if (model.has_threshold()) {
            std::cout << fmt::format(", {} the threshold {}",
                                     verdict.outcome == Outcome::won ? "at least" : "below",
                                     thresholds_text(model));
        }
        if (!verdict.best.empty()) std::cout << "; first " << verdict.best.front();
        std::cout << '\n';
    }
    if (policy != nullptr) print_policy(report, *policy);
    if (!report.verbose) return;
    const auto statistics = to_json(verdict.as<stochastic::Answer>()->statistics);
    for (const auto& [key, value] : statistics.items())
        std::cout << fmt::format("  {:<14}{}\n", key, json_text(value));
}

nlohmann::json policy_json(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& model = *report.problem->stochastic();
    const auto* policy = verdict.certificate.as<stochastic::Policy>();
    nlohmann::json object = to_json(verdict.as<stochastic::Answer>()->statistics);
    object["verdict"] = name(verdict.outcome);
    object["stop"] = describe(verdict.stop);
    object["engine"] = name(verdict.engine);
    object["question"] = report.best_policy || !model.has_threshold() ? "best" : "solution";
    object["stages"] = model.stages();
    object["players"] = model.players();
    object["thresholds"] = nlohmann::json::object();
    for (std::size_t p = 0; p < model.thresholds.size(); ++p) {
        if (model.thresholds[p])
            object["thresholds"][std::to_string(p + 1)] = stochastic::text(*model.thresholds[p]);
    }
    object["best"] = nlohmann::json::array();
    object["values"] = nlohmann::json::object();
    object["decimals"] = nlohmann::json::object();
    if (policy != nullptr) {
        object["best"].push_back(moves_json(model, first_decisions(model, *policy)));
        object["values"] = utilities_json(policy->utilities, false);
        object["decimals"] = utilities_json(policy->utilities, true);
    }
    object["peak_bytes"] = peak_bytes();
    object["strategy_nodes"] = verdict.certificate.size();
    object["checked"] = nullptr;
    if (report.check && report.check->stop == Stop::none) object["checked"] = report.check->valid;
    if (report.check) object["scenarios"] = report.check->scenarios;
    return object;
}

void print_checked_policy(const stochastic::StochasticModel& model, const Report& report) {
    const auto& result = *report.as<stochastic::PolicyVerification>();
    const bool solution = is_solution(report);
    if (report.valid) {
        std::cout << fmt::format(
            "{}: expected utility {} over {}{}\n", solution ? "valid" : "not valid",
            utilities_text(result.utilities), plural(count_text(result.scenarios), "scenario"),
            !model.has_threshold() ? ""
                                   : fmt::format(", {} the threshold {}", solution ? "at least" : "below",
                                                 thresholds_text(model)));
    } else if (report.counterexample) {
        std::cout << fmt::format("not valid: {}\n", *report.counterexample);
    } else {
        std::cout << fmt::format("unknown: {} after {} positions\n", describe(report.stop),
                                 count_text(report.positions));
    }
}

nlohmann::json checked_policy_json(const stochastic::StochasticModel& model, const stochastic::Policy& policy,
                                   const Report& report) {
    const auto& result = *report.as<stochastic::PolicyVerification>();
    nlohmann::json object = {{"valid", is_solution(report)},
                             {"stop", describe(report.stop)},
                             {"positions", report.positions},
                             {"scenarios", report.scenarios},
                             {"counterexample", nullptr},
                             {"values", utilities_json(result.utilities, false)},
                             {"reaches_thresholds", result.reaches_thresholds},
                             {"fingerprint", fingerprint(model, policy)}};
    if (result.counterexample) {
        object["counterexample"] = {{"play", moves_json(model, result.counterexample->play)},
                                    {"reason", result.counterexample->reason}};
    }
    return object;
}

}  // namespace zermelo::cli
