// zermelo bench play: playouts inside each player beside those of the bare machine, and what a second thread
// brings.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "cli/bench/bench.hpp"
#include "gdl/simulate.hpp"
#include "play/player_registry.hpp"

namespace zermelo::cli {

namespace {

// Playouts a second of a player that thinks about its first real choice.
double rate(const play::GameContext& rules, play::Shared& shared, const std::string& text, unsigned threads,
            double seconds) {
    play::Spec spec = play::read_spec(text);
    spec.threads = threads;
    std::vector<std::unique_ptr<play::Player>> players;
    for (const std::size_t role : rules.seats())
        players.push_back(play::make_player(spec, rules, {.role = role}, shared));
    play::InfoState info(rules);
    Random random(1);
    play::JointMove joint;
    play::State state = rules.machine().initial();
    for (info.load(state); !info.terminal(); info.load(state)) {
        play::random_moves(info, random, joint);
        for (std::size_t s = 0; s < players.size(); ++s) {
            if (info.legal(rules.seats()[s]).size() == 1) continue;
            (void)players[s]->choose({.deadline = play::Deadline::in(seconds)});
            const play::Thought& thought = players[s]->thought();
            return static_cast<double>(thought.playouts) / std::max(thought.seconds, 1e-9);
        }
        info.play(joint, state);
        for (std::size_t s = 0; s < players.size(); ++s) {
            const std::size_t role = rules.seats()[s];
            players[s]->see({.joint = joint, .own = joint[role], .percepts = info.percepts(role)});
        }
    }
    return 0;
}

}  // namespace

int BenchPlay::run() const {
    nlohmann::json rows = nlohmann::json::array();
    if (!json)
        std::cout << fmt::format("{:<22} {:>14}   {:<12} {:>12} {:>10} {:>12}\n", "game", "machine (/s)",
                                 "player", "(/s)", "of machine", "two threads");
    for (const std::string& file : files) {
        const gdl::Game game(file);
        const play::GameContext rules(game);
        play::Shared shared;
        const auto bare = gdl::simulate(game.machine(), {.seconds = seconds});
        const double machine = static_cast<double>(bare.tally.playouts) / std::max(bare.cpu_seconds, 1e-9);
        for (const std::string& player : players) {
            const double one = rate(rules, shared, player, 1, seconds);
            const double two = rate(rules, shared, player, 2, seconds);
            const double gain = one > 0 ? two / one : 0;
            rows.push_back({{"game", file},
                            {"machine_playouts_per_second", machine},
                            {"player", player},
                            {"playouts_per_second", one},
                            {"fraction", one / machine},
                            {"two_threads_gain", gain}});
            if (!json)
                std::cout << fmt::format("{:<22} {:>14}   {:<12} {:>12} {:>9.1f}% {:>11.2f}x\n",
                                         std::filesystem::path(file).stem().string(),
                                         count_text(static_cast<std::uint64_t>(machine)), player,
                                         count_text(static_cast<std::uint64_t>(one)), 100 * one / machine,
                                         gain)
                          << std::flush;
        }
    }
    if (json) print({{"seconds", seconds}, {"rows", rows}});
    return answered;
}

}  // namespace zermelo::cli
