#include "game/graph/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "game/graph/predecessors.hpp"

namespace zermelo::game {

namespace {

constexpr std::uint8_t unknown = 255;
constexpr std::uint64_t states_per_question = 1024;

void check_limits(const Limits& limits, std::uint64_t done) {
    if (done % states_per_question != 0) return;
    if (const Stop stop = limits.reached(); stop != Stop::none) {
        throw LimitReached(stop, "while computing values", "raise the limit, or choose a smaller game");
    }
}

int endless(const Graph& graph) { return endless_payoff(graph.players.size()); }

std::uint8_t find_or_add(std::vector<std::vector<int>>& outcomes, const std::vector<int>& payoffs) {
    const auto at = std::ranges::find(outcomes, payoffs);
    const auto number = static_cast<std::uint8_t>(at - outcomes.begin());
    if (at == outcomes.end()) outcomes.push_back(payoffs);
    return number;
}

// The payoffs of a player that are better than endless play, the best first.
std::set<int, std::greater<>> thresholds(const Graph& graph, Player player) {
    std::set<int, std::greater<>> above;
    for (const auto& payoffs : graph.outcomes) {
        if (payoffs[player] > endless(graph)) above.insert(payoffs[player]);
    }
    return above;
}

void settle_attractor(const Graph& graph, const Predecessors& predecessors, Player player, int threshold,
                      Values& values, const Limits& limits, unsigned threads) {
    std::vector<bool> goal;
    std::uint8_t outcome = unknown;
    for (std::size_t o = 0; o < graph.outcomes.size(); ++o) {
        goal.push_back(graph.outcomes[o][player] >= threshold);
        if (graph.outcomes[o][player] == threshold) outcome = static_cast<std::uint8_t>(o);
    }
    const Attractor forced = attractor(graph, predecessors, player, goal, limits, threads);
    for (StateId s = 0; s < graph.states(); ++s) {
        if (values.outcome[s] != unknown || !forced.contains(s)) continue;
        values.outcome[s] = outcome;
        values.rank[s] = forced.rank[s];
    }
}

void by_attractors(const Graph& graph, Values& values, const Limits& limits, unsigned threads) {
    const Predecessors predecessors(graph, threads, limits);
    for (std::size_t p = 0; p < graph.players.size(); ++p) {
        const auto player = static_cast<Player>(p);
        for (const int threshold : thresholds(graph, player)) {
            settle_attractor(graph, predecessors, player, threshold, values, limits, threads);
        }
    }
    const std::vector<int> draw_payoffs(graph.players.size(), endless(graph));
    const std::uint8_t drawn = find_or_add(values.outcomes, draw_payoffs);
    std::ranges::replace(values.outcome, unknown, drawn);
}

// What a player looks at: the own payoff, then how little the others get.
struct Score {
    int own;
    int others;
    friend bool operator==(const Score&, const Score&) = default;
    friend bool operator<(const Score& a, const Score& b) {
        return a.own != b.own ? a.own < b.own : a.others > b.others;
    }
};

Score score(const Values& values, StateId state, Player player) {
    const auto& payoffs = values.payoffs(state);
    return {payoffs[player], std::accumulate(payoffs.begin(), payoffs.end(), 0) - payoffs[player]};
}

std::size_t first_best_move(const Graph& graph, const Values& values, StateId state) {
    const auto successors = graph.successors(state);
    const Player player = graph.turn(state).player;
    const auto best = std::max_element(successors.begin(), successors.end(), [&](StateId a, StateId b) {
        return score(values, a, player) < score(values, b, player);
    });
    return static_cast<std::size_t>(best - successors.begin());
}

// Depth first, so that a state is left when everything after it is known.
class BackwardInduction {
public:
    BackwardInduction(const Graph& graph, Values& values, const Limits& limits)
        : graph_(graph), values_(values), limits_(limits), entered_(graph.states(), false) {}

    void run() {
        for (StateId s = 0; s < graph_.states(); ++s) {
            if (values_.outcome[s] == unknown) settle(s);
        }
    }

private:
    struct Frame {
        StateId state;
        std::uint64_t next;  // the move to look at
    };

    void settle(StateId root) {
        enter(root);
        while (!path_.empty()) {
            Frame& frame = path_.back();
            if (frame.next == graph_.start[frame.state + 1]) {
                leave(frame.state);
                path_.pop_back();
                continue;
            }
            const StateId next = graph_.to[frame.next++];
            if (values_.outcome[next] == unknown) enter(next);
        }
    }

    void enter(StateId state) {
        check_limits(limits_, done_++);
        if (entered_[state]) {
            throw Error(
                fmt::format("the state {} can come back, and backward induction needs a game that ends",
                            graph_.name(state)),
                "give a game without cycles, or one for two players whose payoffs add up to 100");
        }
        if (graph_.successors(state).empty()) {
            throw Error(fmt::format("the state {} has neither moves nor payoffs", graph_.name(state)),
                        "give it payoffs");
        }
        entered_[state] = true;
        path_.push_back({state, graph_.start[state]});
    }

    void leave(StateId state) {
        const StateId next = graph_.successors(state)[first_best_move(graph_, values_, state)];
        values_.outcome[state] = values_.outcome[next];
        values_.rank[state] = values_.rank[next] + 1;
    }

    const Graph& graph_;
    Values& values_;
    const Limits& limits_;
    std::vector<bool> entered_;
    std::vector<Frame> path_;
    std::uint64_t done_ = 0;
};

}  // namespace

bool attractors_suffice(std::size_t players, const std::vector<std::vector<int>>& outcomes) {
    if (players == 1) return true;
    return players == 2 &&
           std::ranges::all_of(outcomes, [](const auto& payoffs) { return payoffs[0] + payoffs[1] == win; });
}

Values find_values(const Graph& graph, const Limits& limits, unsigned threads) {
    Values values;
    values.outcomes = graph.outcomes;
    values.outcome.assign(graph.states(), unknown);
    values.rank.assign(graph.states(), outside());
    require_turns(graph, "backward induction", threads, limits);
    for (StateId s = 0; s < graph.states(); ++s) {
        if (!graph.over(s)) continue;
        values.outcome[s] = static_cast<std::uint8_t>(graph.label[s] - Graph::ended);
        values.rank[s] = 0;
    }
    if (attractors_suffice(graph.players.size(), graph.outcomes)) {
        values.method = Method::attractors;
        by_attractors(graph, values, limits, threads);
    } else {
        values.method = Method::backward_induction;
        BackwardInduction(graph, values, limits).run();
    }
    return values;
}

std::vector<std::size_t> best_moves(const Graph& graph, const Values& values, StateId state) {
    const auto successors = graph.successors(state);
    if (successors.empty()) return {};
    const Player player = graph.turn(state).player;
    const Score best = score(values, successors[first_best_move(graph, values, state)], player);
    std::vector<std::size_t> moves;
    for (std::size_t m = 0; m < successors.size(); ++m) {
        if (score(values, successors[m], player) == best) moves.push_back(m);
    }
    return moves;
}

std::size_t choose(const Graph& graph, const Values& values, StateId state) {
    const auto moves = best_moves(graph, values, state);
    if (values.method == Method::backward_induction) return moves.front();
    const auto successors = graph.successors(state);
    const int payoff = values.payoffs(state)[graph.turn(state).player];
    const auto rank = [&](std::size_t move) { return values.rank[successors[move]]; };
    if (payoff > endless(graph)) return *std::ranges::min_element(moves, {}, rank);
    if (payoff < endless(graph)) return *std::ranges::max_element(moves, {}, rank);
    return moves.front();
}

}  // namespace zermelo::game
