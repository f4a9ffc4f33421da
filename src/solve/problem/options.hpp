// SolveOptions: what may be asked of solve(), whatever the problem and the engine.
//
// Left alone, every setting has a good default. Settings that only some engines know are ignored by the
// others; front ends that take them from a person refuse them where they have no meaning.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/agreement.hpp"
#include "encode/quantify.hpp"
#include "game/solve.hpp"
#include "quantified/solve.hpp"
#include "stochastic/solve.hpp"

namespace zermelo {

enum class Engine : std::uint8_t {
    automatic,   // models: quantified, qcdcl for clauses without gates, or MAC where there is chance; games:
                 // whichever forward engine suits
    forward,     // whichever forward engine suits, also for models
    attractors,  // all states, then retrograde analysis
    alpha_beta,  // exact alpha-beta with a transposition table
    proof_number,      // proof-number search
    quantified,        // quantified search; a game in GDL is encoded as a QCSP+
    qcdcl,             // quantified Boolean formulas by learning clauses and cubes
    strategic,         // quantified search; a game in GDL is encoded as a strategic CSP
    mac,               // models with chance, also of games: maintaining arc consistency stage by stage
    forward_checking,  // models with chance, also of games: forward checking
    expectimax,        // games with chance: depth first with a table
    value_iteration,   // games with chance: all states, then backwards
    equilibrium,       // games with simultaneous or hidden moves: mixed strategies
};

// As people write it: auto, forward, attractors, alpha-beta, proof-number, quantified, qcdcl, strategic, mac,
// fc, expectimax, value-iteration, equilibrium.
[[nodiscard]] const char* name(Engine engine);
[[nodiscard]] std::optional<Engine> engine_named(const std::string& name);
[[nodiscard]] std::vector<std::string> engine_names();

[[nodiscard]] bool is_forward(Engine engine);     // works on the forward view, move by move
[[nodiscard]] bool is_stochastic(Engine engine);  // for models with chance, also of games in GDL
[[nodiscard]] bool is_chance(Engine engine);      // for games with chance

struct SolveProgress {
    std::string text;        // exploring: 1,234,567 positions
    std::uint64_t work = 0;  // positions, states or nodes so far
};

struct SolveOptions {
    Engine engine = Engine::automatic;
    Limits limits = {};
    std::optional<unsigned> threads = {};  // 0: one a core; default: 0 for games, 1 for models
    std::optional<bool> symmetry = {};  // symmetric positions are one; default: yes for games, no for models
    bool certificate = true;            // build the strategies that prove the verdict
    bool all_first_moves = false;       // find every best first move, not just one
    std::size_t table_bytes = std::size_t{2} << 30;  // forward engines: the transposition table
    std::string checkpoint = {};                     // forward engines: a file to continue from
    double seconds_between_saves = 60;
    std::vector<std::string> line = {};  // forward engines: the moves that lead to the position, by name
    std::optional<gdl::State> from =
        {};  // games with chance in GDL: a state that all know, to start from instead

    quantified::SolveOptions search =
        {};  // quantified search: orders, goods, cuts …; limits and the like are set here

    // A game in GDL as a model: can the role force a goal of at least the threshold within the horizon?
    std::string role = {};                    // empty: the first
    std::optional<int> threshold = {};        // none: the greatest goal is sought
    std::optional<std::size_t> horizon = {};  // none: the longest play

    bool best_policy =
        false;  // models with chance: the best policy, even where one that reaches the thresholds would do

    std::function<void(const SolveProgress&)> progress = {};  // called now and then

    // Several processes that solve the same problem together (src/cluster). `partners` divide one search.
    // `agree` is called after work that every process has to do for itself, and throws LimitReached where one
    // of them was stopped.
    DistributedSearch* partners = nullptr;
    Agreement agree = {};
    // Solves a model; the default is quantified search in this process.
    std::function<quantified::Answer(const model::Model&, const quantified::SolveOptions&)> search_model = {};
};

// The options of one kind of engine.
[[nodiscard]] game::SolveOptions forward_options(const SolveOptions& options);
[[nodiscard]] quantified::SolveOptions quantified_options(const SolveOptions& options);
[[nodiscard]] stochastic::SolveOptions stochastic_options(const SolveOptions& options,
                                                          const stochastic::StochasticModel& model);

}  // namespace zermelo
