#include "symmetry/rules_form.hpp"

#include <algorithm>
#include <numeric>

#include "symmetry/game_graph.hpp"

namespace zermelo::symmetry {

namespace {

using gdl::MoveId;

// Of fluents and moves, by their places among the vertices in canonical order.
void order_by_vertices(const gdl::Network& network, const std::vector<Vertex>& order, RulesForm& out) {
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    const auto sort = [](auto& numbers, const auto& key) {
        std::iota(numbers.begin(), numbers.end(), 0U);
        std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) { return key(a) < key(b); });
    };
    sort(out.fluents, [&](std::uint32_t f) { return place[2 * (1 + f)]; });
    for (std::size_t r = 0; r < network.moves.size(); ++r)
        sort(out.moves[r], [&](MoveId m) { return place[2 * network.moves[r][m].node]; });
}

void order_by_names(const gdl::Game& game, RulesForm& out) {
    const gdl::Network& network = game.machine().network();
    Hasher hasher;
    const auto sort = [&](auto& numbers, const auto& term) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < numbers.size(); ++i) names.push_back(game.text(term(i)));
        std::iota(numbers.begin(), numbers.end(), 0U);
        std::sort(numbers.begin(), numbers.end(), [&](auto a, auto b) { return names[a] < names[b]; });
        for (const auto i : numbers) {
            hasher.add(names[i].size());
            hasher.add(std::string_view(names[i]));
        }
    };
    sort(out.fluents, [&](std::size_t f) { return network.fluents[f]; });
    for (std::size_t r = 0; r < network.moves.size(); ++r)
        sort(out.moves[r], [&](std::size_t m) { return network.moves[r][m].term; });
    // The same names may have other rules.
    hasher.add(network.gates());
    for (const gdl::Signal s : network.inputs) hasher.add(s.code());
    for (const gdl::Signal s : network.next) hasher.add(s.code());
    for (const bool holds : network.initial) hasher.add(holds ? 1 : 0);
    for (const auto& moves : network.moves) {
        for (const auto& move : moves) hasher.add(move.legal.code());
    }
    for (const auto& goals : network.goals) {
        for (const auto& goal : goals) {
            hasher.add(static_cast<std::uint64_t>(goal.value));
            hasher.add(goal.holds.code());
        }
    }
    hasher.add(network.terminal.code());
    out.by_names = true;
    out.fingerprint = hasher.value();
}

}  // namespace

RulesForm rules_form(const gdl::Game& game, const Limits& limits) {
    const gdl::Network& network = game.machine().network();
    RulesForm result;
    result.fluents.resize(network.fluents.size());
    for (const auto& moves : network.moves) result.moves.emplace_back(moves.size());
    const auto found = game_graph(network, {}, limits);
    const auto form = found ? canonical_form(found->graph, limits) : std::nullopt;
    if (form) {
        result.fingerprint = form->key;
        order_by_vertices(network, form->order, result);
    } else {
        order_by_names(game, result);
    }
    for (const auto& moves : result.moves) {
        auto& rank = result.rank.emplace_back(moves.size());
        for (std::uint32_t i = 0; i < moves.size(); ++i) rank[moves[i]] = i;
    }
    return result;
}

}  // namespace zermelo::symmetry
