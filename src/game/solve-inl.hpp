// The engines behind solve.hpp, for any game: what each of them needs, and its answer as a Solution.

#pragma once

#include <fmt/format.h>

#include "game/explore/explore.hpp"
#include "game/graph/values.hpp"
#include "game/search/exact_alphabeta.hpp"
#include "game/search/proof_number.hpp"
#include "game/solve.hpp"
#include "game/strategy/build.hpp"
#include "game/views/quotient_game.hpp"

namespace zermelo::game {

// The place of the named move among those of the state that was looked at. Throws Error that lists them.
template <Game G>
[[nodiscard]] std::size_t find_move(const G& game, const std::string& name) {
    std::string all;
    for (std::size_t i = 0; i < game.moves(); ++i) {
        const std::string move = game.move_name(i);
        if (move == name) return i;
        all += (i == 0 ? "" : ", ") + move;
    }
    throw Error(fmt::format("{} is no move here", name),
                all.empty() ? "the game is over; leave it out" : "choose one of: " + all);
}

template <Game G>
[[nodiscard]] typename G::State state_after(G& game, const std::vector<std::string>& line) {
    typename G::State state = game.initial();
    for (const std::string& name : line) {
        game.look(state);
        require_turns(game.turn(), "a line of moves");
        typename G::State next = state;
        game.successor(find_move(game, name), next);
        state = std::move(next);
    }
    return state;
}

// What the position looks like before anything is known about it.
template <Game G>
[[nodiscard]] Solution describe_position(G& game) {
    Solution solution;
    for (std::size_t p = 0; p < game.players(); ++p)
        solution.players.push_back(game.player_name(static_cast<Player>(p)));
    game.look(game.initial());
    const Turn turn = game.turn();
    require_turns(turn, "solving");
    if (turn.kind == Turn::Kind::player) solution.mover = turn.player;
    return solution;
}

// --- attractors and backward induction ---

// A payoff that every play gives needs no plan.
[[nodiscard]] inline bool guaranteed_by_the_rules(const std::vector<std::vector<int>>& outcomes,
                                                  Player player, int promise) {
    return promise <= endless_payoff(outcomes.front().size()) &&
           std::ranges::all_of(outcomes, [&](const auto& payoffs) { return payoffs[player] >= promise; });
}

template <Game G>
void read_off(G& game, const Graph& graph, const Values& values, StateId root, const SolveOptions& options,
              Solution& solution) {
    solution.solved = true;
    solution.engine = Engine::attractors;
    solution.values = values.payoffs(root);
    if (values.rank[root] != outside()) solution.rank = values.rank[root];
    solution.all_best = true;
    if (graph.over(root)) return;
    const auto best = best_moves(graph, values, root);
    game.look(game.initial());
    for (std::size_t i = 0; i < graph.successors(root).size(); ++i) {
        const bool is_best = std::ranges::find(best, i) != best.end();
        if (!is_best && !options.every_move) continue;
        const StateId to = graph.successors(root)[i];
        MoveReport report{game.move_name(i), values.payoffs(to), {}, is_best};
        if (values.rank[to] != outside()) report.rank = values.rank[to];
        solution.moves.push_back(std::move(report));
    }
    if (!options.plans || values.method != Method::attractors) return;
    for (std::size_t p = 0; p < graph.players.size(); ++p) {
        const auto owner = static_cast<Player>(p);
        const int promise = solution.values[p];
        if (guaranteed_by_the_rules(values.outcomes, owner, promise)) continue;
        if constexpr (std::derived_from<G, QuotientGame>) {
            if (game.canonical().size() > 1) {
                GdlGame plain(game);
                LiftedWalk walk(plain, game.canonical(), graph, root);
                const auto choice = [&](const LiftedWalk& at) {
                    return at.lifted_move(choose(graph, values, at.quotient_state()));
                };
                solution.plans.push_back(build_plan(walk, owner, promise, choice, options.limits));
                continue;
            }
        }
        GraphGame walked(graph);
        Walker<GraphGame> walk(walked, root);
        solution.plans.push_back(build_plan(
            walk, owner, promise, [&](const auto& at) { return choose(graph, values, at.state()); },
            options.limits));
    }
}

// Nothing where there are more than `most_states`.
template <Game G>
[[nodiscard]] std::optional<Solution> by_attractors(G& game, const SolveOptions& options,
                                                    std::size_t most_states, bool checkpoint) {
    Solution solution = describe_position(game);
    ExploreOptions exploring;
    exploring.limits = options.limits;
    exploring.most_states = most_states;
    exploring.threads = options.threads;
    if (checkpoint) exploring.checkpoint = options.checkpoint;
    exploring.seconds_between_saves = options.seconds_between_saves;
    if (options.progress) {
        exploring.progress = [&](const ExploreProgress& at) {
            options.progress({"exploring", at.states, resident_bytes()});
        };
    }
    const Exploration explored = explore(game, exploring);
    if (!explored.complete && explored.stop == Stop::none) return std::nullopt;
    solution.engine = Engine::attractors;
    solution.continued = explored.continued;
    solution.statistics.nodes = explored.counted.states;
    solution.statistics.edges = explored.counted.edges;
    solution.statistics.bytes_per_state = explored.bytes_per_state();
    solution.stop = explored.stop;
    if (!explored.complete) return solution;
    const Values values = find_values(explored.graph, options.limits, options.threads);
    solution.statistics.bytes_per_state +=
        static_cast<double>(values.bytes()) / static_cast<double>(explored.counted.states);
    read_off(game, explored.graph, values, 0, options, solution);
    return solution;
}

// --- alpha-beta and proof-number search ---

// What the depth-first engines need to know about a game: walks of the position, one a thread, and the
// payoffs that its first player can get, ascending.
template <Walk W>
struct Searchable {
    std::vector<std::unique_ptr<W>> walks;
    std::vector<int> payoffs;
    Hash128 rules = {};  // for checkpoints
    // Of two players: those of the second, what proves that both always add up to 100, and whether it did. Where it did not,
    // each player is asked for apart.
    std::vector<int> payoffs_of_second = {};
    std::function<bool()> prove_opposed = [] { return true; };
    bool opposed = true;
};

[[nodiscard]] inline std::vector<int> payoffs_of_all(int first, std::size_t players) {
    return players == 1 ? std::vector<int>{first} : std::vector<int>{first, win - first};
}

// What `player` has to achieve for the value: that the first player gets at least `payoff`, or does not.
// Nothing where any play will do.
struct PayoffTarget {
    int payoff;
    bool reached;
};
[[nodiscard]] std::optional<PayoffTarget> payoff_target(const std::vector<int>& payoffs, int value,
                                                        Player player);

// The same where interests are not proven to be opposite: each player by its own payoffs.
template <Walk W>
[[nodiscard]] std::optional<PayoffTarget> target_of(const Searchable<W>& search, int value, Player player) {
    if (search.opposed || player == 0) return payoff_target(search.payoffs, value, player);
    const int own = win - value;
    return own == search.payoffs_of_second.front() ? std::nullopt : std::optional(PayoffTarget{own, true});
}

// What both can force, apart from one another, is what they get under optimal play only if it is all that there is to get.
inline void require_all_is_forced(int first, int second) {
    if (first + second == win) return;
    throw NotOpposed("what the two roles can force does not add up to 100",
                     "use " + setting("engine", "attractors"));
}

template <Game G, Walk W, class Value, class MoveTowards>
void read_off(G& game, Searchable<W>& search, const SolveOptions& options, Value value,
              MoveTowards move_towards, Solution& solution) {
    W& walk = *search.walks.front();
    const int first = value();
    const std::size_t players = solution.players.size();
    solution.values = payoffs_of_all(first, players);
    solution.solved = true;
    game.look(game.initial());
    if (!solution.mover) return;
    const auto asked = target_of(search, first, *solution.mover);
    const bool leads = options.partners == nullptr || options.partners->first();
    if (options.every_move || !asked) {
        for (std::size_t i = 0; i < game.moves(); ++i) {
            for (auto& each : search.walks) each->make(i);
            // Where any move will do there is nothing to find out.
            const int after = asked || options.every_move ? value() : first;
            for (auto& each : search.walks) each->unmake();
            solution.moves.push_back({game.move_name(i), payoffs_of_all(after, players), {}, after == first});
        }
        solution.all_best = true;
    } else if (leads) {
        solution.moves.push_back(
            {game.move_name(move_towards(*asked, *solution.mover)), solution.values, {}, true});
    }
    if (!options.plans || !leads) return;
    const double start = cpu_seconds();
    for (std::size_t p = 0; p < players; ++p) {
        const auto owner = static_cast<Player>(p);
        const auto claim = target_of(search, first, owner);
        if (!claim) continue;
        std::uint64_t positions = 0;
        const auto choose = [&](const W&) {
            if (options.progress && ++positions % 1024 == 0) {
                options.progress({"writing the plan", positions, resident_bytes()});
            }
            return move_towards(*claim, owner);
        };
        solution.plans.push_back(build_plan(walk, owner, solution.values[p], choose, options.limits));
    }
    solution.statistics.plan_cpu_seconds = cpu_seconds() - start;
}

[[nodiscard]] inline ExactAlphaBetaStatistics sum_over_partners(const ExactAlphaBetaStatistics& mine,
                                                                DistributedSearch* partners) {
    if (partners == nullptr) return mine;
    ExactAlphaBetaStatistics sum;
    for (const Bytes& bytes : partners->gather(std::as_bytes(std::span(&mine, 1)))) {
        std::span<const std::byte> rest = bytes;
        sum += take<ExactAlphaBetaStatistics>(rest);
    }
    return sum;
}

template <Game G, Walk W>
[[nodiscard]] Solution by_alpha_beta(G& game, Searchable<W> search, const SolveOptions& options) {
    Solution solution = describe_position(game);
    solution.engine = Engine::alpha_beta;
    solution.opposed = search.opposed;
    ExactAlphaBetaOptions proving;
    proving.table_bytes = options.table_bytes;
    proving.limits = options.limits;
    proving.checkpoint = options.checkpoint;
    proving.subject = {"alpha-beta", search.rules};
    proving.seconds_between_saves = options.seconds_between_saves;
    proving.partners = options.partners;
    if (options.progress) {
        proving.progress = [&](std::uint64_t positions) {
            options.progress({"proving", positions, resident_bytes()});
        };
    }
    std::vector<W*> walks;
    for (auto& walk : search.walks) walks.push_back(walk.get());
    std::optional<ExactAlphaBeta<W>> prover_of_second;
    if (!search.opposed) {
        proving.table_bytes /= 2;
        ExactAlphaBetaOptions of_second = proving;
        of_second.checkpoint = {};
        prover_of_second.emplace(walks, 1, of_second);
    }
    ExactAlphaBeta<W> prover(walks, 0, proving);
    solution.continued = prover.continued();
    try {
        bool saved = false;
        const auto value = [&] {
            const int found = prover.value(search.payoffs);
            if (!std::exchange(saved, true)) prover.save();
            if (prover_of_second)
                require_all_is_forced(found, prover_of_second->value(search.payoffs_of_second));
            return found;
        };
        const auto move_towards = [&](const PayoffTarget& target, Player owner) {
            auto& by = prover_of_second && owner == 1 ? *prover_of_second : prover;
            return by.move_towards(target.payoff, target.reached);
        };
        with_deep_stack(ExactAlphaBeta<W>::longest_play,
                        [&] { read_off(game, search, options, value, move_towards, solution); });
    } catch (const LimitReached& limit) {
        solution.stop = limit.stop();
    }
    ExactAlphaBetaStatistics s = sum_over_partners(prover.statistics(), options.partners);
    if (prover_of_second) s += sum_over_partners(prover_of_second->statistics(), options.partners);
    solution.statistics.nodes = s.positions;
    solution.statistics.peeks = s.peeks;
    solution.statistics.table_hits = s.table_hits;
    solution.statistics.table_entries = s.entries;
    solution.statistics.threads = static_cast<unsigned>(walks.size());
    return solution;
}

template <Game G, Walk W>
[[nodiscard]] Solution by_proof_number(G& game, Searchable<W> search, const SolveOptions& options) {
    Solution solution = describe_position(game);
    solution.engine = Engine::proof_number;
    solution.opposed = search.opposed;
    W& walk = *search.walks.front();
    ProofOptions proving;
    // One search, and one table, for each question; of each player who is asked for.
    std::vector<std::vector<int>> payoffs = {search.payoffs};
    if (!search.opposed) payoffs.push_back(search.payoffs_of_second);
    std::size_t questions = 0;
    for (const auto& of_player : payoffs) questions += of_player.size() - 1;
    proving.table_bytes = options.table_bytes / std::max<std::size_t>(1, questions);
    proving.limits = options.limits;
    std::vector<std::vector<std::unique_ptr<ProofNumberSearch<W>>>> searches(payoffs.size());
    for (std::size_t p = 0; p < payoffs.size(); ++p) {
        for (const int payoff : payoffs[p]) {
            searches[p].push_back(
                std::make_unique<ProofNumberSearch<W>>(walk, static_cast<Player>(p), payoff, proving));
        }
    }
    const auto ask = [&](std::size_t player, std::size_t which) {
        const ProofResult result = searches[player][which]->search();
        solution.statistics.nodes += result.calls;
        solution.statistics.peeks += result.positions;
        solution.statistics.table_hits += result.table_hits;
        if (options.progress) options.progress({"proving", solution.statistics.nodes, resident_bytes()});
        if (result.answer == Answer::unknown) {
            throw LimitReached(result.stop, "while solving the game", "raise the time or memory limit");
        }
        return result;
    };
    const auto value_of = [&](std::size_t player) {
        if (walk.turn().over()) return walk.payoff(static_cast<Player>(player));
        std::size_t low = 0;
        std::size_t high = payoffs[player].size();
        while (low + 1 < high) {
            const std::size_t middle = (low + high) / 2;
            (ask(player, middle).answer == Answer::proven ? low : high) = middle;
        }
        return payoffs[player][low];
    };
    const auto value = [&] {
        const int first = value_of(0);
        if (!search.opposed) require_all_is_forced(first, value_of(1));
        return first;
    };
    const auto move_towards = [&](const PayoffTarget& target, Player owner) {
        const std::size_t player = search.opposed ? 0 : owner;
        const auto at = std::ranges::find(payoffs[player], target.payoff) - payoffs[player].begin();
        return ask(player, static_cast<std::size_t>(at)).best.value_or(0);
    };
    try {
        read_off(game, search, options, value, move_towards, solution);
    } catch (const LimitReached& limit) {
        solution.stop = limit.stop();
    }
    return solution;
}

}  // namespace zermelo::game
