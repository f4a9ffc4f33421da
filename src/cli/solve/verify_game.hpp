// Checking plans by the rules of a game alone, as `solve` and `verify` do it.

#pragma once

#include <fmt/format.h>

#include "cli/problem.hpp"
#include "game/strategy/verify.hpp"

namespace zermelo::cli {

struct CheckedPlan {
    std::string owner;
    int promise = 0;
    std::size_t choices = 0;
    std::string fingerprint;
    game::PlanVerification result;
};

// Each of the plans, all of them within the limits.
template <game::Game G>
[[nodiscard]] std::vector<CheckedPlan> check_plans(G& game, const std::vector<game::Plan>& plans,
                                                   const Limits& limits) {
    ProgressLine line;
    std::vector<CheckedPlan> checked;
    for (const game::Plan& plan : plans) {
        CheckedPlan& one = checked.emplace_back();
        one.owner = game.player_name(plan.owner);
        one.promise = plan.promise;
        one.choices = plan.choices.size();
        one.fingerprint = hex(game::fingerprint(plan));
        line.show(fmt::format("checking the plan of {}: {} choices", one.owner, count_text(one.choices)));
        one.result = game::verify_plan(game, plan, limits);
    }
    return checked;
}

[[nodiscard]] nlohmann::json to_json(const CheckedPlan& checked);
[[nodiscard]] std::string scenarios_text(const game::PlanVerification& result);  // 118 scenarios
// Of several checks; where one of them could not be counted, neither can all.
[[nodiscard]] std::string sum_of_scenarios(const std::vector<std::string>& scenarios);

struct VerifyGame {
    std::string plan_file;
    bool reasoner = false;
    bool json = false;

    // `source` names a game in GDL, or a graph.
    [[nodiscard]] int run(ModelOptions& source, const Limits& limits) const;

private:
    [[nodiscard]] int check_strategies(ModelOptions& source, const Limits& limits) const;
    [[nodiscard]] std::vector<CheckedPlan> check(ModelOptions& source, const Limits& limits) const;
    void report_json(const std::vector<CheckedPlan>& plans, Stop stop) const;
    static void report_text(const std::vector<CheckedPlan>& plans, Stop stop);
};

}  // namespace zermelo::cli
