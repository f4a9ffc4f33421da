#include "game/views/stepping_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace zermelo::game {

namespace {

bool states_percepts(const gdl::Description& description) {
    return std::ranges::any_of(description.rules,
                               [](const gdl::Rule& rule) { return rule.head.relation == gdl::kw_sees; });
}

}  // namespace

std::vector<std::uint32_t> ranks_by_name(const gdl::Game& game, std::size_t role) {
    const std::size_t moves = game.machine().network().moves[role].size();
    std::vector<std::string> name;
    for (gdl::MoveId m = 0; m < moves; ++m) name.push_back(game.move_text(role, m));
    std::vector<gdl::MoveId> order(moves);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return name[a] < name[b]; });
    std::vector<std::uint32_t> rank(moves);
    for (std::uint32_t i = 0; i < moves; ++i) rank[order[i]] = i;
    return rank;
}

MachineRules::MachineRules(const gdl::Game& game)
    : game_(game), runner_(game.machine()), percepts_stated_(states_percepts(game.description())) {
    const gdl::Network& network = game.machine().network();
    for (std::size_t r = 0; r < network.roles.size(); ++r) {
        const gdl::TermId role = network.roles[r];
        random_.push_back(network.terms.symbol(role) == gdl::kw_random &&
                          network.terms.arguments(role).empty());
        rank_.push_back(ranks_by_name(game, r));
    }
}

void MachineRules::legal(std::size_t role, std::vector<gdl::MoveId>& moves) const {
    runner_.legal(role, moves);
    const auto& rank = rank_[role];
    std::sort(moves.begin(), moves.end(), [&](auto a, auto b) { return rank[a] < rank[b]; });
}

void MachineRules::percepts(std::size_t role, std::vector<gdl::TermId>& seen) const {
    runner_.sees(role, seen);
    std::sort(seen.begin(), seen.end());
}

std::string MachineRules::role_name(std::size_t role) const {
    return game_.text(game_.machine().network().roles[role]);
}

std::string MachineRules::state_name(const State& state) const {
    return fmt::format("{}", fmt::join(game_.facts(state), " "));
}

ReasonerRules::ReasonerRules(const gdl::Description& description, gdl::Reasoner& reasoner)
    : description_(description), reasoner_(reasoner), percepts_stated_(states_percepts(description)) {
    for (const auto role : reasoner.roles()) random_.push_back(reasoner.text(role) == "random");
}

void ReasonerRules::percepts(std::size_t role, std::vector<gdl::TermId>& seen) const {
    seen = reasoner_.sees(at_, joint_, role);
    std::sort(seen.begin(), seen.end());
}

std::string ReasonerRules::state_name(const State& state) const {
    std::vector<std::string> facts;
    for (const auto fluent : state) facts.push_back(reasoner_.text(fluent));
    std::sort(facts.begin(), facts.end());
    return fmt::format("{}", fmt::join(facts, " "));
}

}  // namespace zermelo::game
