// zermelo gdl info: the roles, size and features of a game, partly as random playouts show them.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <set>

#include "cli/gdl/gdl.hpp"
#include "core/random.hpp"
#include "gdl/analysis/invariants.hpp"
#include "gdl/syntax/check.hpp"

namespace zermelo::cli {

namespace {

// What random playouts show about the course of a game.
struct Observed {
    bool simultaneous = false;  // two roles had a choice at the same time
    bool constant_sum = true;   // the goals of all terminal states add up to the same
    std::uint64_t longest = 0;
    double branching = 0;  // choices a move, of the role that has most
    std::uint64_t playouts = 0;
};

Observed observe(const gdl::Machine& machine, const Limits& limits) {
    Observed seen;
    gdl::Runner runner(machine);
    Random random(1);
    std::set<int> sums;
    double choices = 0;
    std::uint64_t moves = 0;
    const double start = cpu_seconds();
    while (seen.playouts < 100 && cpu_seconds() - start < 1 && limits.reached() == Stop::none) {
        gdl::State state = machine.initial();
        gdl::JointMove joint(machine.roles());
        std::vector<gdl::MoveId> legal;
        std::uint64_t length = 0;
        bool stuck = false;
        for (runner.load(state); !runner.terminal() && !stuck && length < 10000;
             runner.load(state), ++length) {
            int choosing = 0;
            std::size_t most = 0;
            for (std::size_t r = 0; r < joint.size() && !stuck; ++r) {
                runner.legal(r, legal);
                stuck = legal.empty();
                if (stuck) break;
                choosing += legal.size() > 1 ? 1 : 0;
                most = std::max(most, legal.size());
                joint[r] = legal[random.below(legal.size())];
            }
            if (stuck) break;
            seen.simultaneous = seen.simultaneous || choosing > 1;
            choices += static_cast<double>(most);
            ++moves;
            runner.play(joint);
            runner.next(state);
        }
        ++seen.playouts;
        seen.longest = std::max(seen.longest, length);
        if (!runner.terminal()) continue;
        int sum = 0;
        for (std::size_t r = 0; r < machine.roles(); ++r) sum += std::max(0, runner.goal(r));
        sums.insert(sum);
    }
    seen.constant_sum = sums.size() <= 1;
    seen.branching = moves > 0 ? choices / static_cast<double>(moves) : 0;
    return seen;
}

int print_info(const GdlOptions& options) {
    const Limits bounds = options.limits.start();
    const gdl::Game game(options.file, options.grounding(bounds));
    warn_of_repairs(game.description());
    const gdl::Network& network = game.machine().network();
    const Observed seen = observe(game.machine(), bounds);
    const gdl::Invariants always = gdl::find_invariants(game.machine(), 20, bounds);
    std::size_t exclusive = 0;
    for (const auto& group : always.mutex_candidates) exclusive += group.size();
    const bool second = gdl::information(game.description()).is_gdl2();
    std::size_t moves = 0;
    for (const auto& role : network.moves) moves += role.size();
    const std::size_t loops = static_cast<std::size_t>(std::count_if(
        network.stretches.begin(), network.stretches.end(), [](const auto& s) { return s.loop; }));
    const std::size_t bytes = network.inputs.size() * sizeof(gdl::Signal) + network.nodes * 8;
    const gdl::SetUp& set_up = game.set_up();
    if (options.json) {
        print({{"file", options.file},
               {"roles", role_names(game)},
               {"language", second ? "GDL-II" : "GDL"},
               {"simultaneous", seen.simultaneous},
               {"constant_sum", seen.constant_sum},
               {"longest_sampled", seen.longest},
               {"sampled_playouts", seen.playouts},
               {"branching", seen.branching},
               {"fluents", network.fluents.size()},
               {"moves", moves},
               {"gates", network.gates()},
               {"inputs", network.inputs.size()},
               {"loops", loops},
               {"stay_true", always.stay_true.size()},
               {"stay_false", always.stay_false.size()},
               {"exclusive_groups", always.mutex_candidates.size()},
               {"exclusive_fluents", exclusive},
               {"ground_atoms", set_up.atoms},
               {"ground_rules", set_up.rules},
               {"network_bytes", bytes},
               {"setup_cpu_seconds", set_up.seconds()}});
        return answered;
    }
    std::cout << fmt::format("{}: {}, {} {}: {}\n", options.file, second ? "GDL-II" : "GDL",
                             network.roles.size(), network.roles.size() == 1 ? "role" : "roles",
                             fmt::join(role_names(game), ", "));
    std::cout << fmt::format(
        "  moves      {}, {:.1f} choices a move; in {} random playouts at most {} moves\n",
        seen.simultaneous ? "simultaneous" : "in turn", seen.branching, seen.playouts, seen.longest);
    std::cout << fmt::format("  goals      {} in all terminal states that were seen\n",
                             seen.constant_sum ? "add up to the same" : "do not add up to the same");
    std::cout << fmt::format("  ground     {} atoms, {} rules\n", count_text(set_up.atoms),
                             count_text(set_up.rules));
    std::cout << fmt::format("  network    {} fluents, {} moves, {} gates with {} inputs, {} loops, {} KiB\n",
                             count_text(network.fluents.size()), count_text(moves),
                             count_text(network.gates()), count_text(network.inputs.size()), loops,
                             count_text(bytes / 1024));
    std::cout << fmt::format(
        "  fluents    {} stay true once they are, {} stay false; {} are in {} groups of which at most one "
        "was seen to hold\n",
        count_text(always.stay_true.size()), count_text(always.stay_false.size()), count_text(exclusive),
        always.mutex_candidates.size());
    std::cout << fmt::format("  set-up     {:.3f} s\n", set_up.seconds());
    return answered;
}

}  // namespace

Command add_gdl_info(CLI::App& gdl) {
    auto* command = add_gdl_command(gdl, "info", "Show the roles, size, features and set-up time of a game",
                                    "zermelo gdl info games/gdl/tic-tac-toe.kif");
    auto options = std::make_shared<GdlOptions>();
    options->add_to(*command);
    return {command, [options] { return print_info(*options); }};
}

}  // namespace zermelo::cli
