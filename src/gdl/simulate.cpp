#include "gdl/simulate.hpp"

#include "core/random.hpp"
#include "gdl/stepping.hpp"

namespace zermelo::gdl {

namespace {

constexpr double trial_seconds = 0.02;
constexpr std::size_t lengths_kept = 1024;

template <Stepping S>
Simulation run_one_by_one(S& rules, std::size_t roles, const typename S::State& initial,
                          const SimulateOptions& options, Engine engine) {
    Simulation result;
    result.engine = engine;
    Tally& tally = result.tally;
    tally.goals.assign(roles, 0);
    tally.lengths.assign(lengths_kept, 0);
    Random random(options.seed);
    typename S::State state;
    JointMove joint(roles);
    std::vector<MoveId> legal;
    const double start = cpu_seconds();
    const auto enough = [&] {
        return options.playouts != 0 ? tally.playouts + tally.stuck >= options.playouts
                                     : cpu_seconds() - start >= options.seconds;
    };
    while (result.stop == Stop::none && !enough()) {
        state = initial;
        std::uint64_t moves = 0;
        bool stuck = false;
        for (rules.load(state); !rules.terminal(); rules.load(state)) {
            for (std::size_t r = 0; r < roles && !stuck; ++r) {
                rules.legal(r, legal);
                stuck = legal.empty();
                if (!stuck) joint[r] = legal[random.below(legal.size())];
            }
            result.stop = options.limits.reached();
            if (stuck || moves == options.most_moves || result.stop != Stop::none) break;
            ++moves;
            rules.play(joint);
            rules.next(state);
        }
        tally.states += moves;
        if (result.stop != Stop::none) break;
        if (!rules.terminal()) {
            ++tally.stuck;
            continue;
        }
        ++tally.playouts;
        tally.length += moves;
        ++tally.lengths[std::min<std::size_t>(moves, lengths_kept - 1)];
        for (std::size_t r = 0; r < roles; ++r) tally.goals[r] += std::max(0, rules.goal(r));
    }
    result.cpu_seconds = cpu_seconds() - start;
    return result;
}

Simulation run_scalar(const Machine& machine, const SimulateOptions& options) {
    Runner runner(machine);
    return run_one_by_one(runner, machine.roles(), machine.initial(), options, Engine::scalar);
}

// Playouts are started until the time is up or enough have been, and then all of them are finished: counting
// only those that end in time would favour short ones.
Simulation run_sliced(const Machine& machine, const SimulateOptions& options) {
    Simulation result;
    result.engine = Engine::sliced;
    result.tally.goals.assign(machine.roles(), 0);
    result.tally.lengths.assign(lengths_kept, 0);
    const double start = cpu_seconds();
    const auto slices = BitslicedPlayouts::make(machine, options.seed);
    result.lanes = slices->lanes();
    slices->start(machine.initial());
    const auto enough = [&] {
        return options.playouts != 0 ? result.tally.playouts + slices->lanes() >= options.playouts
                                     : cpu_seconds() - start >= options.seconds;
    };
    while (result.stop == Stop::none && !enough()) {
        for (int i = 0; i < 4; ++i) slices->step(result.tally);
        result.stop = options.limits.reached();
    }
    for (std::uint64_t moves = 0; result.stop == Stop::none && moves < options.most_moves; moves += 64) {
        if (slices->drain(result.tally, 64)) break;
        result.stop = options.limits.reached();
    }
    result.cpu_seconds = cpu_seconds() - start;
    return result;
}

double speed(const Simulation& simulation) {
    return static_cast<double>(simulation.tally.states) / std::max(simulation.cpu_seconds, 1e-9);
}

}  // namespace

Simulation simulate(const Machine& machine, const SimulateOptions& options) {
    SimulateOptions chosen = options;
    if (options.engine == Engine::automatic) {
        if (machine.initial().empty()) {
            chosen.engine = Engine::scalar;
        } else {
            SimulateOptions trial = options;
            trial.playouts = 0;
            trial.seconds = trial_seconds;
            chosen.engine = speed(run_sliced(machine, trial)) > speed(run_scalar(machine, trial))
                                ? Engine::sliced
                                : Engine::scalar;
        }
    }
    return chosen.engine == Engine::sliced ? run_sliced(machine, chosen) : run_scalar(machine, chosen);
}

Simulation simulate(Reasoner& reasoner, const SimulateOptions& options) {
    return run_one_by_one(reasoner, reasoner.roles().size(), reasoner.initial(), options, Engine::reasoner);
}

}  // namespace zermelo::gdl
