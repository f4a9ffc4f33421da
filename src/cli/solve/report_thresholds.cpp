#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "cli/processes.hpp"
#include "cli/solve/report.hpp"
#include "core/format/json_text.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;
using Asked = ThresholdSolution::Asked;
using RoleValue = ThresholdSolution::RoleValue;

const char* form_name(encode::ModelForm form) {
    return form == encode::ModelForm::strategic ? "strategic" : "quantified";
}

std::string text(const ThresholdProof& proof, const strategy::Counterexample& counterexample) {
    const std::string play = fmt::format("{}", fmt::join(proof.move_names(counterexample.play), ", "));
    return fmt::format("{}{}{}", play, play.empty() ? "" : ": ", counterexample.reason);
}

json to_json(const ThresholdProof& proof, const strategy::Counterexample& counterexample) {
    return {{"play", proof.move_names(counterexample.play)}, {"reason", counterexample.reason}};
}

std::string known_so_far(const ThresholdSolution& solution) {
    std::string text;
    for (const RoleValue& value : solution.values) {
        if (!text.empty()) text += ", ";
        text += solution.questions->role_name(value.role);
        text += value.at_least == 0 ? " forces nothing"
                                    : fmt::format(" gets at least {}", value.goals[value.at_least - 1]);
        if (!value.known()) text += fmt::format(" and perhaps {}", value.goals[value.at_most - 1]);
    }
    return text + solution.questions->within();
}

std::string headline(const Verdict& verdict, const ThresholdSolution& solution) {
    const std::string name = solution.questions->role_name(solution.role);
    if (verdict.stop != Stop::none) {
        return fmt::format("unknown: {}{}", describe(verdict.stop),
                           solution.values.empty() ? "" : "; " + known_so_far(solution));
    }
    if (solution.threshold) {
        const bool forced = verdict.outcome == Outcome::won;
        return fmt::format("{} by {}: a goal of at least {} {}{}", zermelo::name(verdict.outcome), name,
                           *solution.threshold, forced ? "is forced" : "cannot be forced",
                           solution.questions->within());
    }
    if (verdict.values.empty()) return "unknown: " + known_so_far(solution);
    std::string list;
    for (std::size_t r = 0; r < verdict.values.size(); ++r)
        list += fmt::format("{}{} {:.0f}", r == 0 ? "" : ", ", verdict.players[r], verdict.values[r]);
    if (verdict.outcome != Outcome::drawn)
        return fmt::format("{} by {}: {}", zermelo::name(verdict.outcome), name, list);
    return verdict.values.size() == 1 ? "solved: " + list : "drawn: " + list;
}

// The check of a question, if its proof was needed and checked.
const strategy::Verification* check_of(const SolveReport& report, std::size_t question) {
    const auto* checks = report.check ? report.check->as<CheckedThresholds>() : nullptr;
    const auto& needed = report.verdict().as<ThresholdSolution>()->needed;
    const auto found = std::ranges::find(needed, question);
    const auto place = static_cast<std::size_t>(found - needed.begin());
    return checks == nullptr || place >= checks->size() ? nullptr : &(*checks)[place];
}

std::string check_text(const SolveReport& report, std::size_t question) {
    const strategy::Verification* check = check_of(report, question);
    if (check == nullptr) return "";
    const ThresholdProof& proof = *report.verdict().as<ThresholdSolution>()->asked[question].proof;
    if (check->counterexample) return "; THE CHECK FAILED: " + text(proof, *check->counterexample);
    if (!check->valid)
        return fmt::format("; not checked to the end: {} (raise --check-seconds)", describe(check->stop));
    return fmt::format("; checked without the solver: {}, kept in all", plural(check->scenarios, "scenario"));
}

void print_statistics(const ThresholdSolution& solution) {
    for (const Asked& asked : solution.asked) {
        const model::Model& model = asked.proof->quantified.model;
        std::cout << fmt::format("  {} at least {}: {}, {} variables, {} constraints\n",
                                 solution.questions->role_name(asked.proof->question().role),
                                 asked.proof->question().threshold, name(asked.answer.verdict),
                                 count_text(model.variables.size()), count_text(model.constraints.size()));
        const auto statistics = cli::to_json(asked.answer.statistics);
        for (const auto& [key, value] : statistics.items())
            std::cout << fmt::format("    {:<14}{}\n", key, json_text(value));
    }
}

json question_json(const SolveReport& report, std::size_t question) {
    const auto& solution = *report.verdict().as<ThresholdSolution>();
    const Asked& asked = solution.asked[question];
    const model::Model& model = asked.proof->quantified.model;
    json object = cli::to_json(asked.answer.statistics);
    if (question < report.together.questions.size()) object.update(*report.together.questions[question]);
    object["role"] = solution.questions->role_name(asked.proof->question().role);
    object["threshold"] = asked.proof->question().threshold;
    object["verdict"] = name(asked.answer.verdict);
    object["variables"] = model.variables.size();
    object["constraints"] = model.constraints.size();
    object["strategy_nodes"] = asked.proof->strategy.size();
    object["checked"] = nullptr;
    if (const strategy::Verification* check = check_of(report, question)) {
        if (check->stop == Stop::none) object["checked"] = check->valid;
        object["scenarios"] = check->scenarios;
        if (check->counterexample) object["counterexample"] = to_json(*asked.proof, *check->counterexample);
    }
    return object;
}

}  // namespace

void print_thresholds_text(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& solution = *verdict.as<ThresholdSolution>();
    std::cout << fmt::format("{} — by {} search, {}, {}\n", headline(verdict, solution),
                             form_name(solution.form), plural(count_text(verdict.nodes), "node"),
                             seconds_text(verdict.cpu_seconds));
    if (!verdict.best.empty()) {
        std::cout << fmt::format("{}: {}\n",
                                 !verdict.all_best          ? "a best first move"
                                 : verdict.best.size() == 1 ? "best first move"
                                                            : "best first moves",
                                 fmt::join(verdict.best, ", "));
    }
    for (const std::size_t question : solution.needed) {
        const ThresholdProof& proof = *solution.asked[question].proof;
        std::cout << fmt::format("{}: {}{}\n", proof.claim(),
                                 plural(count_text(proof.strategy.size()), "position"),
                                 check_text(report, question));
    }
    if (report.verbose) print_statistics(solution);
}

json thresholds_json(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    const auto& solution = *verdict.as<ThresholdSolution>();
    json object = {{"verdict", name(verdict.outcome)},
                   {"stop", describe(verdict.stop)},
                   {"values", json::object()},
                   {"guaranteed", json::object()},
                   {"best", verdict.best},
                   {"all_best", verdict.all_best},
                   {"engine", form_name(solution.form)},
                   {"horizon", solution.questions->horizon()},
                   {"complete", solution.questions->complete()},
                   {"nodes", verdict.nodes},
                   {"propagations", solution.statistics().propagations},
                   {"cpu_seconds", verdict.cpu_seconds},
                   {"wall_seconds", verdict.wall_seconds},
                   {"setup_cpu_seconds", report.problem->gdl()->set_up().seconds()},
                   {"peak_bytes", peak_bytes()},
                   {"processes", processes().size()},
                   {"strategy_nodes", verdict.certificate.size()},
                   {"questions", json::array()}};
    for (std::size_t r = 0; r < verdict.values.size(); ++r)
        object["values"][verdict.players[r]] = static_cast<int>(verdict.values[r]);
    for (const RoleValue& value : solution.values) {
        if (value.at_least > 0)
            object["guaranteed"][solution.questions->role_name(value.role)] = value.goals[value.at_least - 1];
    }
    for (std::size_t i = 0; i < solution.asked.size(); ++i)
        object["questions"].push_back(question_json(report, i));
    return object;
}

void print_checked_thresholds(const ThresholdProofs& proofs, const Report& report) {
    const auto& results = *report.as<CheckedThresholds>();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const strategy::Verification& result = results[i];
        const std::string claim = proofs[i]->claim();
        const std::string looked_at = plural(count_text(result.positions), "position");
        if (result.valid) {
            std::cout << fmt::format("valid: {} in {} ({} looked at)\n", claim,
                                     plural(result.scenarios, "scenario"), looked_at);
        } else if (result.counterexample) {
            std::cout << fmt::format("not valid, that {}: {}\n", claim,
                                     text(*proofs[i], *result.counterexample));
        } else {
            std::cout << fmt::format("unknown, that {}: {} after {}\n", claim, describe(result.stop),
                                     looked_at);
        }
    }
}

json checked_thresholds_json(const ThresholdProofs& proofs, const Report& report) {
    json object = {{"valid", report.valid},         {"stop", describe(report.stop)},
                   {"positions", report.positions}, {"scenarios", report.scenarios},
                   {"counterexample", nullptr},     {"strategies", json::array()}};
    const auto& results = *report.as<CheckedThresholds>();
    for (std::size_t i = 0; i < results.size(); ++i) {
        const ThresholdProof& proof = *proofs[i];
        const strategy::Verification& result = results[i];
        json one = {{"role", proof.questions->role_name(proof.question().role)},
                    {"threshold", proof.question().threshold},
                    {"forced", proof.forced()},
                    {"horizon", proof.questions->horizon()},
                    {"complete", proof.questions->complete()},
                    {"form", form_name(proof.question().form)},
                    {"fingerprint", fingerprint(proof.quantified.model, proof.strategy)},
                    {"valid", result.valid},
                    {"stop", describe(result.stop)},
                    {"positions", result.positions},
                    {"scenarios", result.scenarios},
                    {"counterexample", nullptr}};
        if (result.counterexample) one["counterexample"] = to_json(proof, *result.counterexample);
        if (object["counterexample"].is_null()) object["counterexample"] = one["counterexample"];
        object["strategies"].push_back(std::move(one));
    }
    return object;
}

}  // namespace zermelo::cli
