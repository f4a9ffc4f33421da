// Solving a game with chance: the expected payoffs under best play, the best first moves, and policies that
// prove them (policy.hpp).
//
// Value iteration lists all states and computes values backwards (expected_values.hpp); expectimax searches
// depth first with a table and refuses plays that come back to a state. Both work on the belief-state game
// (views/belief_game.hpp), so facts may be hidden as long as all players know the same.

#pragma once

#include "game/chance/policy.hpp"
#include "game/solve.hpp"

namespace zermelo::game {

enum class ChanceEngine : std::uint8_t { automatic, expectimax, value_iteration };
[[nodiscard]] const char* name(ChanceEngine engine);  // auto, expectimax, value-iteration

struct ChanceOptions {
    ChanceEngine engine = ChanceEngine::automatic;
    Limits limits = {};
    unsigned threads = 0;     // 0: one a core
    bool policies = true;     // also write the policies
    bool every_move = false;  // also tell what every move of the position is worth
    // Moves by name from the initial state, those of chance among them (no policies).
    std::vector<std::string> line = {};
    const gdl::State* from = nullptr;  // a state that all players know, to start from (GDL, no policies)
    std::function<void(const SolveProgress&)> progress = {};
    ExpectedValueOptions values = {};  // its limits are not used
};

// What somebody expects: between two numbers, or exactly one.
struct Expectation {
    Rational low;
    Rational high;
    [[nodiscard]] bool exact() const { return low == high; }
    [[nodiscard]] double number() const { return static_cast<double>((low + high) / 2); }
    friend bool operator==(const Expectation&, const Expectation&) = default;
};

struct ChanceMove {
    std::string move;
    std::vector<Expectation> values;  // by player, after this move
    bool best = false;
    std::optional<double> probability = {};  // where chance moves
};

struct ChanceSolution {
    bool solved = false;
    Stop stop = Stop::none;  // why not
    ChanceEngine engine = ChanceEngine::automatic;
    std::vector<std::string> players;
    Interests interests = Interests::shared;
    std::optional<Player> mover;  // of the position; nobody where chance moves
    bool over = false;
    std::vector<Expectation> values;  // by player
    std::vector<ChanceMove> moves;    // the best ones, or every one where asked for
    std::vector<ChancePolicy> policies;
    std::uint64_t states = 0;
    std::uint64_t edges = 0;
    std::size_t cyclic_states = 0;  // in cycles
    std::uint64_t sweeps = 0;
    double bytes_per_state = 0;

    [[nodiscard]] bool exact() const {
        return std::ranges::all_of(values, [](const Expectation& value) { return value.exact(); });
    }
};

// Whether the description has the role `random`.
[[nodiscard]] bool has_chance(const gdl::Game& game);
[[nodiscard]] bool has_chance(const Graph& graph);

// Throw Error where the game cannot be solved: several players move at once, players know different things,
// broken rules.
[[nodiscard]] ChanceSolution solve_chance(const gdl::Game& game, const ChanceOptions& options = {});
[[nodiscard]] ChanceSolution solve_chance(const Graph& graph, const ChanceOptions& options = {});

// As for games without chance, on expected payoffs: "won" where the first player expects more than all others
// (alone: the full payoff), "lost" where less than one of them (alone: nothing), "drawn" otherwise, and
// "unknown" where it is not solved or the bounds do not tell.
[[nodiscard]] const char* verdict(const ChanceSolution& solution);

}  // namespace zermelo::game
