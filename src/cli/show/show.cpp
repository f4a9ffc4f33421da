// zermelo show: a strategy as a picture, or as text; a graph as a picture, or in another form.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "cli/show/picture.hpp"
#include "cli/show/show_game.hpp"
#include "equilibrium/file.hpp"
#include "game/strategy/file.hpp"
#include "solve/certificate.hpp"
#include "stochastic/format/policy_file.hpp"
#include "strategy/format/dot.hpp"
#include "strategy/format/json.hpp"

namespace zermelo::cli {

namespace {

struct Show {
    CLI::App* app = nullptr;
    ModelOptions model;
    std::string strategy_file;
    std::string out;
    bool complete = false;
    bool json = false;
    bool regions = false;
    std::string role;
    std::size_t nodes = 300;

    int run() {
        if (!is_model(language_of(model.file))) return run_game();
        for (const char* option : {"--regions", "--role"})
            refuse_option(*app, option, model.file, "is for games in GDL and graphs");
        if (strategy_file.empty()) {
            throw Error({model.file}, "there is no strategy to show",
                        "name a file written by solve --strategy");
        }
        const Problem problem = model.read();
        if (problem.stochastic() != nullptr)
            refuse_option(*app, "--complete", model.file, "is for quantified models");
        const Certificate certificate = load(strategy_file, problem);
        if (const auto* policy = certificate.as<stochastic::Policy>())
            return show_policy(*problem.stochastic(), *policy);
        const model::Model& m = *problem.model();
        strategy::Strategy strategy = *certificate.as<strategy::Strategy>();
        if (complete) strategy = completed(m, strategy);
        const strategy::DotOptions options{nodes};
        std::ostringstream picture;
        if (out.ends_with(".json") || (out.empty() && json)) {
            write_json(picture, m, strategy);
        } else if (out.empty()) {
            write_text(picture, m, strategy);
        } else if (out.ends_with(".svg")) {
            picture << svg(m, strategy, options);
        } else if (out.ends_with(".dot")) {
            write_dot(picture, m, strategy, options);
        } else {
            throw Error(fmt::format("{}: unknown picture format", out),
                        "end the name with .svg, .dot or .json");
        }
        write_out(out, picture.str());
        return answered;
    }

    int show_policy(const stochastic::StochasticModel& m, const stochastic::Policy& policy) const {
        std::ostringstream result;
        if (out.ends_with(".json") || (out.empty() && json)) {
            write_json(result, m, policy);
        } else if (out.empty()) {
            stochastic::write_text(result, m, policy, nodes, how_to_see_more);
        } else if (out.ends_with(".dot") || is_drawing(out)) {
            write_dot(result, m, policy, nodes);
        } else {
            throw Error(fmt::format("{}: unknown picture format", out),
                        "end the name with .svg, .png, .pdf, .dot or .json");
        }
        write_out(out, is_drawing(out) ? drawn(result.str(), out) : result.str());
        return answered;
    }

    // A table of the mixtures, or a picture: boxes for information sets, edges for moves and how likely they are.
    int show_equilibrium() const {
        refuse_option(*app, "--role", model.file, "is for plans: an equilibrium shows both roles");
        const Problem problem = model.read();
        const Certificate certificate = load(strategy_file, problem);
        const auto& mixed = *certificate.as<equilibrium::Equilibrium>();
        std::ostringstream result;
        if (out.ends_with(".json") || (out.empty() && json)) {
            result << to_json_text(problem, certificate);
        } else if (out.empty()) {
            equilibrium::write_text(result, mixed, nodes);
        } else if (out.ends_with(".dot") || is_drawing(out)) {
            equilibrium::write_dot(result, mixed, nodes);
        } else {
            throw Error(fmt::format("{}: unknown picture format", out),
                        "end the name with .svg, .png, .pdf, .dot or .json");
        }
        write_out(out, is_drawing(out) ? drawn(result.str(), out) : result.str());
        return answered;
    }

    int run_game() {
        refuse_group(*app, for_models, model.file);
        refuse_option(*app, "--complete", model.file, "is for quantified models");
        if (strategy_file.empty()) {
            refuse_option(*app, "--role", model.file, "is for plans, but no plan is given");
        } else {
            refuse_option(*app, "--regions", model.file, "shows the game itself, without a plan");
        }
        if (!strategy_file.empty() &&
            certificate_kind(game::plan_file::contents(strategy_file)) == "equilibrium")
            return show_equilibrium();
        return ShowGame{strategy_file, role, out, regions, json, nodes}.run(model);
    }

    void write_text(std::ostream& text, const model::Model& m, const strategy::Strategy& strategy) const {
        const char* owner = strategy.owner == model::Quantifier::exists ? "∃" : "∀";
        text << fmt::format("{} plays, {} positions; start at {}\n", owner, strategy.size(), strategy.root);
        std::size_t shown = 0;
        for (std::size_t i = strategy.nodes.size() - 1; i > 0; --i) {
            if (shown++ == nodes) {
                text << left_out(i);
                break;
            }
            text << fmt::format("{}: {}\n", i, m.name_of(strategy.nodes[i].variable));
            for (const strategy::Edge& edge : strategy.nodes[i].edges) {
                text << fmt::format(
                    "    {} → {}\n", strategy::edge_label(m, strategy.nodes[i].variable, edge.values),
                    edge.to == strategy::decided ? std::string("□") : std::to_string(edge.to));
            }
        }
    }
};

}  // namespace

Command add_show(CLI::App& app) {
    auto* command = app.add_subcommand("show", "Draw a strategy or a game graph");
    auto show = std::make_shared<Show>();
    show->app = command;
    show->model.add_to(*command);
    command->add_option("STRATEGY", show->strategy_file,
                        "a file written by solve --strategy (default: none, show the game graph)");
    command->add_option(
        "-o,--out", show->out,
        "output file: .svg, .dot or .json, for games also .png, .pdf and .zplan (default: print text)");
    command->add_option("--nodes", show->nodes, "largest number of positions to show")->capture_default_str();
    command->add_flag("--complete", show->complete,
                      "show every variable and every value, as in the figures of the papers");
    command->add_flag("--regions", show->regions,
                      "colour the states of a two-player game by winner, with ranks and winning moves");
    command->add_option("--role", show->role, "the role whose plan to show, if the file has several");
    command->add_flag("--json", show->json, "print the strategy or the graph as JSON");
    command->footer(
        "Examples:\n"
        "  zermelo show games/quantified/nim-fibonacci.mzn -D n=20 nim.json -o nim.svg\n"
        "  zermelo show games/quantified/nim-fibonacci.mzn -D n=20 nim.json --complete\n"
        "  zermelo show games/gdl/tic-tac-toe.kif plan.json --role x -o plan.svg\n"
        "  zermelo show --regions games/graphs/three-regions.dot -o regions.svg\n"
        "  zermelo show games/graphs/three-regions.dot -o three-regions.json\n"
        "  zermelo show games/stochastic/example-1.mzn policy.json -o policy.svg\n"
        "  zermelo show games/gdl/kuhn-poker.kif mixed.json");
    return {command, [show] { return show->run(); }};
}

}  // namespace zermelo::cli
