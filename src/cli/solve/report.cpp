#include "cli/solve/report.hpp"

#include <fmt/format.h>

#include <iostream>

namespace zermelo::cli {

void SolveReport::print_text() const {
    if (verdict().as<game::Solution>() != nullptr) return print_game_text(*this);
    if (verdict().as<quantified::Answer>() != nullptr) return print_model_text(*this);
    if (verdict().as<ThresholdSolution>() != nullptr) return print_thresholds_text(*this);
    if (verdict().as<stochastic::Answer>() != nullptr) return print_policy_text(*this);
    std::cout << fmt::format("unknown: {}\n", describe(verdict().stop));
}

void SolveReport::print_json() const {
    if (verdict().as<game::Solution>() != nullptr) return print(game_json(*this));
    if (verdict().as<quantified::Answer>() != nullptr) return print(model_json(*this));
    if (verdict().as<ThresholdSolution>() != nullptr) return print(thresholds_json(*this));
    if (verdict().as<stochastic::Answer>() != nullptr) return print(policy_json(*this));
    print({{"verdict", "unknown"}, {"stop", describe(verdict().stop)}, {"values", nlohmann::json::object()}});
}

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
