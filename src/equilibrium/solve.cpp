#include "equilibrium/solve.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "equilibrium/backward_induction.hpp"
#include "equilibrium/sequence_form.hpp"
#include "gdl/syntax/check.hpp"

namespace zermelo::equilibrium {

namespace {

constexpr int probe_steps = 512;

// In some random plays.
bool several_move_at_once(const gdl::Machine& machine, const std::vector<bool>& chance) {
    gdl::Runner runner(machine);
    Random random(1);
    gdl::State state = machine.initial();
    gdl::JointMove joint(machine.roles());
    std::vector<gdl::MoveId> legal;
    for (int step = 0; step < probe_steps; ++step) {
        runner.load(state);
        if (runner.terminal()) {
            state = machine.initial();
            continue;
        }
        int choosing = 0;
        for (std::size_t r = 0; r < joint.size(); ++r) {
            runner.legal(r, legal);
            if (legal.empty()) return false;
            if (!chance[r] && legal.size() > 1) ++choosing;
            joint[r] = legal[random.below(legal.size())];
        }
        if (choosing > 1) return true;
        runner.play(joint);
        runner.next(state);
    }
    return false;
}

}  // namespace

bool calls_for_equilibrium(const gdl::Game& game) {
    const gdl::Network& network = game.machine().network();
    std::vector<bool> chance;
    for (const gdl::TermId role : network.roles) chance.push_back(game.text(role) == "random");
    if (std::ranges::count(chance, false) != 2) return false;
    const bool differently =
        has_percepts(game.description()) && gdl::information(game.description()).sharing != gdl::Sharing::yes;
    return differently || several_move_at_once(game.machine(), chance);
}

Solution solve(const gdl::Game& game, const SolveOptions& options) {
    const bool hidden = has_percepts(game.description());
    const LimitScope scope(options.limits);
    try {
        return hidden ? solve_by_sequence_form(game, options) : solve_by_backward_induction(game, options);
    } catch (const LimitReached& limit) {
        Solution none;
        none.method = hidden ? Method::sequence_form : Method::backward_induction;
        none.stop = limit.stop();
        return none;
    }
}

}  // namespace zermelo::equilibrium
