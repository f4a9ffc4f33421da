// Games with chance solved by brute force, for comparison: every pair of positional strategies of a small
// graph, with its Markov chain solved by textbook elimination; plain value iteration on the states of a
// description; plain recursion over histories where something is hidden.

#pragma once

#include <functional>
#include <map>

#include "core/format/rational.hpp"
#include "core/random.hpp"
#include "game/graph/graph.hpp"
#include "gdl/game.hpp"

namespace zermelo::game {

// Small graphs with chance, cycles and weights. Payoffs of two players add up to `sum`.
inline Graph random_chance_graph(std::uint64_t seed, std::size_t players, bool acyclic, int sum = 100) {
    Random random(seed);
    Graph graph;
    for (std::size_t p = 0; p < players; ++p) graph.players.push_back("P" + std::to_string(p));
    for (int i = 0; i < 4; ++i) {
        const int first = static_cast<int>(random.below(static_cast<std::uint64_t>(sum) + 1));
        std::vector<int> payoffs{first};
        for (std::size_t p = 1; p < players; ++p)
            payoffs.push_back(players == 2 ? sum - first : static_cast<int>(random.below(101)));
        graph.outcomes.push_back(payoffs);
    }
    const std::size_t states = 2 + random.below(6);
    graph.start.push_back(0);
    for (std::size_t s = 0; s < states; ++s) {
        const bool ends = s + 1 == states || random.chance(0.2);
        if (ends) {
            graph.label.push_back(
                static_cast<Graph::Label>(Graph::ended + random.below(graph.outcomes.size())));
        } else {
            const bool chance = random.chance(0.5);
            graph.label.push_back(chance ? Graph::chance : static_cast<Graph::Label>(random.below(players)));
            for (std::uint64_t move = 1 + random.below(3); move > 0; --move) {
                const std::uint64_t to =
                    acyclic ? s + 1 + random.below(states - s - 1) : random.below(states);
                graph.to.push_back(static_cast<StateId>(to));
                graph.set_last_weight(chance ? 1 + random.below(3) : 1);
            }
        }
        graph.start.push_back(graph.to.size());
    }
    return graph;
}

// What the first player expects from each state where everybody's moves are fixed.
inline Rationals chain_values(const Graph& graph, const std::vector<std::size_t>& choice,
                              const Rational& endless) {
    const std::size_t n = graph.states();
    // Who can come to an end at all.
    std::vector<bool> ends(n);
    const auto leads = [&](StateId s, const std::function<bool(StateId)>& test) {
        if (graph.label[s] != Graph::chance) return test(graph.successors(s)[choice[s]]);
        for (const StateId to : graph.successors(s)) {
            if (test(to)) return true;
        }
        return false;
    };
    for (std::size_t round = 0; round <= n; ++round) {
        for (StateId s = 0; s < n; ++s)
            ends[s] = graph.over(s) || leads(s, [&](StateId to) { return bool(ends[to]); });
    }
    // (I - P) x = b, row by row, and Gauss and Jordan.
    std::vector<Rationals> rows(n, Rationals(n + 1, 0));
    for (StateId s = 0; s < n; ++s) {
        rows[s][s] = 1;
        if (graph.over(s)) {
            rows[s][n] = graph.payoffs(s).front();
        } else if (!ends[s]) {
            rows[s][n] = endless;
        } else if (graph.label[s] == Graph::chance) {
            Rational all = 0;
            for (std::uint64_t m = graph.start[s]; m < graph.start[s + 1]; ++m) all += graph.weight_of(m);
            for (std::uint64_t m = graph.start[s]; m < graph.start[s + 1]; ++m)
                rows[s][graph.to[m]] -= graph.weight_of(m) / all;
        } else {
            rows[s][graph.successors(s)[choice[s]]] -= 1;
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        while (rows[pivot][k] == 0) ++pivot;
        std::swap(rows[k], rows[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || rows[i][k] == 0) continue;
            const Rational times = rows[i][k] / rows[k][k];
            for (std::size_t j = k; j <= n; ++j) rows[i][j] -= times * rows[k][j];
        }
    }
    Rationals values;
    for (std::size_t s = 0; s < n; ++s) values.push_back(rows[s][n] / rows[s][s]);
    return values;
}

// The first player's expected payoff from the initial state: the best of its positional strategies against
// the worst replies of the second (who helps instead where `together`).
inline Rational brute_force_value(const Graph& graph, const Rational& endless, bool together) {
    std::vector<std::size_t> choice(graph.states(), 0);
    const std::function<Rational(StateId, bool)> best = [&](StateId s, bool second) -> Rational {
        while (s < graph.states() &&
               (graph.label[s] >= Graph::most_players || (graph.label[s] != 0) != second))
            ++s;
        if (s == graph.states())
            return second ? chain_values(graph, choice, endless)[graph.initial] : best(0, true);
        std::optional<Rational> found;
        for (choice[s] = 0; choice[s] < graph.successors(s).size(); ++choice[s]) {
            const std::size_t kept = choice[s];
            const Rational here = best(s + 1, second);
            choice[s] = kept;
            if (!found || (second && !together ? here < *found : here > *found)) found = here;
        }
        return *found;
    };
    return best(0, false);
}

// Backward induction on a graph without cycles, everybody for the own payoff, the first move among equals.
inline Rationals plain_induction(const Graph& graph, StateId s) {
    if (graph.over(s)) return {graph.payoffs(s).begin(), graph.payoffs(s).end()};
    Rationals values(graph.players.size(), 0);
    if (graph.label[s] == Graph::chance) {
        Rational all = 0;
        for (std::uint64_t m = graph.start[s]; m < graph.start[s + 1]; ++m) all += graph.weight_of(m);
        for (std::uint64_t m = graph.start[s]; m < graph.start[s + 1]; ++m) {
            const Rationals after = plain_induction(graph, graph.to[m]);
            for (std::size_t p = 0; p < values.size(); ++p) values[p] += graph.weight_of(m) / all * after[p];
        }
        return values;
    }
    bool first = true;
    for (const StateId to : graph.successors(s)) {
        Rationals after = plain_induction(graph, to);
        if (first || after[graph.label[s]] > values[graph.label[s]]) values = std::move(after);
        first = false;
    }
    return values;
}

// Value iteration in floating point on the states of a description in which everything is seen: the first
// player maximises its goal, the second minimises it (or maximises, where `together`). States are found by
// playing all joint moves.
class PlainValueIteration {
public:
    PlainValueIteration(const gdl::Game& game, bool together)
        : game_(game), runner_(game.machine()), together_(together) {
        const auto& network = game.machine().network();
        for (std::size_t r = 0; r < network.roles.size(); ++r) {
            if (game.text(network.roles[r]) == "random") {
                random_ = r;
            } else {
                roles_.push_back(r);
            }
        }
        number(game.machine().initial());
        for (std::size_t s = 0; s < states_.size(); ++s) expand(s);
    }

    double value(double endless) {
        std::vector<double> value(states_.size(), endless);
        for (int sweep = 0; sweep < 100'000; ++sweep) {
            double change = 0;
            for (std::size_t s = states_.size(); s-- > 0;) {
                const Node& node = nodes_[s];
                double now = node.goal;
                if (!node.over) {
                    now = node.minimise ? 1e9 : -1e9;
                    for (const auto& outcomes : node.moves) {
                        double sum = 0;
                        for (const std::size_t to : outcomes) sum += value[to];
                        sum /= static_cast<double>(outcomes.size());
                        now = node.minimise ? std::min(now, sum) : std::max(now, sum);
                    }
                }
                change = std::max(change, std::abs(now - value[s]));
                value[s] = now;
            }
            if (change < 1e-14) break;
        }
        return value[0];
    }
    [[nodiscard]] std::size_t states() const { return states_.size(); }

private:
    struct Node {
        bool over = false;
        bool minimise = false;
        double goal = 0;
        std::vector<std::vector<std::size_t>> moves;  // the results by chance, one for each of its moves
    };

    std::size_t number(const gdl::State& state) {
        const auto [at, fresh] = number_.try_emplace(state, states_.size());
        if (fresh) states_.push_back(state);
        return at->second;
    }
    void expand(std::size_t s) {
        Node node;
        const gdl::State state = states_[s];
        runner_.load(state);
        node.over = runner_.terminal();
        if (node.over) {
            node.goal = runner_.goal(roles_.front());
        } else {
            std::vector<std::vector<gdl::MoveId>> legal(game_.machine().roles());
            for (std::size_t r = 0; r < legal.size(); ++r) runner_.legal(r, legal[r]);
            std::size_t mover = roles_.front();
            for (const std::size_t r : roles_) {
                if (legal[r].size() > 1) mover = r;
            }
            node.minimise = !together_ && mover != roles_.front();
            gdl::JointMove joint;
            for (const auto& moves : legal) joint.push_back(moves.front());
            for (const gdl::MoveId own : legal[mover]) {
                joint[mover] = own;
                auto& outcomes = node.moves.emplace_back();
                for (const gdl::MoveId chance : legal[random_]) {
                    joint[random_] = chance;
                    runner_.load(state);
                    runner_.play(joint);
                    gdl::State next;
                    runner_.next(next);
                    outcomes.push_back(number(next));
                }
            }
        }
        nodes_.push_back(std::move(node));
    }

    const gdl::Game& game_;
    gdl::Runner runner_;
    bool together_;
    std::vector<std::size_t> roles_;
    std::size_t random_ = 0;
    std::map<gdl::State, std::size_t> number_;
    std::vector<gdl::State> states_;
    std::vector<Node> nodes_;
};

// One player who does not see everything: plain recursion over what was done and seen, with the probability of
// every state that is still possible. No two histories are ever taken for the same.
class HistorySearch {
public:
    explicit HistorySearch(const gdl::Game& game) : runner_(game.machine()) {
        const auto& network = game.machine().network();
        random_ = game.text(network.roles[0]) == "random" ? 0 : 1;
        initial_ = game.machine().initial();
    }
    double value() { return search({{initial_, 1.0}}); }

private:
    using Possible = std::vector<std::pair<gdl::State, double>>;
    // The sum of probability times goal.
    double search(const Possible& all) {
        double sum = 0;
        Possible going;
        for (const auto& [state, probability] : all) {
            runner_.load(state);
            if (runner_.terminal()) {
                sum += probability * runner_.goal(1 - random_);
            } else {
                going.emplace_back(state, probability);
            }
        }
        if (going.empty()) return sum;
        std::vector<gdl::MoveId> own;
        runner_.load(going.front().first);
        runner_.legal(1 - random_, own);
        double best = -1;
        for (const gdl::MoveId move : own) {
            std::map<std::vector<gdl::TermId>, Possible> by_percepts;
            for (const auto& [state, probability] : going) {
                runner_.load(state);
                std::vector<gdl::MoveId> chance;
                runner_.legal(random_, chance);
                for (const gdl::MoveId its : chance) {
                    gdl::JointMove joint(2);
                    joint[random_] = its;
                    joint[1 - random_] = move;
                    runner_.load(state);
                    runner_.play(joint);
                    std::vector<gdl::TermId> seen;
                    runner_.sees(1 - random_, seen);
                    std::sort(seen.begin(), seen.end());
                    gdl::State next;
                    runner_.next(next);
                    by_percepts[seen].emplace_back(next, probability / static_cast<double>(chance.size()));
                }
            }
            double here = 0;
            for (const auto& [seen, possible] : by_percepts) here += search(possible);
            best = std::max(best, here);
        }
        return sum + best;
    }

    gdl::Runner runner_;
    std::size_t random_;
    gdl::State initial_;
};

}  // namespace zermelo::game
