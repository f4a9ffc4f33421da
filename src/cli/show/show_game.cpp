#include "cli/show/show_game.hpp"

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catalogue/plan_picture.hpp"
#include "cli/moves.hpp"
#include "cli/show/picture.hpp"
#include "core/format/json_text.hpp"
#include "game/explore/explore.hpp"
#include "game/graph/regions.hpp"
#include "game/strategy/file.hpp"

namespace zermelo::cli {

namespace {

using game::PlanGraph;

std::string plan_text(const PlanGraph& plan, std::size_t most) {
    std::string text = fmt::format("{} gets at least {}, {}; start at {}\n", plan.owner, plan.promise,
                                   plural(count_text(plan.nodes.size()), "position"), plan.root);
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        if (i == most) {
            text += left_out(plan.nodes.size() - i);
            break;
        }
        text += fmt::format("{}: {}, {}\n", i + 1, plan.nodes[i].player, plan.nodes[i].state);
        for (const PlanGraph::Edge& edge : plan.nodes[i].edges) {
            text +=
                fmt::format("    {} → {}\n", fmt::join(edge.moves, " // "),
                            edge.to == PlanGraph::ended ? fmt::format("□ {}", fmt::join(edge.payoffs, " : "))
                                                        : std::to_string(edge.to));
        }
    }
    return text;
}

std::string plan_dot(const PlanGraph& plan) {
    std::ostringstream text;
    game::write_plan_dot(text, plan);
    return text.str();
}

std::string owners(const std::vector<PlanGraph>& plans) {
    std::string names;
    for (const PlanGraph& plan : plans) names += (names.empty() ? "" : ", ") + plan.owner;
    return names;
}

[[noreturn]] void refuse_ending(const std::string& out, const std::string& endings) {
    throw Error({out}, "this output format is not possible here", "end the name with " + endings);
}

void show_proof(const ThresholdProof& proof, std::size_t most_nodes) {
    const strategy::Strategy& strategy = proof.strategy;
    std::cout << fmt::format("{}, {}; start at {}\n", proof.claim(),
                             plural(count_text(strategy.size()), "position"), strategy.root);
    std::size_t shown = 0;
    for (std::size_t i = strategy.nodes.size() - 1; i > 0; --i) {
        if (shown++ == most_nodes) {
            std::cout << left_out(i);
            break;
        }
        const strategy::StrategyNode& node = strategy.nodes[i];
        const auto* turn = proof.quantified.turn_of(node.variable);
        std::cout << fmt::format(
            "{}: {}\n", i,
            turn == nullptr ? proof.quantified.model.name_of(node.variable)
                            : fmt::format("move {}, {}", turn->step, proof.questions->role_name(turn->role)));
        for (const strategy::Edge& edge : node.edges) {
            std::vector<std::string> moves;
            for (const model::Value value : edge.values)
                moves.push_back(proof.questions->move_name(proof.quantified, {node.variable, value}));
            std::cout << fmt::format(
                "    {} → {}\n", fmt::join(moves, " // "),
                edge.to == strategy::decided ? std::string("□") : std::to_string(edge.to));
        }
    }
}

// A graph as it is, and any other game as far as all its states are few.
game::Graph whole_graph(const Problem& problem, std::size_t most_states) {
    if (problem.graph() != nullptr) return *problem.graph();
    return problem.with_game([&](auto& game) {
        game::ExploreOptions options;
        options.most_states = most_states;
        options.names = true;
        game::Exploration explored = game::explore(game, options);
        if (explored.stop != Stop::none)
            throw LimitReached(explored.stop, "while exploring the states", "choose a smaller game");
        if (!explored.complete) {
            throw Error({problem.file()},
                        fmt::format("the game has more than {} states, too many for a picture", most_states),
                        "raise --nodes, or choose a smaller game");
        }
        return std::move(explored.graph);
    });
}

}  // namespace

std::string left_out(std::size_t positions) {
    return fmt::format("… and {} more ({})\n", positions, how_to_see_more);
}

int ShowGame::run(ModelOptions& source) const {
    const Problem problem = source.read();
    if (plan_file.empty()) {
        show_graph(problem);
        return answered;
    }
    const Certificate certificate = load(plan_file, problem);
    if (const auto* proofs = certificate.as<ThresholdProofs>()) {
        if (!out.empty() || json)
            throw Error({plan_file}, "strategies of a game's model are shown as text",
                        "leave -o and --json out");
        show_thresholds(*proofs);
    } else if (certificate.as<ChancePolicies>() != nullptr) {
        show_policies(problem, certificate);
    } else {
        show_plans(problem, *certificate.as<Plans>());
    }
    return answered;
}

// As the file tells it, or a move a line.
void ShowGame::show_policies(const Problem& problem, const Certificate& certificate) const {
    if (!out.empty()) {
        if (is_drawing(out) || out.ends_with(".dot")) refuse_ending(out, ".json or .zpolicy");
        return save(out, problem, certificate);
    }
    const std::string text = to_json_text(problem, certificate);
    if (json) {
        std::cout << text;
        return;
    }
    const auto document = json_from_text(text);
    for (const auto& policy : document["policies"]) {
        std::cout << fmt::format("{} of {}: {}\n", policy["claim"].get<std::string>(),
                                 policy["player"].get<std::string>(),
                                 fmt::join(policy["values"].get<std::vector<std::string>>(), ", "));
        std::size_t shown = 0;
        for (const auto& choice : policy["choices"]) {
            if (shown++ == nodes) {
                std::cout << left_out(policy["choices"].size() - nodes);
                break;
            }
            std::cout << fmt::format("    {} → {}\n", choice["state"].get<std::string>(),
                                     choice["move"].get<std::string>());
        }
    }
}

void ShowGame::put_dot(const std::string& dot) const {
    write_out(out, is_drawing(out) ? drawn(dot, out) : dot);
}

void ShowGame::show_plans(const Problem& problem, const Plans& all) const {
    game::PlanText text{problem.title(), problem.fingerprint(), {}};
    game::PlanFile file{text.game, text.rules, {}};
    problem.with_game([&](auto& game) {
        for (const game::Plan& plan : all) {
            if (!role.empty() && game.player_name(plan.owner) != role) continue;
            file.plans.push_back(plan);
            text.plans.push_back(game::plan_graph_of(game, plan, game::most_json_nodes));
        }
    });
    if (text.plans.empty()) {
        throw Error({plan_file}, fmt::format("there is no plan of {} in this file", role),
                    "leave --role out to see which roles it has");
    }
    const bool picture = is_drawing(out) || out.ends_with(".dot") || out.ends_with(".gv");
    if (picture && text.plans.size() > 1) {
        throw Error({plan_file}, "there are several plans in this file, of " + owners(text.plans),
                    "choose one by --role");
    }
    if (picture) {
        PlanGraph drawn = nearest_positions(text.plans.front(), nodes);
        if (problem.gdl() != nullptr)
            catalogue::show_positions(drawn, *problem.gdl(), speech_of(problem.file()));
        put_dot(plan_dot(drawn));
    } else if (out.ends_with(".json") || (out.empty() && json)) {
        write_out(out, game::plan_file::text_of(text));
    } else if (out.ends_with(".zplan")) {
        write_out(out, game::encode_plans(file));
    } else if (out.empty()) {
        for (const PlanGraph& plan : text.plans) std::cout << plan_text(plan, nodes);
    } else {
        refuse_ending(out, ".svg, .png, .pdf, .dot, .json or .zplan");
    }
}

void ShowGame::show_thresholds(const ThresholdProofs& proofs) const {
    std::size_t shown = 0;
    for (const auto& proof : proofs) {
        if (!role.empty() && !proof->owned_by(proof->questions->role_named(role))) continue;
        show_proof(*proof, nodes);
        ++shown;
    }
    if (shown == 0) {
        throw Error({plan_file}, fmt::format("there is no strategy of {} in this file", role),
                    "leave --role out to see which roles it has");
    }
}

void ShowGame::show_graph(const Problem& problem) const {
    const game::Graph graph = whole_graph(problem, nodes);
    std::ostringstream text;
    if (regions) {
        game::write_regions_dot(text, graph, game::regions(graph));
    } else if (out.ends_with(".json") || (out.empty() && json)) {
        game::write_graph_json(text, graph);
    } else {
        game::write_graph_dot(text, graph);
    }
    const bool dot = is_drawing(out) || out.ends_with(".dot") || out.ends_with(".gv");
    if (!out.empty() && !dot && (regions || !out.ends_with(".json")))
        refuse_ending(out, regions ? ".svg, .png, .pdf or .dot" : ".svg, .png, .pdf, .dot or .json");
    put_dot(text.str());
}

}  // namespace zermelo::cli
