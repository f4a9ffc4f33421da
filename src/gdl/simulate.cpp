#include "gdl/simulate.hpp"

#include "core/random.hpp"
#include "gdl/compiled/compiled_rules.hpp"
#include "gdl/stepping.hpp"

namespace zermelo::gdl {

namespace {

constexpr double trial_seconds = 0.02;
constexpr std::size_t lengths_kept = 1024;

// Random playouts, one at a time.
template <Stepping S>
class RandomPlayout {
public:
    RandomPlayout(S& rules, std::size_t roles, const SimulateOptions& options)
        : rules_(rules), options_(options), random_(options.seed), joint_(roles) {}

    // False where a role had no move, or it took too long, or `stop` is set.
    bool run(const typename S::State& initial, std::uint64_t& moves, Stop& stop) {
        rules_.load(initial);
        while (!rules_.terminal()) {
            if (!choose()) return false;
            stop = options_.limits.reached();
            if (moves == options_.most_moves || stop != Stop::none) return false;
            ++moves;
            rules_.play(joint_);
            if constexpr (requires { rules_.advance(); }) {
                rules_.advance();
            } else {
                rules_.next(state_);
                rules_.load(state_);
            }
        }
        return true;
    }

private:
    bool choose() {
        for (std::size_t r = 0; r < joint_.size(); ++r) {
            if constexpr (requires { rules_.random_move(r, random_); }) {
                joint_[r] = rules_.random_move(r, random_);
                if (joint_[r] == S::no_move) return false;
            } else {
                rules_.legal(r, legal_);
                if (legal_.empty()) return false;
                joint_[r] = legal_[random_.below(legal_.size())];
            }
        }
        return true;
    }

    S& rules_;
    const SimulateOptions& options_;
    Random random_;
    typename S::State state_;
    JointMove joint_;
    std::vector<MoveId> legal_;
};

template <Stepping S>
Simulation run_one_by_one(S& rules, std::size_t roles, const typename S::State& initial,
                          const SimulateOptions& options, Engine engine) {
    constexpr std::uint64_t states_between_looks = 256;  // at the clock
    Simulation result;
    result.engine = engine;
    Tally& tally = result.tally;
    tally.goals.assign(roles, 0);
    tally.lengths.assign(lengths_kept, 0);
    RandomPlayout playout(rules, roles, options);
    std::uint64_t look_at = 0;
    const double start = cpu_seconds();
    const auto enough = [&] {
        if (options.playouts != 0) return tally.playouts + tally.stuck >= options.playouts;
        if (tally.states + tally.stuck < look_at) return false;
        look_at = tally.states + tally.stuck + states_between_looks;
        return cpu_seconds() - start >= options.seconds;
    };
    while (result.stop == Stop::none && !enough()) {
        std::uint64_t moves = 0;
        const bool ended = playout.run(initial, moves, result.stop);
        tally.states += moves;
        if (result.stop != Stop::none) break;
        if (!ended) {
            ++tally.stuck;
            continue;
        }
        ++tally.playouts;
        tally.length += moves;
        ++tally.lengths[std::min<std::size_t>(moves, lengths_kept - 1)];
        for (std::size_t r = 0; r < roles; ++r) tally.goals[r] += std::max(0, rules.goal(r));
        // An initial state that is terminal makes no states; the clock is looked at all the same.
        if (moves == 0) look_at = 0;
    }
    result.cpu_seconds = cpu_seconds() - start;
    return result;
}

Simulation run_interpreter(const Machine& machine, const SimulateOptions& options, Engine engine) {
    Runner runner(machine);
    return run_one_by_one(runner, machine.roles(), machine.initial(), options, engine);
}

Simulation run_compiled(const CompiledRules& rules, const Machine& machine, const SimulateOptions& options) {
    CompiledRunner runner(rules);
    Simulation result = run_one_by_one(runner, machine.roles(), machine.initial(), options, Engine::scalar);
    result.compiled = true;
    return result;
}

double speed(const Simulation& simulation) {
    return static_cast<double>(simulation.tally.states) / std::max(simulation.cpu_seconds, 1e-9);
}

SimulateOptions trial_of(const SimulateOptions& options) {
    SimulateOptions trial = options;
    trial.playouts = 0;
    trial.seconds = trial_seconds;
    return trial;
}

Simulation run_scalar(const Machine& machine, const SimulateOptions& options) {
    const double start = cpu_seconds();
    const auto rules = CompiledRules::compile(machine);
    const double compile_seconds = cpu_seconds() - start;
    if (!rules) return run_interpreter(machine, options, Engine::scalar);
    const SimulateOptions trial = trial_of(options);
    const bool faster =
        speed(run_compiled(*rules, machine, trial)) > speed(run_interpreter(machine, trial, Engine::scalar));
    Simulation result =
        faster ? run_compiled(*rules, machine, options) : run_interpreter(machine, options, Engine::scalar);
    result.compile_seconds = compile_seconds;
    return result;
}

// Playouts are started until the time is up or enough have been, and then all of them are finished: counting
// only those that end in time would favour short ones.
Simulation run_bitsliced(const Machine& machine, const SimulateOptions& options) {
    Simulation result;
    result.engine = Engine::sliced;
    result.tally.goals.assign(machine.roles(), 0);
    result.tally.lengths.assign(lengths_kept, 0);
    const double start = cpu_seconds();
    const auto playouts = BitslicedPlayouts::make(machine, options.seed);
    result.lanes = playouts->lanes();
    playouts->start(machine.initial());
    const auto enough = [&] {
        return options.playouts != 0 ? result.tally.playouts + playouts->lanes() >= options.playouts
                                     : cpu_seconds() - start >= options.seconds;
    };
    while (result.stop == Stop::none && !enough()) {
        for (int i = 0; i < 4; ++i) playouts->step(result.tally);
        result.stop = options.limits.reached();
    }
    for (std::uint64_t moves = 0; result.stop == Stop::none && moves < options.most_moves; moves += 64) {
        if (playouts->drain(result.tally, 64)) break;
        result.stop = options.limits.reached();
    }
    result.cpu_seconds = cpu_seconds() - start;
    return result;
}

}  // namespace

Simulation simulate(const Machine& machine, const SimulateOptions& options) {
    SimulateOptions chosen = options;
    if (options.engine == Engine::automatic) {
        if (machine.initial().empty()) {
            chosen.engine = Engine::scalar;
        } else {
            const SimulateOptions trial = trial_of(options);
            chosen.engine = speed(run_bitsliced(machine, trial)) > speed(run_scalar(machine, trial))
                                ? Engine::sliced
                                : Engine::scalar;
        }
    }
    if (chosen.engine == Engine::sliced) return run_bitsliced(machine, chosen);
    if (chosen.engine == Engine::interpreter) return run_interpreter(machine, chosen, Engine::interpreter);
    return run_scalar(machine, chosen);
}

Simulation simulate(Reasoner& reasoner, const SimulateOptions& options) {
    return run_one_by_one(reasoner, reasoner.roles().size(), reasoner.initial(), options, Engine::reasoner);
}

}  // namespace zermelo::gdl
