// Advisers: what to play in a position. They move for the program, and give hints to a person.
//
// A game whose states are few is explored once, and then played perfectly. Any other is searched anew at
// every move by alpha-beta within a time, with a heuristic (GDL), or none.

#pragma once

#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/solve/heuristics.hpp"
#include "core/random.hpp"
#include "game/explore/explore.hpp"
#include "game/graph/values.hpp"
#include "game/search/alphabeta.hpp"
#include "game/views/gdl_game.hpp"

namespace zermelo::cli {

struct AdviserOptions {
    std::string engine = "auto";  // auto, attractors, alpha-beta, random
    double seconds = 1;           // for each move; with auto, also for the exploration
    std::uint64_t seed = 1;
    std::string heuristic = "learned";  // of games in GDL: learned, lines, or an expression
};

template <game::Game G>
struct Position {
    typename G::State state;
    std::vector<std::size_t> line;  // the moves that led to it
    game::Player mover;
    std::size_t moves;
};

template <game::Game G>
class Adviser {
public:
    virtual ~Adviser() = default;
    [[nodiscard]] virtual std::size_t choose(const Position<G>& position) = 0;
    [[nodiscard]] virtual std::string about() const = 0;  // how it plays
};

template <game::Game G>
class RandomAdviser : public Adviser<G> {
public:
    explicit RandomAdviser(std::uint64_t seed) : random_(seed) {}
    std::size_t choose(const Position<G>& position) override { return random_.below(position.moves); }
    [[nodiscard]] std::string about() const override { return "plays random moves"; }

private:
    Random random_;
};

template <game::Game G>
class PerfectAdviser : public Adviser<G> {
public:
    PerfectAdviser(game::Graph graph, game::Values values)
        : graph_(std::move(graph)), values_(std::move(values)) {}
    std::size_t choose(const Position<G>& position) override {
        game::StateId at = graph_.initial;
        for (const std::size_t move : position.line) at = graph_.successors(at)[move];
        return game::choose(graph_, values_, at);
    }
    [[nodiscard]] std::string about() const override {
        return fmt::format("plays perfectly, it knows all {} states", count_text(graph_.states()));
    }

private:
    game::Graph graph_;
    game::Values values_;
};

template <game::Game G, class Heuristic>
class SearchingAdviser : public Adviser<G> {
public:
    SearchingAdviser(G& game, Heuristic heuristic, std::string with, double seconds)
        : game_(game), heuristic_(std::move(heuristic)), with_(std::move(with)), seconds_(seconds) {}
    std::size_t choose(const Position<G>& position) override {
        const auto found = search(position, seconds_);
        return found.best.value_or(0);
    }
    // From where the mover stands.
    [[nodiscard]] game::AlphaBetaResult search(const Position<G>& position, double seconds) {
        game::Walker<G> walk(game_, position.state);
        game::AlphaBeta<game::Walker<G>, Heuristic> alphabeta(walk, position.mover, heuristic_);
        return alphabeta.search(Limits(seconds, std::nullopt));
    }
    [[nodiscard]] std::string about() const override {
        return fmt::format("plays alpha-beta {}, {} a move", with_, seconds_text(seconds_));
    }

private:
    G& game_;
    Heuristic heuristic_;
    std::string with_;
    double seconds_;
};

// Throws Error where somebody other than a single player moves: in the terminal it goes in turns.
inline void require_turns_in_terminal(game::Turn::Kind kind) {
    const char* remedy = "choose a game without dice in which one player moves at a time";
    if (kind == game::Turn::Kind::chance)
        throw Error("this game has chance moves, which are not supported here", remedy);
    if (kind == game::Turn::Kind::simultaneous)
        throw Error("this game has simultaneous moves, which are not supported here", remedy);
}

// Nothing where the states are too many for the limits, or the values cannot be found this way.
template <game::Game G>
[[nodiscard]] std::unique_ptr<Adviser<G>> perfect_adviser(G& game, const game::ExploreOptions& options) {
    game::Exploration explored = game::explore(game, options);
    if (!explored.complete) return nullptr;
    for (game::StateId s = 0; s < explored.graph.states(); ++s)
        require_turns_in_terminal(explored.graph.turn(s).kind);
    game::Values values = game::find_values(explored.graph, options.limits);
    return std::make_unique<PerfectAdviser<G>>(std::move(explored.graph), std::move(values));
}

// `rules` is null where the game is none in GDL.
template <game::Game G>
[[nodiscard]] std::unique_ptr<Adviser<G>> searching_adviser(G& game, const gdl::Game* rules,
                                                            const AdviserOptions& options) {
    if (rules == nullptr) {
        return std::make_unique<SearchingAdviser<G, game::ZeroHeuristic>>(
            game, game::ZeroHeuristic{}, "without a heuristic", options.seconds);
    }
    if constexpr (std::same_as<G, game::GdlGame>) {
        const NamedHeuristic named =
            heuristic_named(options.heuristic, *rules, options.seed, options.seconds);
        using OnState = game::OnState<decltype(named.judge)>;
        return std::make_unique<SearchingAdviser<G, OnState>>(game, OnState{named.judge}, named.about,
                                                              options.seconds);
    }
    return nullptr;
}

template <game::Game G>
[[nodiscard]] std::unique_ptr<Adviser<G>> make_adviser(G& game, const gdl::Game* rules,
                                                       const AdviserOptions& options) {
    if (options.engine == "random") return std::make_unique<RandomAdviser<G>>(options.seed);
    if (options.engine == "alpha-beta") return searching_adviser(game, rules, options);
    game::ExploreOptions exploring;
    if (options.engine == "attractors") {
        if (auto adviser = perfect_adviser(game, exploring)) return adviser;
        throw LimitReached(exploring.limits.reached(), "while exploring the states",
                           "choose --engine alpha-beta");
    }
    exploring.limits = Limits(options.seconds, std::nullopt);
    try {
        if (auto adviser = perfect_adviser(game, exploring)) return adviser;
    } catch (const LimitReached&) {
        // Too many states for so short a time: searching needs none of them.
    }
    return searching_adviser(game, rules, options);
}

}  // namespace zermelo::cli
