// zermelo qbf: a model, or the question whether a role can force a goal in a game, as a quantified Boolean formula.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "cli/command.hpp"
#include "cli/usage/values.hpp"
#include "model/qbf/booleanise.hpp"
#include "model/qbf/write.hpp"
#include "solve/problem/threshold_questions.hpp"

namespace zermelo::cli {

namespace {

constexpr const char* for_games_as_qbf = "games in GDL";

struct Qbf {
    CLI::App* app = nullptr;
    ModelOptions model;
    LimitOptions limits;
    std::string role;  // empty: the first
    int threshold = 100;
    std::optional<std::size_t> horizon;
    std::string format = "qdimacs";
    std::string out;
    bool json = false;

    int run() const {
        const Limits bounds = limits.start();
        const Problem problem = model.read(bounds);
        std::string about = fmt::format("{}: can ∃ win?", problem.title());
        model::BooleaniseOptions options;
        options.limits = bounds;
        model::QuantifiedCircuit circuit;
        if (problem.kind() == Problem::Kind::gdl) {
            circuit = booleanise(question(problem, bounds, about).model, options);
        } else {
            refuse_group(*app, for_games_as_qbf, model.file);
            if (problem.model() == nullptr)
                throw Error({model.file}, "neither a quantified model nor a game in GDL",
                            "give one of these");
            circuit = booleanise(*problem.model(), options);
        }
        std::ostringstream text;
        (format == "qcir" ? model::write_qcir : model::write_qdimacs)(text, circuit, about);
        if (!json || !out.empty()) write_out(out, text.str());
        if (json) report(circuit, about);
        return answered;
    }

private:
    [[nodiscard]] encode::QuantifiedGame question(const Problem& problem, const Limits& bounds,
                                                  std::string& about) const {
        const auto game = std::get<std::shared_ptr<const gdl::Game>>(problem.rules());
        const ThresholdQuestions questions(game, horizon, bounds);
        encode::Question question;
        question.role = role.empty() ? 0 : questions.role_named(role);
        question.threshold = threshold;
        about = fmt::format("{}: can {} force a goal of at least {} within {} moves?", problem.title(),
                            questions.role_name(question.role), threshold, questions.horizon());
        return questions.model(question);
    }

    void report(const model::QuantifiedCircuit& circuit, const std::string& about) const {
        auto blocks = nlohmann::json::array();
        for (const auto& block : circuit.prefix) {
            blocks.push_back(
                {{"quantifier", block.quantifier == model::Quantifier::exists ? "exists" : "forall"},
                 {"variables", block.variables.size()}});
        }
        print({{"question", about},
               {"format", format},
               {"variables", circuit.inputs()},
               {"gates", circuit.gates().size()},
               {"blocks", blocks}});
    }
};

}  // namespace

Command add_qbf(CLI::App& app) {
    auto* command = app.add_subcommand(
        "qbf", "Write a model or a game as a quantified Boolean formula, in QDIMACS or QCIR");
    auto qbf = std::make_shared<Qbf>();
    qbf->app = command;
    qbf->model.add_to(*command);
    qbf->limits.add_to(*command);
    in_group(*command, for_games_as_qbf, [&] {
        command->add_option("--role", qbf->role, "the role that has to reach the goal (default: the first)");
        command->add_option("--threshold", qbf->threshold, "the least goal value to force")
            ->capture_default_str();
        command->add_option(
            "--horizon", qbf->horizon,
            "number of moves to consider (default: the length of the longest play, if known)");
    });
    command->add_option("--format", qbf->format, "qdimacs or qcir")
        ->check(one_of(std::vector<std::string>{"qdimacs", "qcir"}))
        ->capture_default_str();
    command->add_option("-o,--out", qbf->out, "output file (default: standard output)");
    command->add_flag("--json", qbf->json, "print the size of the formula as one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo qbf games/gdl/tic-tac-toe.kif --horizon 5 -o five.qdimacs\n"
        "  zermelo qbf games/quantified/nim-fibonacci.mzn -D n=8 --format qcir -o nim.qcir");
    return {command, [qbf] { return qbf->run(); }};
}

}  // namespace zermelo::cli
