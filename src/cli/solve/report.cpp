#include "cli/solve/report.hpp"

#include <fmt/format.h>

#include <iostream>

namespace zermelo::cli {

namespace {

nlohmann::json json_of(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    if (verdict.as<game::Solution>() != nullptr) return game_json(report);
    if (verdict.as<game::ChanceSolution>() != nullptr) return chance_json(report);
    if (verdict.as<quantified::Answer>() != nullptr) return model_json(report);
    if (verdict.as<ThresholdSolution>() != nullptr) return thresholds_json(report);
    if (verdict.as<stochastic::Answer>() != nullptr) return policy_json(report);
    if (verdict.as<equilibrium::Solution>() != nullptr) return solved_equilibrium_json(report);
    return {{"verdict", "unknown"}, {"stop", describe(verdict.stop)}, {"values", nlohmann::json::object()}};
}

// Whatever follows from an answer that does not stand: keys stay, empty.
void take_back(nlohmann::json& object) {
    for (const char* key : {"values", "exact", "decimals", "bounds", "intervals", "guaranteed", "best",
                            "mixture", "decisions"}) {
        if (object.contains(key)) object[key].clear();
    }
    if (object.contains("rank")) object["rank"] = nullptr;
    if (object.contains("all_best")) object["all_best"] = false;
    object.erase("best_value");
}

void print_refuted(const SolveReport& report) {
    const Verdict& verdict = report.verdict();
    std::cout << fmt::format("no verdict: the search found \"{}\", but its {} does not prove it\n",
                             name(verdict.outcome), verdict.certificate.kind());
    std::cout << fmt::format("THE CHECK FAILED: {}\n", *report.check->counterexample);
    const model::Model* model = report.problem->model();
    if (model != nullptr && !model->cuts.empty() && !report.check_cuts)
        std::cout << "a cut of the model may be wrong: --check-cuts looks for it\n";
}

}  // namespace

void SolveReport::print_text() const {
    if (refuted()) return print_refuted(*this);
    if (verdict().as<game::Solution>() != nullptr) return print_game_text(*this);
    if (verdict().as<game::ChanceSolution>() != nullptr) return print_chance_text(*this);
    if (verdict().as<quantified::Answer>() != nullptr) return print_model_text(*this);
    if (verdict().as<ThresholdSolution>() != nullptr) return print_thresholds_text(*this);
    if (verdict().as<stochastic::Answer>() != nullptr) return print_policy_text(*this);
    if (verdict().as<equilibrium::Solution>() != nullptr) return print_equilibrium_text(*this);
    std::cout << fmt::format("unknown: {}\n", describe(verdict().stop));
}

nlohmann::json SolveReport::json() const {
    nlohmann::json object = json_of(*this);
    if (!refuted()) return object;
    object["claimed"] = object["verdict"];
    object["verdict"] = "unknown";
    take_back(object);
    object["counterexample"] = *check->counterexample;
    return object;
}

void SolveReport::print_json() const { print(json()); }

int SolveReport::exit_code() const {
    if (verdict().stop != Stop::none) return cli::exit_code(verdict().stop);
    const auto* answer = verdict().as<quantified::Answer>();
    if (answer != nullptr && !answer->broken_cuts.empty()) return check_failed;
    if (check && check->counterexample) return check_failed;
    if (check && check->stop == Stop::interrupted) return interrupted;
    const auto* thresholds = verdict().as<ThresholdSolution>();
    const bool cut_off =
        thresholds != nullptr && !thresholds->threshold && !thresholds->questions->complete();
    return cut_off && verdict().outcome == Outcome::unknown ? limit_reached : answered;
}

}  // namespace zermelo::cli
