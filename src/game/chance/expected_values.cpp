#include "game/chance/expected_values.hpp"

#include "game/chance/bounds.hpp"
#include "game/chance/exact_values.hpp"

namespace zermelo::game {

namespace {

void require_turns_and_chance(const Graph& graph) {
    for (const Graph::Label label : graph.label) {
        if (label == Graph::simultaneous) require_turns({Turn::Kind::simultaneous}, "backward induction");
    }
}

// Ends that no play comes to have no part in what the players want.
std::vector<std::vector<int>> reached_outcomes(const Graph& graph, const Components& order) {
    std::vector<bool> reached(graph.outcomes.size(), false);
    for (const StateId s : order.states) {
        if (graph.over(s)) reached[graph.label[s] - Graph::ended] = true;
    }
    std::vector<std::vector<int>> all;
    for (std::size_t i = 0; i < reached.size(); ++i) {
        if (reached[i]) all.push_back(graph.outcomes[i]);
    }
    return all;
}

}  // namespace

Rational from_grid(Grid value) { return Rational(value) / Rational(Grid{1} << grid_bits); }

Rational ExpectedValues::lower(StateId state, Player player) const {
    if (interests == Interests::own) return value[state * players + player];
    const bool other = interests == Interests::opposed && player == 1;
    if (exact) return other ? sum_of_payoffs - value[state] : value[state];
    return other ? sum_of_payoffs - from_grid(high[state]) : from_grid(low[state]);
}

Rational ExpectedValues::upper(StateId state, Player player) const {
    if (exact) return lower(state, player);
    const bool other = interests == Interests::opposed && player == 1;
    return other ? sum_of_payoffs - from_grid(low[state]) : from_grid(high[state]);
}

ExpectedValues find_expected_values(const Graph& graph, const ExpectedValueOptions& options) {
    require_turns_and_chance(graph);
    ExpectedValues values;
    values.players = graph.players.size();
    const Components order = components(graph, options.limits);
    const auto outcomes = reached_outcomes(graph, order);
    values.interests = interests_of(values.players, outcomes);
    values.twice_endless = twice_endless(values.interests, values.players, outcomes);
    if (values.interests == Interests::opposed) values.sum_of_payoffs = sum_of_payoffs(outcomes);
    if (values.interests == Interests::own) {
        for (std::size_t c = 0; c < order.size(); ++c) {
            if (!has_cycle(graph, order, c)) continue;
            throw Error(
                "a play of this game can come back to a state, and its players have interests that are "
                "neither "
                "the same nor opposite",
                "solve a game that always goes on, or one of players who share or oppose their interests");
        }
    }
    if ((options.exact || values.interests == Interests::own) &&
        find_exact_values(graph, order, options, values))
        return values;
    if (values.interests == Interests::own) {
        throw Error("the expected payoffs of this game are fractions that are too long",
                    "solve a smaller game");
    }
    values.value.clear();
    values.value.shrink_to_fit();
    values.cyclic_states = 0;
    for (std::size_t c = 0; c < order.size(); ++c) {
        if (has_cycle(graph, order, c)) values.cyclic_states += order.members(c).size();
    }
    find_bounds(graph, order, options, values);
    return values;
}

std::vector<std::size_t> best_moves(const Graph& graph, const ExpectedValues& values, StateId state) {
    const Player player = graph.turn(state).player;
    const auto successors = graph.successors(state);
    Rational best = values.lower(successors.front(), player);
    for (const StateId to : successors) best = std::max(best, values.lower(to, player));
    std::vector<std::size_t> result;
    for (std::size_t m = 0; m < successors.size(); ++m) {
        if (values.upper(successors[m], player) >= best) result.push_back(m);
    }
    return result;
}

}  // namespace zermelo::game
