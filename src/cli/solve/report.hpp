// What `solve` and `verify` tell: verdicts and checks as text and as JSON, a file for each kind of engine.

#pragma once

#include <nlohmann/json.hpp>

#include "cli/solve/flags.hpp"

namespace zermelo::cli {

// All that there is to tell of a problem that was solved.
struct SolveReport {
    const Problem* problem = nullptr;  // null where a limit was reached while it was read
    cluster::TogetherVerdict together;
    std::optional<Report> check = {};
    double check_seconds = 0;
    double setup_cpu_seconds = 0;
    bool all_first_moves = false;  // were asked for
    bool certified = true;         // certificates were asked for
    bool check_cuts = false;
    bool best_policy = false;  // the best policy was sought
    bool verbose = false;

    [[nodiscard]] const Verdict& verdict() const { return together.verdict; }
    // The certificate does not stand up to the check: the verdict is none.
    [[nodiscard]] bool refuted() const { return check && check->counterexample.has_value(); }
    void print_text() const;
    [[nodiscard]] nlohmann::json json() const;
    void print_json() const;
    [[nodiscard]] int exit_code() const;
};

// --- forward engines: games in GDL, graphs, and models where one is asked for (report_game.cpp) ---

void print_game_text(const SolveReport& report);
[[nodiscard]] nlohmann::json game_json(const SolveReport& report);
[[nodiscard]] std::string headline(const game::Solution& solution);  // lost by yellow: yellow 0, red 100
[[nodiscard]] std::string cost_text(const Verdict& verdict);         // by attractors, 765 states, 0.00 s
[[nodiscard]] nlohmann::json values_json(const std::vector<std::string>& players,
                                         const std::vector<int>& values);
[[nodiscard]] nlohmann::json statistics_json(const cluster::TogetherVerdict& together);
// Tells on stderr that work which was stopped can be continued, if it can.
void tell_about_checkpoint(Stop stop, const std::string& checkpoint);
void print_checked_plans(const CheckedPlans& plans, Stop stop);
[[nodiscard]] nlohmann::json checked_plans_json(const Report& report, bool by_reasoner);

// --- games with chance (report_chance.cpp) ---

void print_chance_text(const SolveReport& report);
[[nodiscard]] nlohmann::json chance_json(const SolveReport& report);
// What every move of a position is worth.
void print_chance_moves(const Verdict& verdict);
[[nodiscard]] nlohmann::json chance_moves_json(const Verdict& verdict, const std::vector<std::string>& line);
void print_checked_policies(const CheckedPolicies& policies);
[[nodiscard]] nlohmann::json checked_policies_json(const Report& report, bool by_reasoner);

// --- quantified models (report_model.cpp) ---

void print_model_text(const SolveReport& report);
[[nodiscard]] nlohmann::json model_json(const SolveReport& report);
[[nodiscard]] nlohmann::json to_json(const quantified::SearchStatistics& statistics);
void print_checked_strategy(const strategy::Strategy& strategy, const Report& report);
[[nodiscard]] nlohmann::json checked_strategy_json(const model::Model& model,
                                                   const strategy::Strategy& strategy, const Report& report);

// --- games in GDL as models (report_thresholds.cpp) ---

void print_thresholds_text(const SolveReport& report);
[[nodiscard]] nlohmann::json thresholds_json(const SolveReport& report);
void print_checked_thresholds(const ThresholdProofs& proofs, const Report& report);
[[nodiscard]] nlohmann::json checked_thresholds_json(const ThresholdProofs& proofs, const Report& report);

// --- models with chance (report_policy.cpp) ---

void print_policy_text(const SolveReport& report);
[[nodiscard]] nlohmann::json policy_json(const SolveReport& report);
void print_checked_policy(const stochastic::StochasticModel& model, const Report& report);
[[nodiscard]] nlohmann::json checked_policy_json(const stochastic::StochasticModel& model,
                                                 const stochastic::Policy& policy, const Report& report);
// A policy below a threshold is no solution.
[[nodiscard]] bool is_solution(const Report& report);

// --- games with simultaneous or hidden moves (report_equilibrium.cpp) ---

void print_equilibrium_text(const SolveReport& report);
[[nodiscard]] nlohmann::json solved_equilibrium_json(const SolveReport& report);
void print_analysed_equilibrium(const Verdict& verdict);
[[nodiscard]] nlohmann::json equilibrium_json(const Verdict& verdict);  // without what a check tells
void print_checked_equilibrium(const Report& report);
// The certificate is null where the reasoner has read it.
[[nodiscard]] nlohmann::json checked_equilibrium_json(const equilibrium::Equilibrium* mixed,
                                                      const Report& report, bool by_reasoner);

}  // namespace zermelo::cli
