#include "solve/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/format/text.hpp"
#include "equilibrium/file.hpp"
#include "game/solve.hpp"
#include "game/strategy/file.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "solve/chance.hpp"

namespace zermelo {

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

// Where one of them could not be counted, neither can all.
std::string sum_of_scenarios(const std::vector<std::string>& scenarios) {
    std::string total = "0";
    for (const std::string& one : scenarios) {
        if (!is_number(one)) return one;
        total = sum(total, one);
    }
    return total;
}

// The parts of a report that several verifications have in common. Results are of one type, with valid, stop,
// positions and scenarios; `text` tells what is wrong with one that has a counterexample.
template <class Results, class Text>
Report summary(const Results& results, const Text& text) {
    Report report;
    report.valid = !results.empty();
    std::vector<std::string> scenarios;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& result = *results[i];
        report.valid = report.valid && result.valid;
        if (result.stop != Stop::none) report.stop = result.stop;
        report.positions += result.positions;
        scenarios.push_back(result.scenarios);
        if (result.counterexample && !report.counterexample) report.counterexample = text(i);
    }
    report.scenarios = sum_of_scenarios(scenarios);
    return report;
}

strategy::Verification verify(const model::Model& model, const strategy::Strategy& strategy,
                              const CheckOptions& options) {
    strategy::VerifyOptions how;
    how.limits = options.limits;
    if (options.progress) {
        how.progress = [&](std::uint64_t positions) {
            options.progress(fmt::format("checking the strategy: {} positions", count_text(positions)));
        };
    }
    return strategy::verify(model, strategy, how);
}

Report check_strategy(const model::Model& model, const strategy::Strategy& strategy,
                      const CheckOptions& options) {
    strategy::Verification result = verify(model, strategy, options);
    Report report =
        summary(std::vector{&result}, [&](std::size_t) { return result.counterexample->text(model); });
    report.details = std::move(result);
    return report;
}

Report check_thresholds(const ThresholdProofs& proofs, const CheckOptions& options) {
    CheckedThresholds all;
    for (const auto& proof : proofs) all.push_back(verify(proof->quantified.model, proof->strategy, options));
    std::vector<const strategy::Verification*> results;
    for (const strategy::Verification& one : all) results.push_back(&one);
    Report report = summary(results, [&](std::size_t i) {
        const strategy::Counterexample& broken = *all[i].counterexample;
        const std::string play = fmt::format("{}", fmt::join(proofs[i]->move_names(broken.play), ", "));
        return fmt::format("{}{}{}", play, play.empty() ? "" : ": ", broken.reason);
    });
    report.details = std::move(all);
    return report;
}

template <game::Game G>
Report check_plans(G& game, const Plans& plans, const CheckOptions& options) {
    CheckedPlans all;
    for (const game::Plan& plan : plans) {
        CheckedPlan& one = all.emplace_back();
        one.owner = game.player_name(plan.owner);
        one.promise = plan.promise;
        one.choices = plan.choices.size();
        one.fingerprint = game::fingerprint(plan);
        if (options.progress) {
            options.progress(
                fmt::format("checking the plan of {}: {} choices", one.owner, count_text(one.choices)));
        }
        one.result = game::verify_plan(game, plan, options.limits);
    }
    std::vector<const game::PlanVerification*> results;
    for (const CheckedPlan& one : all) results.push_back(&one.result);
    Report report = summary(results, [&](std::size_t i) { return all[i].result.counterexample->text(); });
    report.details = std::move(all);
    return report;
}

Report check_policy(const stochastic::StochasticModel& model, const stochastic::Policy& policy,
                    const CheckOptions& options) {
    stochastic::PolicyVerification result = stochastic::verify(model, policy, options.limits);
    Report report;
    report.valid = result.valid;
    report.stop = result.stop;
    report.positions = result.positions;
    report.scenarios = std::to_string(result.scenarios);
    if (result.counterexample) report.counterexample = result.counterexample->text(model.model);
    report.details = std::move(result);
    return report;
}

Report report_of(equilibrium::Verification result) {
    Report report;
    report.valid = result.valid;
    report.stop = result.stop;
    report.positions = result.found.positions;
    report.scenarios = "not counted";
    if (result.fault) report.counterexample = result.fault->text();
    report.details = std::move(result);
    return report;
}

}  // namespace

Report check(const Problem& problem, const Certificate& certificate, const CheckOptions& options) {
    if (const auto* strategy = certificate.as<strategy::Strategy>())
        return check_strategy(*problem.model(), *strategy, options);
    if (const auto* proofs = certificate.as<ThresholdProofs>()) return check_thresholds(*proofs, options);
    if (const auto* policy = certificate.as<stochastic::Policy>())
        return check_policy(*problem.stochastic(), *policy, options);
    if (const auto* policies = certificate.as<ChancePolicies>())
        return check_policies(problem, *policies, options);
    if (const auto* mixed = certificate.as<equilibrium::Equilibrium>()) {
        equilibrium::MachineRules rules(*problem.gdl());
        return report_of(equilibrium::verify(rules, *mixed, options.limits));
    }
    if (const auto* plans = certificate.as<Plans>())
        return problem.with_game([&](auto& game) { return check_plans(game, *plans, options); });
    return {};
}

Report check_by_reasoner(const gdl::Description& description, const std::string& file,
                         const CheckOptions& options) {
    const std::string bytes = game::plan_file::contents(file);
    if (certificate_kind(bytes) == "policy")
        return check_policies_by_reasoner(description, bytes, file, options);
    gdl::ReasonerOptions how;
    how.limits = options.limits;
    gdl::Reasoner reasoner(description, how);
    if (certificate_kind(bytes) == "equilibrium") {
        const auto mixed = equilibrium::read_json(bytes, file, game::rules_fingerprint(description));
        equilibrium::ReasonerRules rules(description, reasoner);
        return report_of(equilibrium::verify(rules, mixed, options.limits));
    }
    game::ReasonerGame game(description, reasoner);
    const auto plans =
        game::read_plans(bytes, file, game, game::rules_fingerprint(description), options.limits).plans;
    return check_plans(game, plans, options);
}

}  // namespace zermelo
