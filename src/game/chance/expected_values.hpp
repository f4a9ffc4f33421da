// Expected values of all states of a graph with chance under best play: backward induction on the acyclic
// part, and on cycles strategy iteration (Howard 1960; Hoffman and Karp 1966) or value iteration with two
// sided bounds (Shapley 1953; Haddad and Monmege 2018).
//
// Turn-based stochastic games with payoffs at the end (Condon 1992; Everett 1957 for endless play that pays
// as much as neither wins) have values, and both players have positional strategies that are optimal. The
// strongly connected components of the graph are solved one after the other, successors first.
//
// `exact`: all values are rational numbers. In a component with cycles the moves are guessed by value
// iteration in floating point, the Markov chain that they make is solved by elimination in rationals, and
// moves are improved until none is better and nobody can gain by playing on for ever. This is given up where
// numbers grow too long.
//
// Otherwise: a lower and an upper bound for every state, multiples of 2^-52, rounded outwards. A lower bound
// starts below all payoffs and is raised to what the moves guarantee, so it is a bound after every step; the
// upper bound is the lower bound of the game with payoffs negated. Where a player gains by going round in
// circles, the bounds need not meet; they stay bounds.
//
// Players with other interests than `shared` and `opposed` maximise their own expected payoffs, which needs a
// graph without cycles. Among moves that are worth the same to whoever moves, the first is played.

#pragma once

#include "core/format/rational.hpp"
#include "game/chance/components.hpp"
#include "game/chance/interests.hpp"

namespace zermelo::game {

// Bounds are multiples of 2^-52.
using Grid = std::int64_t;
inline constexpr int grid_bits = 52;
[[nodiscard]] Rational from_grid(Grid value);

struct ExpectedValues {
    Interests interests = Interests::shared;
    bool exact = true;
    int twice_endless = 0;   // what endless play pays to the first player
    int sum_of_payoffs = 0;  // where interests are opposite
    std::size_t players = 1;
    // Exact: one number a state, the first player's, or one a player where each has interests of its own.
    // Zero where a state cannot be reached.
    std::vector<Rational> value;
    std::vector<Grid> low;  // otherwise, the first player's
    std::vector<Grid> high;
    std::vector<std::uint32_t> choice;  // by state of a player: the place of the move to play
    std::uint64_t sweeps = 0;           // over components with cycles
    std::size_t cyclic_states = 0;      // in components with cycles

    // What the player gets at least and at most; the same number where it is exact.
    [[nodiscard]] Rational lower(StateId state, Player player) const;
    [[nodiscard]] Rational upper(StateId state, Player player) const;
    // How far the bounds of the state are apart.
    [[nodiscard]] Rational width(StateId state) const { return upper(state, 0) - lower(state, 0); }
};

struct ExpectedValueOptions {
    Limits limits = {};
    bool exact = true;             // try it
    std::size_t most_bits = 4096;  // of a number
    std::uint64_t most_bits_in_all = std::uint64_t{1} << 32;
    std::uint64_t most_operations = 3'000'000;  // to solve one component
};

// Throws Error where several players move at once, and where players with interests of their own can play in
// circles or their numbers grow too long; LimitReached.
[[nodiscard]] ExpectedValues find_expected_values(const Graph& graph,
                                                  const ExpectedValueOptions& options = {});

// The best moves of a state of a player, by their places: all that are worth the same. Where values are not
// exact, those that may be best.
[[nodiscard]] std::vector<std::size_t> best_moves(const Graph& graph, const ExpectedValues& values,
                                                  StateId state);

}  // namespace zermelo::game
