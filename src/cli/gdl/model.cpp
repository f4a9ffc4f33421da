// zermelo gdl model: whether a role can force a goal, as a MiniZinc model.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/gdl/gdl.hpp"
#include "solve/threshold_questions.hpp"

namespace zermelo::cli {

namespace {

struct QuestionOptions {
    std::string role;  // empty: the first
    int threshold = 100;
    std::optional<std::size_t> horizon;
    bool strategic = false;
};

int print_model(const GdlOptions& options, const QuestionOptions& how) {
    const Limits bounds = options.limits.start();
    const auto game = std::make_shared<const gdl::Game>(options.file, options.grounding(bounds));
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
        gdl, "model", "Print a MiniZinc model that asks whether a role can force a goal",
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
