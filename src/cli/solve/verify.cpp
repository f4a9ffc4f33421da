// zermelo verify: check a certificate by the rules alone.

#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/solve/report.hpp"
#include "game/strategy/file.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::cli {

namespace {

struct Verify {
    CLI::App* app = nullptr;
    ModelOptions model;
    LimitOptions limits;
    std::string strategy_file;
    bool reasoner = false;
    bool json = false;

    int run() {
        const Language language = language_of(model.file);
        if (is_model(language)) {
            refuse_option(*app, "--reasoner", model.file, "is for games in GDL");
        } else {
            refuse_group(*app, for_models, model.file);
        }
        if (reasoner && language != Language::gdl)
            throw Error({model.file}, "--reasoner is for games in GDL", "leave it out");
        const Limits bounds = limits.start();
        std::optional<Problem> problem;
        Certificate certificate;
        Report report;
        try {
            if (reasoner) {
                report = check_by_reasoning(bounds);
            } else {
                problem = model.read(bounds);
                certificate = load(strategy_file, *problem, bounds);
                report = check_with_progress(*problem, certificate, bounds);
            }
        } catch (const LimitReached& limit) {
            report.stop = limit.stop();  // while rules or certificates were read
        }
        tell(problem ? &*problem : nullptr, certificate, report);
        const bool policy = certificate.as<stochastic::Policy>() != nullptr;
        if (report.counterexample) return check_failed;
        if (report.stop != Stop::none) return exit_code(report.stop);
        return (policy ? is_solution(report) : report.valid) ? answered : check_failed;
    }

    [[nodiscard]] Report check_by_reasoning(const Limits& bounds) const {
        if (certificate_kind(game::plan_file::contents(strategy_file)) == "thresholds") {
            throw Error({strategy_file}, "these strategies are checked on a model, not by the reasoner",
                        "leave --reasoner out");
        }
        ProgressLine line;
        CheckOptions options;
        options.limits = bounds;
        options.progress = [&](const std::string& text) { line.show(text); };
        const gdl::Description description = gdl::read(model.file);
        warn_of_repairs(description);
        return check_by_reasoner(description, strategy_file, options);
    }

    void tell(const Problem* problem, const Certificate& certificate, const Report& report) const {
        if (const auto* policies = report.as<CheckedPolicies>()) {
            if (json) return print(checked_policies_json(report, reasoner));
            return print_checked_policies(*policies);
        }
        if (const auto* strategy = certificate.as<strategy::Strategy>()) {
            if (json) return print(checked_strategy_json(*problem->model(), *strategy, report));
            return print_checked_strategy(*strategy, report);
        }
        if (const auto* policy = certificate.as<stochastic::Policy>()) {
            if (json) return print(checked_policy_json(*problem->stochastic(), *policy, report));
            return print_checked_policy(*problem->stochastic(), report);
        }
        if (const auto* proofs = certificate.as<ThresholdProofs>()) {
            if (json) return print(checked_thresholds_json(*proofs, report));
            return print_checked_thresholds(*proofs, report);
        }
        const auto* mixed = certificate.as<equilibrium::Equilibrium>();
        if (mixed != nullptr || report.as<equilibrium::Verification>() != nullptr) {
            if (json) return print(checked_equilibrium_json(mixed, report, reasoner));
            return print_checked_equilibrium(report);
        }
        if (is_model(language_of(model.file))) {  // a limit was reached while it was read
            if (json) return print(checked_strategy_json({}, {}, report));
            return print_checked_strategy({}, report);
        }
        if (json) return print(checked_plans_json(report, reasoner));
        const auto* plans = report.as<CheckedPlans>();
        print_checked_plans(plans == nullptr ? CheckedPlans{} : *plans, report.stop);
    }
};

}  // namespace

Command add_verify(CLI::App& app) {
    auto* command = app.add_subcommand("verify", "Check a strategy without the solver");
    auto verify = std::make_shared<Verify>();
    verify->app = command;
    verify->model.add_to(*command);
    command->add_option("STRATEGY", verify->strategy_file, "a file written by solve --strategy")->required();
    verify->limits.add_to(*command);
    command->add_flag("--reasoner", verify->reasoner,
                      "for games in GDL: check with the reference reasoner, not with the propositional "
                      "network of the engines");
    command->add_flag("--json", verify->json, "print one JSON object");
    command->footer(
        "Exit code 0: the strategy wins. 1: it does not, and the first scenario that breaks it is shown.\n"
        "Examples:\n"
        "  zermelo solve games/quantified/nim-fibonacci.mzn -D n=20 --strategy nim.json\n"
        "  zermelo verify games/quantified/nim-fibonacci.mzn -D n=20 nim.json\n"
        "  zermelo verify games/gdl/tic-tac-toe.kif plan.json --reasoner\n"
        "  zermelo verify games/stochastic/example-1.mzn policy.json");
    return {command, [verify] { return verify->run(); }};
}

}  // namespace zermelo::cli
