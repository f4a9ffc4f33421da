#include "cli/solve/verify_game.hpp"

#include <algorithm>
#include <iostream>

#include "cli/solve/game_questions.hpp"
#include "game/strategy/file.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

namespace {

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// Of numbers too long for a machine word.
std::string sum(std::string a, std::string b) {
    if (a.size() < b.size()) std::swap(a, b);
    b.insert(0, a.size() - b.size(), '0');
    int carry = 0;
    for (std::size_t i = a.size(); i-- > 0;) {
        const int digit = (a[i] - '0') + (b[i] - '0') + carry;
        a[i] = static_cast<char>('0' + digit % 10);
        carry = digit / 10;
    }
    return carry > 0 ? "1" + a : a;
}

std::string all_scenarios(const std::vector<CheckedPlan>& plans) {
    std::vector<std::string> scenarios;
    for (const CheckedPlan& plan : plans) scenarios.push_back(plan.result.scenarios);
    return sum_of_scenarios(scenarios);
}

bool all_valid(const std::vector<CheckedPlan>& plans) {
    return !plans.empty() &&
           std::all_of(plans.begin(), plans.end(), [](const auto& plan) { return plan.result.valid; });
}

const CheckedPlan* first_broken(const std::vector<CheckedPlan>& plans) {
    for (const CheckedPlan& plan : plans) {
        if (plan.result.counterexample) return &plan;
    }
    return nullptr;
}

nlohmann::json to_json(const game::PlanVerification::Counterexample& counterexample) {
    return {{"play", counterexample.play}, {"reason", counterexample.reason}};
}

}  // namespace

std::string sum_of_scenarios(const std::vector<std::string>& scenarios) {
    std::string total = "0";
    for (const std::string& one : scenarios) {
        if (!is_number(one)) return one;
        total = sum(total, one);
    }
    return total;
}

nlohmann::json to_json(const CheckedPlan& checked) {
    const game::PlanVerification& result = checked.result;
    nlohmann::json object = {{"owner", checked.owner},        {"promise", checked.promise},
                             {"choices", checked.choices},    {"fingerprint", checked.fingerprint},
                             {"valid", result.valid},         {"stop", describe(result.stop)},
                             {"positions", result.positions}, {"scenarios", result.scenarios},
                             {"counterexample", nullptr}};
    if (result.counterexample) object["counterexample"] = to_json(*result.counterexample);
    return object;
}

std::string scenarios_text(const game::PlanVerification& result) {
    if (result.scenarios == "endless") return "endlessly many scenarios";
    if (result.scenarios == "not counted") return "scenarios too many to count";
    return plural(result.scenarios, "scenario");
}

int VerifyGame::run(ModelOptions& source, const Limits& limits) const {
    if (is_game_strategies(plan_file)) return check_strategies(source, limits);
    std::vector<CheckedPlan> plans;
    Stop stop = Stop::none;
    try {
        plans = check(source, limits);
    } catch (const LimitReached& limit) {
        stop = limit.stop();  // while rules or plans were read
    }
    for (const CheckedPlan& plan : plans) {
        if (plan.result.stop != Stop::none) stop = plan.result.stop;
    }
    const bool broken = first_broken(plans) != nullptr;
    if (json) {
        report_json(plans, stop);
    } else {
        report_text(plans, stop);
    }
    return broken ? check_failed : exit_code(stop);
}

// The strategies of a game's quantified models.
int VerifyGame::check_strategies(ModelOptions& source, const Limits& limits) const {
    if (reasoner) {
        throw Error({plan_file}, "these strategies are checked on a model, not by the reasoner",
                    "leave --reasoner out");
    }
    const Problem subject(source, limits);
    if (subject.gdl() == nullptr)
        throw Error({plan_file}, "these are strategies for a game in GDL", "give the game");
    return verify_game_strategies(plan_file, *subject.gdl(), json, limits);
}

std::vector<CheckedPlan> VerifyGame::check(ModelOptions& source, const Limits& limits) const {
    const auto check_on = [&](auto& game, Hash128 rules) {
        const game::PlanFile file = game::load_plans(plan_file, game, rules, limits);
        return check_plans(game, file.plans, limits);
    };
    if (!reasoner) {
        const Problem subject(source, limits);
        return subject.with_game([&](auto& game) { return check_on(game, subject.rules()); });
    }
    if (kind_of(source.file) != Kind::gdl) {
        throw Error({source.file}, "--reasoner is for games in GDL", "leave it out");
    }
    const gdl::Description description = gdl::read(source.file);
    gdl::ReasonerOptions options;
    options.limits = limits;
    gdl::Reasoner reason(description, options);
    game::ReasonerGame game(description, reason);
    return check_on(game, game::rules_fingerprint(description));
}

void VerifyGame::report_json(const std::vector<CheckedPlan>& plans, Stop stop) const {
    nlohmann::json object = {{"valid", all_valid(plans)},
                             {"stop", describe(stop)},
                             {"positions", 0},
                             {"scenarios", all_scenarios(plans)},
                             {"counterexample", nullptr},
                             {"checked_by", reasoner ? "reasoner" : "rules"},
                             {"plans", nlohmann::json::array()}};
    std::uint64_t positions = 0;
    for (const CheckedPlan& plan : plans) {
        positions += plan.result.positions;
        object["plans"].push_back(to_json(plan));
    }
    object["positions"] = positions;
    if (const CheckedPlan* broken = first_broken(plans)) {
        object["counterexample"] = to_json(*broken->result.counterexample);
        object["counterexample"]["owner"] = broken->owner;
    }
    print(object);
}

void VerifyGame::report_text(const std::vector<CheckedPlan>& plans, Stop stop) {
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

}  // namespace zermelo::cli
