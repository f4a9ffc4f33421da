// zermelo gdl model: whether a role can force a goal, or what the players can expect against chance, as a
// MiniZinc model.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "solve/problem/stage_model.hpp"
#include "solve/problem/threshold_questions.hpp"

namespace zermelo::cli {

namespace {

struct QuestionOptions {
    std::string role;  // empty: the first
    int threshold = 100;
    std::optional<std::size_t> horizon;
    bool strategic = false;
};

// A game with chance: its stages as a stochastic model.
int print_stages(const GdlOptions& options, const QuestionOptions& how, const gdl::Game& game,
                 const Limits& bounds) {
    if (how.strategic || !how.role.empty())
        throw Error({options.file}, "chance moves in this game", "leave --strategic and --role out");
    const StageModel model = make_stage_model(game, how.horizon, bounds);
    if (!options.json) {
        std::cout << model.text;
        return answered;
    }
    auto turns = nlohmann::json::array();
    for (std::size_t t = 0; t < model.unrolling.steps.size(); ++t) {
        for (const auto& mover : model.unrolling.steps[t].movers) {
            turns.push_back({{"move", t + 1},
                             {"role", game.text(game.machine().network().roles[mover.role])},
                             {"values", mover.options.size()}});
        }
    }
    print({{"horizon", model.horizon()},
           {"complete", model.complete},
           {"form", "stochastic"},
           {"turns", turns},
           {"model", model.text}});
    return answered;
}

int print_model(const GdlOptions& options, const QuestionOptions& how) {
    const Limits bounds = options.limits.start();
    const auto game = std::make_shared<const gdl::Game>(options.file, options.grounding(bounds));
    warn_of_repairs(game->description());
    if (encode::chance_of(*game)) return print_stages(options, how, *game, bounds);
    const ThresholdQuestions questions(game, how.horizon, bounds);
    encode::Question question;
    question.role = how.role.empty() ? 0 : questions.role_named(how.role);
    question.threshold = how.threshold;
    question.form = how.strategic ? encode::ModelForm::strategic : encode::ModelForm::quantified;
    const encode::QuantifiedGame quantified = questions.model(question);
    if (!options.json) {
        encode::write_minizinc(std::cout, *game, quantified);
        return answered;
    }
    auto turns = nlohmann::json::array();
    for (const auto& turn : quantified.turns) {
        turns.push_back({{"variable", quantified.model.name_of(turn.variable)},
                         {"move", turn.step},
                         {"role", questions.role_name(turn.role)},
                         {"values", quantified.model.domain(turn.variable).size()}});
    }
    print({{"role", questions.role_name(question.role)},
           {"threshold", question.threshold},
           {"horizon", questions.horizon()},
           {"complete", questions.complete()},
           {"form", how.strategic ? "strategic" : "quantified"},
           {"variables", quantified.model.variables.size()},
           {"constraints", quantified.model.constraints.size()},
           {"turns", turns}});
    return answered;
}

}  // namespace

Command add_gdl_model(CLI::App& gdl) {
    auto* command = add_gdl_command(
        gdl, "model", "Print a MiniZinc model: can a role force a goal? With chance: what can be expected?",
        "zermelo gdl model games/gdl/tic-tac-toe.kif --role o --threshold 50 > o.mzn && zermelo solve o.mzn");
    auto options = std::make_shared<GdlOptions>();
    auto question = std::make_shared<QuestionOptions>();
    options->add_to(*command);
    command->add_option("--role", question->role, "the role that has to reach the goal (default: the first)");
    command->add_option("--threshold", question->threshold, "the least goal value to force")
        ->capture_default_str();
    command->add_option("--horizon", question->horizon,
                        "number of moves to consider (default: the length of the longest play, if known)");
    command->add_flag("--strategic", question->strategic,
                      "write a strategic model (every_consistent, hold) instead of one with rules");
    return {command, [options, question] { return print_model(*options, *question); }};
}

}  // namespace zermelo::cli
