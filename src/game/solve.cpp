#include "game/solve.hpp"

#include <cmath>
#include <deque>
#include <limits>
#include <set>

#include "core/random.hpp"
#include "game/solve-inl.hpp"
#include "game/views/gdl_game.hpp"
#include "game/views/gdl_walk.hpp"
#include "game/views/model_game.hpp"
#include "game/views/positional_walk.hpp"
#include "gdl/proof/constant_sum.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::game {

namespace {

// A game of at most so many states is solved by attractors before the other engines have started.
constexpr std::size_t few_states = 200'000;
// Groups beyond this many elements cost the stepper more at each position than they save.
constexpr std::size_t most_symmetries = 16;
// Among more players, moves that are worth the same to whoever moves need not be worth the same to the
// others, and the first one is played: the order of the moves then matters, and symmetries do not keep it.
constexpr std::size_t most_players_of_symmetry = 2;

unsigned threads_of(const SolveOptions& options) {
    return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

// How the branching factor varies along random plays: its coefficient of variation.
template <Walk W>
double branching_variation(W& walk) {
    constexpr int playouts = 50;
    constexpr std::size_t longest = 300;
    Random random(1);
    double count = 0;
    double sum = 0;
    double squares = 0;
    for (int playout = 0; playout < playouts; ++playout) {
        std::size_t depth = 0;
        for (; depth < longest && walk.turn().kind == Turn::Kind::player; ++depth) {
            stay_within_limits("while playing at random");
            const auto moves = static_cast<double>(walk.moves());
            count += 1;
            sum += moves;
            squares += moves * moves;
            walk.make(random.below(walk.moves()));
        }
        while (depth-- > 0) walk.unmake();
    }
    if (sum == 0) return 0;
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean;
}

// A depth-first search may come by no end that shows that the interests are not opposite. Random plays often do, at once.
// Throws NotOpposed; the walk is of no use then.
template <Walk W>
void require_opposed_ends(W& walk) {
    constexpr int playouts = 50;
    constexpr std::size_t longest = 300;
    if (walk.players() != 2) return;
    Random random(2);
    for (int playout = 0; playout < playouts; ++playout) {
        std::size_t depth = 0;
        for (; depth < longest && walk.turn().kind == Turn::Kind::player; ++depth) {
            stay_within_limits("while playing at random");
            walk.make(random.below(walk.moves()));
        }
        if (walk.turn().over()) require_opposed(walk.payoff(0) + walk.payoff(1));
        while (depth-- > 0) walk.unmake();
    }
}

// Are the interests of two players opposite? Throws NotOpposed where a play says no.
template <Walk W>
void find_interests(Searchable<W>& search) {
    require_opposed_ends(*search.walks.front());
    search.opposed = search.walks.front()->players() != 2 || search.prove_opposed();
}

// Walks of copies of a game, one a thread; the copies have to outlive them.
template <Walk W, Game G, class... Rest>
Searchable<W> walks_of(std::deque<G>& copies, const G& game, const SolveOptions& options,
                       const Rest&... rest) {
    Searchable<W> search;
    for (unsigned i = 0; i < threads_of(options); ++i)
        search.walks.push_back(std::make_unique<W>(copies.emplace_back(game), rest...));
    return search;
}

void require_few_players(std::size_t players, Engine engine) {
    if (players <= 2) return;
    throw Error(fmt::format("{} is for one or two players, but this game has {}", name(engine), players),
                "use " + setting("engine", "attractors"));
}

// with_search(work) makes the walks, of whatever type, and returns work(search).
template <class WithSearch, Game G>
Solution by_search(G& game, Engine engine, WithSearch with_search, const SolveOptions& options) {
    require_few_players(game.players(), engine);
    return with_search([&](auto search) {
        find_interests(search);
        return engine == Engine::alpha_beta ? by_alpha_beta(game, std::move(search), options)
                                            : by_proof_number(game, std::move(search), options);
    });
}

template <Game G, Walk W>
Solution by_either_search(G& game, Searchable<W> search, const SolveOptions& options) {
    find_interests(search);
    const double variation = branching_variation(*search.walks.front());
    const bool one_question = search.payoffs.size() == 2;
    if (one_question && variation > 0.5) {
        Solution solution = by_proof_number(game, std::move(search), options);
        solution.reason = "many states, won or lost, and an uneven number of moves";
        return solution;
    }
    Solution solution = by_alpha_beta(game, std::move(search), options);
    solution.reason = fmt::format("more than {} states", few_states);
    return solution;
}

template <class WithSearch, Game G>
Solution solve_automatically(G& game, WithSearch with_search, const SolveOptions& options) {
    const std::string kind = options.checkpoint.empty() ? "" : checkpoint_kind(options.checkpoint);
    const bool of_states = kind == exploration_kind;
    if (kind.empty()) {  // otherwise it is known that there are more states
        if (auto solution = by_attractors(game, options, few_states, false)) {
            solution->reason = fmt::format("at most {} states", few_states);
            return *std::move(solution);
        }
    }
    std::string why_not =
        of_states ? "the checkpoint was written by attractors" : "there are more than two players";
    if (game.players() <= 2 && !of_states) {
        try {
            return with_search(
                [&](auto search) { return by_either_search(game, std::move(search), options); });
        } catch (const Repetition&) {
            why_not = "positions can repeat";
        } catch (const NotOpposed&) {
            why_not = "the interests are not opposite";
        }
    }
    Solution solution = by_attractors(game, options, std::numeric_limits<StateId>::max() - 1, true).value();
    solution.reason = why_not;
    return solution;
}

template <class WithSearch, Game G>
Solution solve_any(G& game, WithSearch with_search, const SolveOptions& options) {
    const double start = cpu_seconds();
    Solution solution;
    try {
        switch (options.engine) {
            case Engine::automatic:
                solution = solve_automatically(game, with_search, options);
                break;
            case Engine::attractors:
                solution =
                    by_attractors(game, options, std::numeric_limits<StateId>::max() - 1, true).value();
                break;
            case Engine::alpha_beta:
            case Engine::proof_number:
                solution = by_search(game, options.engine, with_search, options);
                break;
        }
    } catch (const LimitReached& limit) {
        solution = describe_position(game);
        solution.stop = limit.stop();
    }
    if (solution.reason.empty()) solution.reason = "asked for";
    solution.statistics.cpu_seconds = cpu_seconds() - start;
    return solution;
}

// For games that are recognised only where interests are opposite.
template <Walk W>
Searchable<W> of_proven_interests(Searchable<W> search) {
    search.prove_opposed = [] { return true; };
    return search;
}

// A single payoff would leave nothing to ask, though a play may not end.
std::vector<int> with_endless(std::set<int> payoffs, std::size_t players) {
    if (payoffs.size() < 2) payoffs.insert(endless_payoff(players));
    return {payoffs.begin(), payoffs.end()};
}

SolveOptions for_position(SolveOptions options) {
    if (!options.line.empty()) options.plans = false;  // plans begin at the beginning
    return options;
}

}  // namespace

const char* name(Engine engine) {
    switch (engine) {
        case Engine::automatic:
            return "auto";
        case Engine::attractors:
            return "attractors";
        case Engine::alpha_beta:
            return "alpha-beta";
        case Engine::proof_number:
            return "proof-number";
    }
    return "";
}

std::optional<PayoffTarget> payoff_target(const std::vector<int>& payoffs, int value, Player player) {
    if (player == 0) {
        if (value == payoffs.front()) return std::nullopt;
        return PayoffTarget{value, true};
    }
    const auto above = std::ranges::upper_bound(payoffs, value);
    if (above == payoffs.end()) return std::nullopt;
    return PayoffTarget{*above, false};
}

Solution solve(const gdl::Game& game, const SolveOptions& asked) {
    const SolveOptions options = for_position(asked);
    const LimitScope scope(options.limits);
    const gdl::Network& network = game.machine().network();
    GdlGame plain(game);
    plain.start_at(state_after(plain, options.line));
    std::set<int> payoffs;
    for (const auto& goal : network.goals.front()) payoffs.insert(goal.value);
    const std::vector<int> ascending = with_endless(payoffs, plain.players());
    std::set<int> payoffs_of_second;
    if (plain.players() == 2) {
        for (const auto& goal : network.goals[1]) payoffs_of_second.insert(goal.value);
    }
    const auto set_payoffs = [&](auto& search) {
        search.payoffs = ascending;
        search.payoffs_of_second = with_endless(payoffs_of_second, plain.players());
        search.prove_opposed = [&game] { return gdl::goals_surely_add_up(game.machine(), win); };
    };
    const auto canonical = options.symmetry && plain.players() <= most_players_of_symmetry
                               ? std::make_shared<const symmetry::Canonical>(network, options.limits)
                               : std::make_shared<const symmetry::Canonical>();
    QuotientGame folded(game, canonical);
    folded.start_at(plain.initial());
    std::size_t symmetries = canonical->size();

    const auto with_search = [&](const auto& work) {
        std::vector<gdl::Stepper::Permutation> permutations;
        auto some = canonical->size() <= most_symmetries
                        ? canonical->symmetries()
                        : symmetry::state_symmetries(network, most_symmetries, options.limits);
        for (auto& symmetry : some) permutations.push_back(std::move(symmetry.fluent));
        symmetries = 1 + permutations.size();
        Hasher hasher;  // keys depend on the symmetries
        const Hash128 rules = plain.fingerprint();
        hasher.add(rules);
        for (const auto& permutation : permutations) {
            for (const std::uint32_t image : permutation) hasher.add(image);
        }
        const auto searchable = [&]<Walk W>(const auto& moves) {
            Searchable<W> search;
            for (unsigned i = 0; i < threads_of(options); ++i) {
                search.walks.push_back(std::make_unique<W>(game, moves));
                search.walks.back()->load(plain.initial());
            }
            set_payoffs(search);
            search.rules = hasher.value();
            return search;
        };
        // Processes that search together make moves alike, so none may change its mind.
        const bool compiled = options.compiled && options.partners == nullptr;
        if (auto positional = compiled ? gdl::PositionalGame::make(game, permutations) : nullptr)
            return work(of_proven_interests(searchable.template operator()<PositionalWalk>(positional)));
        if (auto moves = compiled ? gdl::CompiledMoves::make(game, permutations) : nullptr) {
            try {
                return work(searchable.template operator()<CompiledWalk>(moves));
            } catch (const gdl::TooManyMoves&) {
                // The Stepper makes them one by one.
            }
        }
        return work(searchable.template operator()<GdlWalk>(permutations));
    };
    std::deque<GdlGame> copies;
    const auto with_plain_search = [&](const auto& work) {
        auto search = walks_of<SymmetricWalk>(copies, plain, options, *canonical);
        set_payoffs(search);
        search.rules = folded.fingerprint();
        return work(std::move(search));
    };
    const bool stepping = gdl::Stepper::supports(network) && plain.players() == network.roles.size();
    Solution solution =
        stepping ? solve_any(folded, with_search, options) : solve_any(folded, with_plain_search, options);
    solution.statistics.symmetries = solution.engine == Engine::attractors ? canonical->size() : symmetries;
    return solution;
}

Solution solve(const Graph& graph, const SolveOptions& asked) {
    SolveOptions options = for_position(asked);
    if (!options.checkpoint.empty()) {
        throw Error("graphs do not support checkpoints", "leave " + setting("checkpoint") + " out");
    }
    GraphGame game(graph);
    game.start_at(state_after(game, options.line));
    if (options.engine == Engine::automatic || options.engine == Engine::attractors) {
        const double start = cpu_seconds();
        Solution solution = describe_position(game);
        solution.reason = "the graph is there";
        solution.statistics.nodes = graph.states();
        solution.statistics.edges = graph.edges();
        try {
            const Values values = find_values(graph, options.limits, options.threads);
            solution.statistics.bytes_per_state =
                static_cast<double>(graph.bytes() + values.bytes()) / static_cast<double>(graph.states());
            read_off(game, graph, values, game.initial(), options, solution);
        } catch (const LimitReached& limit) {
            solution.stop = limit.stop();
        }
        solution.statistics.cpu_seconds = cpu_seconds() - start;
        return solution;
    }
    std::set<int> payoffs;
    for (const auto& outcome : graph.outcomes) {
        payoffs.insert(outcome.front());
        if (outcome.size() == 2 && outcome[0] + outcome[1] != win) {
            throw NotOpposed("the payoffs of the two players do not add up to 100 in every outcome",
                             "use " + setting("engine", "attractors"));
        }
    }
    std::deque<GraphGame> copies;
    const auto with_search = [&](const auto& work) {
        auto search = walks_of<Walker<GraphGame>>(copies, game, options);
        search.payoffs = with_endless(payoffs, graph.players.size());
        return work(std::move(search));
    };
    return solve_any(game, with_search, options);
}

Solution solve(const model::Model& model, const SolveOptions& asked) {
    const SolveOptions options = for_position(asked);
    if (!options.checkpoint.empty()) {
        throw Error("models do not support checkpoints", "leave " + setting("checkpoint") + " out");
    }
    ModelGame game(model);
    game.start_at(state_after(game, options.line));
    std::deque<ModelGame> copies;
    const auto with_search = [&](const auto& work) {
        auto search = walks_of<Walker<ModelGame>>(copies, game, options);
        search.payoffs = {loss, win};
        return work(std::move(search));
    };
    return solve_any(game, with_search, options);
}

Hash128 rules_fingerprint(const gdl::Description& description) {
    Hasher hasher;
    for (const gdl::Rule& rule : description.rules) {
        hasher.add(gdl::text(description, rule));
        hasher.add('\n');
    }
    return hasher.value();
}

const char* verdict(Player player, const std::vector<int>& values) {
    const int own = values[player];
    if (values.size() == 1) return own == win ? "won" : own == loss ? "lost" : "drawn";
    int most = std::numeric_limits<int>::min();  // of the others
    for (std::size_t other = 0; other < values.size(); ++other) {
        if (other != player) most = std::max(most, values[other]);
    }
    return own > most ? "won" : own < most ? "lost" : "drawn";
}

const char* verdict(const Solution& solution) {
    return solution.solved ? verdict(0, solution.values) : "unknown";
}

}  // namespace zermelo::game
