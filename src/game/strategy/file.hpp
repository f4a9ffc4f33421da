// Files of plans: JSON where the name ends in .json, and the binary format otherwise. Reading tells them
// apart by their contents.
//
// A file holds one plan, or several: a draw is certified by a plan of each player. A file is written beside
// its place and renamed when it is complete.

#pragma once

#include <fmt/format.h>

#include "game/strategy/binary.hpp"
#include "game/strategy/json.hpp"

namespace zermelo::game {

inline constexpr std::size_t most_json_nodes = 2'000'000;

namespace plan_file {

[[nodiscard]] bool wants_json(const std::string& file);
[[nodiscard]] std::string contents(const std::string& file);             // throws Error
void replace(const std::string& file, const std::string& new_contents);  // throws Error
[[nodiscard]] std::string text_of(const PlanText& text);
void require_rules(const std::string& file, Hash128 expected, Hash128 found, const std::string& game);

}  // namespace plan_file

// Throws Error where the file cannot be written, or a plan is too large for JSON or does not fit the game.
template <Game G>
void save_plans(const std::string& file, G& game, const PlanFile& plans, const Limits& limits = {}) {
    if (!plan_file::wants_json(file)) {
        plan_file::replace(file, encode_plans(plans));
        return;
    }
    PlanText text{plans.game, plans.rules, {}};
    for (const Plan& plan : plans.plans)
        text.plans.push_back(plan_graph_of(game, plan, most_json_nodes, limits));
    plan_file::replace(file, plan_file::text_of(text));
}

// The plans for a game whose rules have the fingerprint `rules`. They fit the game as far as that can be told
// without playing them: `verify_plan` does. Throws Error, LimitReached.
template <Game G>
[[nodiscard]] PlanFile read_plans(const std::string& bytes, const std::string& file, G& game, Hash128 rules,
                                  const Limits& limits = {}) {
    PlanFile result;
    if (is_compact_plan(bytes)) {
        result = decode_plans(bytes, file, limits);
        plan_file::require_rules(file, rules, result.rules, result.game);
    } else {
        const PlanText text = read_plan_json(bytes, file);
        plan_file::require_rules(file, rules, text.rules, text.game);
        result.game = text.game;
        result.rules = text.rules;
        for (const PlanGraph& graph : text.plans) {
            result.plans.push_back(plan_of(game, graph, {file}, limits));
        }
    }
    for (const Plan& plan : result.plans) {
        if (plan.owner < game.players()) continue;
        throw Error({file}, fmt::format("the game has no player {}", plan.owner + 1),
                    "use a plan that was made for this game");
    }
    if (result.plans.empty()) throw Error({file}, "there is no plan in this file", "write it again");
    return result;
}

template <Game G>
[[nodiscard]] PlanFile load_plans(const std::string& file, G& game, Hash128 rules,
                                  const Limits& limits = {}) {
    return read_plans(plan_file::contents(file), file, game, rules, limits);
}

}  // namespace zermelo::game
