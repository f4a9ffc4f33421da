// Solving a game (Zermelo 1913): what each player gets under optimal play, by which first moves, and
// positional strategies (plans) that prove it.
//
// Three engines answer, and share next to no code. Attractors explore all states and work backwards; they
// handle cycles, any number of payoffs, and games of one, two or more players. Alpha-beta proves bounds
// depth first with a transposition table and visits a small part of the states; proof-number search expands
// what is easiest to prove. The last two need games without repetitions in which one player, or two with
// opposite interests, move in turn. That interests are opposite is proven from the rules
// (gdl/proof/constant_sum.hpp), or refuted by a play; where neither is possible, each player is asked for apart.
//
// `automatic` measures: it explores, and if all states have been seen after a while it works backwards;
// otherwise the size and shape of what was seen choose between the other two, and it returns to attractors
// when they refuse.

#pragma once

#include <functional>
#include <optional>

#include "core/distributed_search.hpp"
#include "game/graph/attractor.hpp"
#include "game/strategy/positional_strategy.hpp"
#include "gdl/game.hpp"
#include "model/model.hpp"

namespace zermelo::game {

enum class Engine : std::uint8_t { automatic, attractors, alpha_beta, proof_number };

[[nodiscard]] const char* name(
    Engine engine);  // as the command line calls it: auto, attractors, alpha-beta, proof-number

struct SolveProgress {
    const char* stage;        // exploring, proving, writing the plan
    std::uint64_t positions;  // so far
    std::size_t bytes;        // of the process
};

struct SolveOptions {
    Engine engine = Engine::automatic;
    Limits limits = {};
    unsigned threads = 0;  // 0: one a core
    std::size_t table_bytes = std::size_t{2} << 30;
    bool symmetry = true;  // GDL games of one player or two: symmetric states are one
    bool compiled =
        true;  // GDL games: search on words or compiled moves where possible, otherwise on the Stepper
    bool plans = true;        // also write the plans
    bool every_move = false;  // also tell what every move of the position is worth
    std::vector<std::string> line =
        {};  // moves by name, from the initial state: solve the position after them (no plans)
    std::string checkpoint = {};  // a file to continue from, written now and then
    double seconds_between_saves = 60;
    std::function<void(const SolveProgress&)> progress = {};
    // Processes that solve the same game together, by alpha-beta (core/distributed_search.hpp): all get the
    // values, the first of them also the best moves and plans.
    DistributedSearch* partners = nullptr;
};

struct MoveReport {
    std::string move;
    std::vector<int> values;   // by player, after this move
    std::optional<Rank> rank;  // moves to the end, where the engine knows it
    bool best = false;
};

struct SolveStatistics {
    std::uint64_t nodes = 0;  // positions entered; for attractors, states
    std::uint64_t peeks = 0;  // successors looked at without entering them
    std::uint64_t edges = 0;
    std::uint64_t table_hits = 0;
    std::uint64_t table_entries = 0;
    double bytes_per_state = 0;  // attractors: graph, index, ranks
    std::size_t symmetries = 1;
    unsigned threads = 1;
    double cpu_seconds = 0;       // in all
    double plan_cpu_seconds = 0;  // of these, for writing plans
};

struct Solution {
    bool solved = false;
    Stop stop = Stop::none;  // why not
    Engine engine = Engine::automatic;
    std::string reason;  // why this engine, a phrase
    std::vector<std::string> players;
    std::optional<Player> mover;  // of the position
    std::vector<int> values;      // by player
    // Of two players: it is proven that their goals always add up to 100. Where it is not, `values` are what each of them can
    // force alone, and these do.
    bool opposed = true;
    std::optional<Rank> rank;
    std::vector<MoveReport> moves;  // the best ones, or every one where asked for
    bool all_best = false;          // `moves` contains all best ones
    std::vector<Plan> plans;        // one, or one of each player; none for more players or other interests
    bool continued = false;         // from a checkpoint
    SolveStatistics statistics;
};

// Throw Error where the game cannot be solved (chance, simultaneous moves, broken rules), or not by the
// engine that was asked for.
[[nodiscard]] Solution solve(const gdl::Game& game, const SolveOptions& options = {});
[[nodiscard]] Solution solve(const Graph& graph, const SolveOptions& options = {});
[[nodiscard]] Solution solve(const model::Model& model, const SolveOptions& options = {});

// Identifies the rules in plan files: equal for equal texts, comments and layout aside.
[[nodiscard]] Hash128 rules_fingerprint(const gdl::Description& description);

// A verdict in a word, as seen from a player: "won", better than all others (alone: the full payoff), "lost",
// worse than one of them (alone: nothing), otherwise "drawn". Of a solution: as seen from the first player,
// and "unknown" where there is none.
[[nodiscard]] const char* verdict(Player player, const std::vector<int>& values);
[[nodiscard]] const char* verdict(const Solution& solution);

}  // namespace zermelo::game
