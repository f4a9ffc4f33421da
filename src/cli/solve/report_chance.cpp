#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>

#include "cli/solve/report.hpp"

namespace zermelo::cli {

namespace {

// 61/2 ≈ 30.5; a fraction that is too long to be read is left out; bounds as an interval.
std::string expectation_text(const game::Expectation& value) {
    constexpr std::size_t most_shown = 24;
    if (!value.exact()) {
        return fmt::format("between {:.8f} and {:.8f}", rounded_down(value.low), rounded_up(value.high));
    }
    const std::string exact = text(value.low);
    if (denominator(value.low) == 1) return exact;
    return exact.size() <= most_shown ? fmt::format("{} ≈ {:.4f}", exact, value.number())
                                      : fmt::format("{:.6f}", value.number());
}

std::string expected_values_text(const game::ChanceSolution& solution) {
    std::string all;
    for (std::size_t p = 0; p < solution.players.size(); ++p) {
        all += fmt::format("{}{} {}", p == 0 ? "" : ", ", solution.players[p],
                           expectation_text(solution.values[p]));
    }
    return all;
}

std::string chance_cost_text(const Verdict& verdict, const game::ChanceSolution& solution) {
    const std::string counted = is_stochastic(verdict.engine) ? "node" : "state";
    return fmt::format("by {}, {}, {}", name(verdict.engine), plural(count_text(solution.states), counted),
                       seconds_text(verdict.cpu_seconds));
}

// value: the number; exact: the fraction; bounds: both ends.
nlohmann::json expected_numbers_json(const std::vector<std::string>& players,
                                     const std::vector<game::Expectation>& values) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < values.size(); ++p) object[players[p]] = values[p].number();
    return object;
}

nlohmann::json expected_fractions_json(const std::vector<std::string>& players,
                                       const std::vector<game::Expectation>& values) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < values.size(); ++p) {
        if (values[p].exact()) object[players[p]] = text(values[p].low);
    }
    return object;
}

nlohmann::json expected_bounds_json(const std::vector<std::string>& players,
                                    const std::vector<game::Expectation>& values) {
    auto object = nlohmann::json::object();
    for (std::size_t p = 0; p < values.size(); ++p)
        object[players[p]] = {rounded_down(values[p].low), rounded_up(values[p].high)};
    return object;
}

const char* interests_name(game::Interests interests) {
    switch (interests) {
        case game::Interests::shared:
            return "shared";
        case game::Interests::opposed:
            return "opposite";
        case game::Interests::own:
            break;
    }
    return "own";
}

std::string policy_claim_text(const CheckedPolicy& checked) {
    const std::string value = checked.exact
                                  ? text(checked.values)
                                  : fmt::format("{:.8f}", static_cast<double>(checked.values.front()));
    if (checked.claim == "guarantee") return fmt::format("{} expects at least {}", checked.player, value);
    if (checked.claim == "limit") return fmt::format("{} expects at most {}", checked.player, value);
    return fmt::format("all expect {}, and nobody more by another move", value);
}

std::string policy_scenarios_text(const game::PolicyVerification& result) {
    if (result.scenarios == "endless") return "endlessly many scenarios";
    if (result.scenarios == "not counted") return "scenarios too many to count";
    return plural(result.scenarios, "scenario");
}

std::string policy_check_text(const game::PolicyVerification& result) {
    if (result.counterexample) return "THE CHECK FAILED: " + result.counterexample->text();
    if (!result.valid)
        return fmt::format("not checked to the end: {} (raise --check-seconds)", describe(result.stop));
    return fmt::format("checked by the rules alone: {}, {}", plural(count_text(result.positions), "position"),
                       policy_scenarios_text(result));
}

nlohmann::json to_json(const CheckedPolicy& checked) {
    const game::PolicyVerification& result = checked.result;
    auto values = nlohmann::json::array();
    for (const Rational& value : checked.values) values.push_back(text(value));
    nlohmann::json object = {{"claim", checked.claim},
                             {"player", checked.player},
                             {"values", values},
                             {"exact", checked.exact},
                             {"choices", checked.choices},
                             {"fingerprint", hex(checked.fingerprint)},
                             {"valid", result.valid},
                             {"stop", describe(result.stop)},
                             {"positions", result.positions},
                             {"scenarios", result.scenarios},
                             {"counterexample", nullptr}};
    if (result.counterexample) {
        object["counterexample"] = {{"play", result.counterexample->play},
                                    {"reason", result.counterexample->reason}};
    }
    return object;
}

const CheckedPolicies& policy_checks_of(const std::optional<Report>& report) {
    static const CheckedPolicies none;
    const auto* policies = report ? report->as<CheckedPolicies>() : nullptr;
    return policies == nullptr ? none : *policies;
}

}  // namespace

std::string chance_headline(const Verdict& verdict) {
    const auto& solution = *verdict.as<game::ChanceSolution>();
    if (!solution.solved)
        return fmt::format("unknown: {} — {}", describe(solution.stop), chance_cost_text(verdict, solution));
    const std::string word = game::verdict(solution);
    const bool alone = solution.interests == game::Interests::shared;
    const std::string who = alone || word == "drawn" || word == "unknown"
                                ? std::string("solved")
                                : fmt::format("{} on average by {}", word, solution.players.front());
    return fmt::format("{}: {} — {}", who, expected_values_text(solution),
                       chance_cost_text(verdict, solution));
}

void print_chance_text(const SolveReport& report) {
    const auto& solution = *report.verdict().as<game::ChanceSolution>();
    std::cout << chance_headline(report.verdict()) << '\n';
    const auto& best = report.verdict().best;
    if (!best.empty()) {
        constexpr std::size_t most = 12;
        const auto end = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), most));
        std::cout << fmt::format("best first move{}: {}{}\n", best.size() == 1 ? "" : "s",
                                 fmt::join(best.begin(), end, ", "),
                                 best.size() > most ? fmt::format(", and {} more", best.size() - most) : "");
    }
    if (solution.solved && solution.interests == game::Interests::own)
        std::cout << "this comes out when everybody plays for the own expected payoff alone\n";
    if (solution.stop != Stop::none && solution.solved)
        std::cout << fmt::format("no policy: {} while it was written\n", describe(solution.stop));
    for (const CheckedPolicy& checked : policy_checks_of(report.check)) {
        std::cout << fmt::format("policy, {}: {}; {}\n", plural(count_text(checked.choices), "choice"),
                                 policy_claim_text(checked), policy_check_text(checked.result));
    }
    if (is_stochastic(report.verdict().engine) && solution.solved && report.certified)
        std::cout
            << "the policy of the model was checked without the solver; for one of the game, solve it by "
               "value-iteration\n";
    if (!report.verbose) return;
    std::cout << fmt::format("  states {}, moves {}, in cycles {}, sweeps {}, bytes a state {:.1f}\n",
                             solution.states, solution.edges, solution.cyclic_states, solution.sweeps,
                             solution.bytes_per_state);
}

nlohmann::json chance_statistics_json(const Verdict& verdict) {
    const auto& solution = *verdict.as<game::ChanceSolution>();
    return {{"engine", name(verdict.engine)},
            {"verdict", game::verdict(solution)},
            {"stop", describe(solution.stop)},
            {"values", expected_numbers_json(solution.players, solution.values)},
            {"exact", expected_fractions_json(solution.players, solution.values)},
            {"bounds", expected_bounds_json(solution.players, solution.values)},
            {"interests", interests_name(solution.interests)},
            {"nodes", solution.states},
            {"states", solution.states},
            {"edges", solution.edges},
            {"states_in_cycles", solution.cyclic_states},
            {"sweeps", solution.sweeps},
            {"bytes_per_state", solution.bytes_per_state},
            {"propagations", 0},
            {"cpu_seconds", verdict.cpu_seconds},
            {"wall_seconds", verdict.wall_seconds},
            {"peak_bytes", peak_bytes()}};
}

nlohmann::json chance_json(const SolveReport& report) {
    nlohmann::json object = chance_statistics_json(report.verdict());
    object["best"] = report.verdict().best;
    object["all_best"] = report.verdict().all_best;
    object["setup_cpu_seconds"] = report.setup_cpu_seconds;
    object["strategy_nodes"] = report.verdict().certificate.size();
    object["checks"] = nlohmann::json::array();
    for (const CheckedPolicy& check : policy_checks_of(report.check))
        object["checks"].push_back(to_json(check));
    return object;
}

void print_chance_moves(const Verdict& verdict) {
    const auto& solution = *verdict.as<game::ChanceSolution>();
    std::cout << chance_headline(verdict) << '\n';
    if (!solution.solved) return;
    if (solution.over) {
        std::cout << "the play is over\n";
        return;
    }
    const std::string title =
        solution.mover ? solution.players[*solution.mover] + " to move" : "chance moves";
    std::size_t width = title.size();
    for (const game::ChanceMove& move : solution.moves) width = std::max(width, move.move.size());
    std::cout << fmt::format("  {:<{}}", title, width);
    for (const std::string& player : solution.players) std::cout << fmt::format("  {:>9}", player);
    std::cout << '\n';
    for (const game::ChanceMove& move : solution.moves) {
        std::cout << fmt::format("{} {:<{}}", move.best ? "*" : " ", move.move, width);
        for (const game::Expectation& value : move.values)
            std::cout << fmt::format("  {:>9.4f}", value.number());
        if (move.probability) std::cout << fmt::format("  with probability {:.4f}", *move.probability);
        if (!move.probability && move.values.front().exact())
            std::cout << "  " << expectation_text(move.values[solution.mover.value_or(0)]);
        std::cout << '\n';
    }
}

nlohmann::json chance_moves_json(const Verdict& verdict, const std::vector<std::string>& line) {
    const auto& solution = *verdict.as<game::ChanceSolution>();
    nlohmann::json object = chance_statistics_json(verdict);
    object["position"] = line;
    object["mover"] = nullptr;
    if (solution.mover) object["mover"] = solution.players[*solution.mover];
    object["chance"] = !solution.mover && !solution.over;
    object["rank"] = nullptr;
    object["estimate"] = false;
    object["moves"] = nlohmann::json::array();
    for (const game::ChanceMove& move : solution.moves) {
        nlohmann::json one = {{"move", move.move},
                              {"values", expected_numbers_json(solution.players, move.values)},
                              {"exact", expected_fractions_json(solution.players, move.values)},
                              {"rank", nullptr},
                              {"best", move.best}};
        if (move.probability) one["probability"] = *move.probability;
        object["moves"].push_back(std::move(one));
    }
    return object;
}

void print_checked_policies(const CheckedPolicies& policies) {
    for (const CheckedPolicy& checked : policies) {
        const game::PolicyVerification& result = checked.result;
        if (result.valid) {
            std::cout << fmt::format("valid: {} ({}, {})\n", policy_claim_text(checked),
                                     plural(count_text(result.positions), "position"),
                                     policy_scenarios_text(result));
        } else if (result.counterexample) {
            std::cout << fmt::format("not valid, that {}: {}\n", policy_claim_text(checked),
                                     result.counterexample->text());
        } else {
            std::cout << fmt::format("unknown, whether {}: {} after {}\n", policy_claim_text(checked),
                                     describe(result.stop), plural(count_text(result.positions), "position"));
        }
    }
}

nlohmann::json checked_policies_json(const Report& report, bool by_reasoner) {
    nlohmann::json object = {{"valid", report.valid},
                             {"stop", describe(report.stop)},
                             {"positions", report.positions},
                             {"scenarios", report.scenarios},
                             {"counterexample", nullptr},
                             {"checked_by", by_reasoner ? "reasoner" : "rules"},
                             {"policies", nlohmann::json::array()}};
    for (const CheckedPolicy& checked : *report.as<CheckedPolicies>()) {
        object["policies"].push_back(to_json(checked));
        if (checked.result.counterexample && object["counterexample"].is_null()) {
            object["counterexample"] = object["policies"].back()["counterexample"];
            object["counterexample"]["claim"] = policy_claim_text(checked);
        }
    }
    return object;
}

}  // namespace zermelo::cli
