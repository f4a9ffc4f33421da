#include "game/chance/solve.hpp"

#include "game/chance/expectimax.hpp"
#include "game/explore/explore.hpp"
#include "game/solve-inl.hpp"
#include "game/strategy/walk-inl.hpp"
#include "game/views/belief_game.hpp"

namespace zermelo::game {

namespace {

template <Game G>
typename G::State state_after_chance(G& game, const std::vector<std::string>& line) {
    typename G::State state = game.initial();
    for (const std::string& move : line) {
        game.look(state);
        if (game.turn().kind == Turn::Kind::simultaneous) require_turns(game.turn(), "a line of moves");
        typename G::State next = state;
        game.successor(find_move(game, move), next);
        state = std::move(next);
    }
    return state;
}

template <Game G>
ChanceSolution describe_chance_position(G& game) {
    ChanceSolution solution;
    for (std::size_t p = 0; p < game.players(); ++p)
        solution.players.push_back(game.player_name(static_cast<Player>(p)));
    game.look(game.initial());
    const Turn turn = game.turn();
    if (turn.kind == Turn::Kind::simultaneous) require_turns(turn, "solving");
    if (turn.kind == Turn::Kind::player) solution.mover = turn.player;
    solution.over = turn.over();
    return solution;
}

// The moves of the position; values(i) are those after move i.
template <Game G, class Values>
void list_moves(G& game, bool every_move, const Values& values, ChanceSolution& solution) {
    if (solution.over) return;
    game.look(game.initial());
    std::vector<ChanceMove> moves;
    double all = 0;
    for (std::size_t m = 0; m < game.moves(); ++m) {
        ChanceMove& move = moves.emplace_back();
        move.move = game.move_name(m);
        move.values = values(m);
        if (solution.mover) continue;
        move.probability = static_cast<double>(weight_of(game, m));
        all += *move.probability;
    }
    if (solution.mover) {
        Rational best = moves.front().values[*solution.mover].low;
        for (const ChanceMove& move : moves) best = std::max(best, move.values[*solution.mover].low);
        for (ChanceMove& move : moves) move.best = move.values[*solution.mover].high >= best;
    }
    for (ChanceMove& move : moves) {
        if (move.probability) *move.probability /= all;
        if (move.best || every_move) solution.moves.push_back(std::move(move));
    }
}

std::vector<Expectation> expectations(const ExpectedValues& values, StateId state) {
    std::vector<Expectation> all;
    for (std::size_t p = 0; p < values.players; ++p) {
        const auto player = static_cast<Player>(p);
        all.push_back({values.lower(state, player), values.upper(state, player)});
    }
    return all;
}

template <Game G>
void value_graph(G& game, const Graph& graph, const ChanceOptions& options, ChanceSolution& solution) {
    ExpectedValueOptions how = options.values;
    how.limits = options.limits;
    if (options.progress) options.progress({"valuing", graph.states(), resident_bytes()});
    const ExpectedValues values = find_expected_values(graph, how);
    solution.interests = values.interests;
    solution.cyclic_states = values.cyclic_states;
    solution.sweeps = values.sweeps;
    solution.values = expectations(values, graph.initial);
    list_moves(
        game, options.every_move,
        [&](std::size_t m) { return expectations(values, graph.successors(graph.initial)[m]); }, solution);
    solution.solved = true;
    if (!options.policies || !options.line.empty() || options.from != nullptr) return;
    if (options.progress) options.progress({"writing the policy", graph.states(), resident_bytes()});
    solution.policies = build_policies(graph, values, options.limits);
}

template <Game G>
void by_value_iteration(G& game, const ChanceOptions& options, ChanceSolution& solution) {
    ExploreOptions exploring;
    exploring.limits = options.limits;
    exploring.threads = options.threads;
    if (options.progress) {
        exploring.progress = [&](const ExploreProgress& at) {
            options.progress({"exploring", at.states, resident_bytes()});
        };
    }
    const Exploration explored = explore(game, exploring);
    solution.states = explored.counted.states;
    solution.edges = explored.counted.edges;
    solution.bytes_per_state = explored.bytes_per_state();
    if (!explored.complete) {
        throw LimitReached(explored.stop == Stop::none ? Stop::memory : explored.stop,
                           "while the states were listed", "raise the limit");
    }
    value_graph(game, explored.graph, options, solution);
}

// What expectimax found, written down along the walk of a policy.
template <Game G>
class TableWriter {
public:
    TableWriter(const G& game, const Expectimax<G>& table, ChancePolicy& policy)
        : game_(game), table_(table), policy_(policy) {}
    bool enter(std::uint32_t, const typename G::State& state, std::uint32_t, std::size_t) {
        choice_.push_back(table_.find(state)->choice);
        if (policy_.claim == ChancePolicy::Claim::equilibrium && game_.turn().kind == Turn::Kind::player)
            policy_.choices.push_back(choice_.back());
        return true;
    }
    std::optional<std::size_t> choose(std::uint32_t number) {
        policy_.choices.push_back(choice_[number]);
        return choice_[number];
    }
    static bool meet(std::uint32_t, std::size_t, std::uint32_t, bool) { return true; }

private:
    const G& game_;
    const Expectimax<G>& table_;
    ChancePolicy& policy_;
    std::vector<std::uint32_t> choice_;  // by number
};

template <Game G>
void by_expectimax(G& game, const ChanceOptions& options, ChanceSolution& solution) {
    Expectimax<G> table(game, options.limits, [&](std::uint64_t states) {
        if (options.progress) options.progress({"searching", states, resident_bytes()});
    });
    const auto start = game.initial();
    const auto expect = [](const Rationals& values) {
        std::vector<Expectation> all;
        for (const Rational& value : values) all.push_back({value, value});
        return all;
    };
    try {
        solution.values = expect(table.solve(start).values);
    } catch (...) {
        solution.states = table.states();
        solution.edges = table.edges();
        throw;
    }
    solution.states = table.states();
    solution.edges = table.edges();
    solution.interests = interests_of(game.players(), table.outcomes());
    list_moves(
        game, options.every_move,
        [&](std::size_t m) {
            typename G::State next = start;
            game.look(start);
            game.successor(m, next);
            auto values = expect(table.find(next)->values);
            game.look(start);
            return values;
        },
        solution);
    solution.solved = true;
    if (!options.policies || !options.line.empty() || options.from != nullptr) return;
    const int endless = twice_endless(solution.interests, game.players(), table.outcomes());
    for (ChancePolicy& policy : policies_to_write(solution.interests, game.players(), endless)) {
        const bool equilibrium = policy.claim == ChancePolicy::Claim::equilibrium;
        for (std::size_t p = 0; p < game.players(); ++p) {
            if (equilibrium || p == policy.player) policy.values.push_back(solution.values[p].low);
        }
        TableWriter<G> writer(game, table, policy);
        PlanWalk<G> walk(game, equilibrium ? std::vector<bool>(game.players(), false) : policy.owners,
                         options.limits);
        if (walk.run(writer) == PlanWalk<G>::End::limit)
            throw LimitReached(walk.stop(), "while the policy was written", "raise the limit");
        solution.policies.push_back(std::move(policy));
    }
}

template <Game G, class Backwards>
ChanceSolution solve_any_chance(G& game, const ChanceOptions& options, const Backwards& backwards) {
    game.start_at(state_after_chance(game, options.line));
    ChanceSolution solution = describe_chance_position(game);
    solution.engine =
        options.engine == ChanceEngine::expectimax ? ChanceEngine::expectimax : ChanceEngine::value_iteration;
    try {
        if (solution.engine == ChanceEngine::expectimax) {
            by_expectimax(game, options, solution);
        } else {
            backwards(solution);
        }
    } catch (const LimitReached& limit) {
        solution.stop = limit.stop();
    }
    return solution;
}

}  // namespace

const char* name(ChanceEngine engine) {
    switch (engine) {
        case ChanceEngine::automatic:
            return "auto";
        case ChanceEngine::expectimax:
            return "expectimax";
        case ChanceEngine::value_iteration:
            return "value-iteration";
    }
    return "";
}

bool has_chance(const gdl::Game& game) {
    const gdl::Network& network = game.machine().network();
    return std::ranges::any_of(network.roles, [&](gdl::TermId role) {
        return network.terms.symbol(role) == gdl::kw_random && network.terms.arguments(role).empty();
    });
}

bool has_chance(const Graph& graph) {
    return std::ranges::find(graph.label, Graph::chance) != graph.label.end();
}

ChanceSolution solve_chance(const gdl::Game& game, const ChanceOptions& options) {
    const LimitScope scope(options.limits);
    ChanceGame chance(game);
    if (options.from != nullptr) chance.start_at({{{*options.from, 1}}});
    return solve_any_chance(chance, options,
                            [&](ChanceSolution& solution) { by_value_iteration(chance, options, solution); });
}

ChanceSolution solve_chance(const Graph& graph, const ChanceOptions& options) {
    GraphGame game(graph);
    return solve_any_chance(game, options, [&](ChanceSolution& solution) {
        Graph placed = graph;
        placed.initial = game.initial();
        solution.states = graph.states();
        solution.edges = graph.edges();
        value_graph(game, placed, options, solution);
    });
}

const char* verdict(const ChanceSolution& solution) {
    if (!solution.solved) return "unknown";
    const Expectation& own = solution.values.front();
    if (solution.values.size() == 1) {
        if (own.low == win) return "won";
        if (own.high == loss) return "lost";
        return "drawn";
    }
    Rational low = solution.values[1].low;  // of the greatest of the others
    Rational high = solution.values[1].high;
    for (std::size_t p = 2; p < solution.values.size(); ++p) {
        low = std::max(low, solution.values[p].low);
        high = std::max(high, solution.values[p].high);
    }
    if (own.low > high) return "won";
    if (own.high < low) return "lost";
    return own.exact() && low == high ? "drawn" : "unknown";
}

}  // namespace zermelo::game
