#include "solve/problem/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "game/solve.hpp"
#include "gdl/syntax/parse.hpp"
#include "model/flatzinc/flatzinc.hpp"
#include "model/plain_qcsp.hpp"
#include "model/qcir.hpp"
#include "model/qdimacs.hpp"

namespace zermelo {

namespace {

std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

gdl::GroundOptions grounding(const ReadOptions& options) {
    gdl::GroundOptions result;
    result.limits = options.limits;
    if (options.most_rules > 0) result.most_rules = options.most_rules;
    return result;
}

model::MiniZincOptions compilation(const ReadOptions& options) {
    model::MiniZincOptions result = options.minizinc;
    result.limits = &options.limits;
    if (!options.objective.empty())
        result.extra += "\ninclude \"zermelo.mzn\";\nconstraint zermelo_value(" + options.objective + ");\n";
    return result;
}

// Where the text knows no expressions, a variable is named.
void maximise_variable(model::Model& model, const std::string& name, const std::string& file) {
    const auto found = std::ranges::find(model.variables, name, &model::Variable::name);
    if (found == model.variables.end()) {
        throw Error({file}, fmt::format("there is no variable {} to maximise", name),
                    "name a variable of the model; expressions need a .mzn file");
    }
    model.objective = static_cast<model::VarId>(found - model.variables.begin());
}

Problem problem_of(model::Model model, const std::string& file) {
    if (model.variables.empty() && model.constraints.empty() && language_of(file) == Language::minizinc) {
        throw Error({file}, "the model is empty: it has neither variables nor constraints",
                    "declare variables, and say who chooses them with some and every");
    }
    if (stochastic::is_stochastic(model)) {
        return {file,
                std::make_shared<const stochastic::StochasticModel>(stochastic::from_flat(std::move(model)))};
    }
    return {file, std::make_shared<const model::Model>(std::move(model))};
}

game::Graph graph_of(const std::string& text, const std::string& name) {
    std::istringstream in(text);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string::npos && text[first] == '{';
    return is_json ? game::read_graph_json(in, name) : game::read_graph_dot(in, name);
}

}  // namespace

Language language_of(const std::string& file) {
    const std::string ending = std::filesystem::path(file).extension().string();
    const std::string small = lower_case(ending);
    if (small == ".kif" || small == ".gdl") return Language::gdl;
    if (small == ".json" || small == ".dot" || small == ".gv") return Language::graph;
    if (ending == ".mzn") return Language::minizinc;
    if (ending == ".fzn") return Language::flatzinc;
    if (ending == ".qdimacs" || ending == ".cnf") return Language::qdimacs;
    if (ending == ".qcir") return Language::qcir;
    return Language::unknown;
}

bool is_model(Language language) { return language != Language::gdl && language != Language::graph; }

Problem read(const std::string& file, const ReadOptions& options) {
    const Language language = language_of(file);
    if (language == Language::gdl) return {file, std::make_shared<const gdl::Game>(file, grounding(options))};
    if (language == Language::graph)
        return {file, std::make_shared<const game::Graph>(game::read_graph(file))};
    model::Model model = model::read_model(file, compilation(options));
    if (!options.objective.empty() && language != Language::minizinc)
        maximise_variable(model, options.objective, file);
    return problem_of(std::move(model), file);
}

Problem read_text(const std::string& text, Language language, const std::string& name,
                  const ReadOptions& options) {
    switch (language) {
        case Language::gdl:
            return {name, std::make_shared<const gdl::Game>(gdl::parse(text, name), grounding(options))};
        case Language::graph:
            return {name, std::make_shared<const game::Graph>(graph_of(text, name))};
        case Language::minizinc:
            return problem_of(model::read_minizinc_text(text, name, compilation(options)), name);
        case Language::flatzinc:
        case Language::qdimacs:
        case Language::qcir: {
            std::istringstream in(text);
            model::Model model = language == Language::flatzinc  ? model::read_flatzinc(in, name)
                                 : language == Language::qdimacs ? model::read_qdimacs(in, name)
                                                                 : model::read_qcir(in, name);
            if (!options.objective.empty()) maximise_variable(model, options.objective, name);
            return problem_of(std::move(model), name);
        }
        case Language::unknown:
            break;
    }
    throw Error({name}, "the language of this text is not known", "say which it is");
}

Problem as_plain_qcsp(const Problem& problem) {
    if (problem.model() == nullptr)
        throw Error({problem.file()}, "this is not a quantified model, so it has no rules to translate",
                    "give a model with rules, or leave the translation out");
    return {problem.file(), std::make_shared<const model::Model>(model::plain_qcsp(*problem.model()))};
}

Problem make_problem(model::Model model) {
    const std::string name = model.name;
    return problem_of(std::move(model), name);
}

Problem make_problem(stochastic::StochasticModel model) {
    const std::string name = model.model.name;
    return {name, std::make_shared<const stochastic::StochasticModel>(std::move(model))};
}

Problem make_problem(game::Graph graph, const std::string& name) {
    return {name, std::make_shared<const game::Graph>(std::move(graph))};
}

Problem make_problem(gdl::Game game) {
    const std::string file = game.description().file;
    return {file, std::make_shared<const gdl::Game>(std::move(game))};
}

std::string Problem::title() const { return std::filesystem::path(file_).filename().string(); }

Hash128 Problem::fingerprint() const {
    if (gdl() != nullptr) return game::rules_fingerprint(gdl()->description());
    if (graph() != nullptr) return game::rules_fingerprint(*graph());
    throw Error({file_}, "plans are for games in GDL and for graphs",
                "leave " + setting("engine") + " out for a strategy");
}

Problem Problem::starting_at(const std::string& state) const {
    if (graph() == nullptr)
        throw Error({file_}, setting("state") + " is for graphs", "give the moves by " + setting("position"));
    game::Graph changed = *graph();
    for (game::StateId s = 0; s < changed.states(); ++s) {
        if (changed.name(s) != state) continue;
        changed.initial = s;
        return {file_, std::make_shared<const game::Graph>(std::move(changed))};
    }
    throw Error({file_}, fmt::format("there is no state {}", state), "give the name of a state of the graph");
}

void Problem::require_forward_view() const {
    if (kind() != Kind::stochastic) return;
    throw Error({file_}, "this model has chance, and no forward engine knows it",
                "use solve with " + setting("engine", "mac") + " or fc, verify and show");
}

}  // namespace zermelo
