#include "cli/problem.hpp"

#include <filesystem>

#include "stochastic/model.hpp"

namespace zermelo::cli {

Kind kind_of(const std::string& file) {
    const std::string ending = plain(std::filesystem::path(file).extension().string());
    if (ending == ".kif" || ending == ".gdl") return Kind::gdl;
    if (ending == ".json" || ending == ".dot" || ending == ".gv") return Kind::graph;
    return Kind::model;
}

Problem::Problem(ModelOptions& options, const Limits& limits) : file_(options.file) {
    switch (kind_of(file_)) {
        case Kind::gdl: {
            gdl::GroundOptions grounding;
            grounding.limits = limits;
            rules_ = std::make_unique<const gdl::Game>(file_, grounding);
            break;
        }
        case Kind::graph:
            rules_ = std::make_unique<const game::Graph>(game::read_graph(file_));
            break;
        case Kind::model: {
            model::Model model = options.read(limits);
            if (stochastic::is_stochastic(model)) {
                throw Error({file_}, "this model has chance, and no forward engine knows it",
                            "use solve with --engine mac or fc, verify and show");
            }
            rules_ = std::make_unique<const model::Model>(std::move(model));
            break;
        }
    }
}

std::string Problem::title() const { return std::filesystem::path(file_).filename().string(); }

Hash128 Problem::rules() const {
    if (gdl() != nullptr) return game::rules_fingerprint(gdl()->description());
    if (graph() != nullptr) return game::rules_fingerprint(*graph());
    throw Error({file_}, "plans are for games in GDL and for graphs", "leave --engine out for a strategy");
}

void Problem::start_at(const std::string& state) {
    if (graph() == nullptr) throw Error({file_}, "--state is for graphs", "give the moves by --position");
    game::Graph changed = *graph();
    for (game::StateId s = 0; s < changed.states(); ++s) {
        if (changed.name(s) != state) continue;
        changed.initial = s;
        rules_ = std::make_unique<const game::Graph>(std::move(changed));
        return;
    }
    throw Error({file_}, fmt::format("there is no state {}", state), "give the name of a state of the graph");
}

game::Solution Problem::solve(const game::SolveOptions& options) const {
    return std::visit([&](const auto& rules) { return game::solve(*rules, options); }, rules_);
}

std::string plain(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) {
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        result += (result.empty() ? "" : " ") + word;
    }
    return result;
}

}  // namespace zermelo::cli
