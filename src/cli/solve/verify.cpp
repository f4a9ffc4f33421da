// zermelo verify: check a strategy by the rules alone.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/solve/solve_stochastic.hpp"
#include "cli/solve/solving.hpp"
#include "cli/solve/verify_game.hpp"
#include "strategy/format/json.hpp"

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
        if (kind_of(model.file) != Kind::model) {
            refuse_group(*app, for_models, model.file);
            return VerifyGame{strategy_file, reasoner, json}.run(model, limits.start());
        }
        refuse_option(*app, "--reasoner", model.file, "is for games in GDL");
        const Limits bounds = limits.start();
        model::Model m;
        strategy::Strategy strategy;
        strategy::Verification result;
        try {
            m = model.read(bounds);
            if (stochastic::is_stochastic(m))
                return VerifyStochastic{strategy_file, json}.run(std::move(m), bounds);
            strategy = strategy::load_strategy(strategy_file, m);
            result = verify_with_progress(m, strategy, bounds);
        } catch (const LimitReached& limit) {
            result.stop = limit.stop();  // while the model was read
        }
        const char* owner = strategy.owner == model::Quantifier::exists ? "∃" : "∀";
        if (json) {
            nlohmann::json object = {
                {"valid", result.valid},
                {"stop", describe(result.stop)},
                {"positions", result.positions},
                {"scenarios", result.scenarios},
                {"counterexample", nullptr},
                {"owner", strategy.owner == model::Quantifier::exists ? "exists" : "forall"},
                {"fingerprint", fingerprint(m, strategy)}};
            if (result.counterexample) {
                auto play = nlohmann::json::object();
                for (const strategy::Move& move : result.counterexample->play)
                    play[m.name_of(move.variable)] = move.value;
                object["counterexample"] = {{"play", play}, {"reason", result.counterexample->reason}};
            }
            print(object);
        } else if (result.valid) {
            std::cout << fmt::format("valid: {} wins in all {} ({} positions looked at)\n", owner,
                                     plural(result.scenarios, "scenario"), count_text(result.positions));
        } else if (result.counterexample) {
            std::cout << fmt::format("not valid: {}\n", result.counterexample->text(m));
        } else {
            std::cout << fmt::format("unknown: {} after {} positions\n", describe(result.stop),
                                     count_text(result.positions));
        }
        if (result.stop != Stop::none) return exit_code(result.stop);
        return result.valid ? answered : check_failed;
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
                      "GDL: read the rules as they stand, without the network that the engines use");
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
