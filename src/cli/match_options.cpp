#include "cli/match_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/processes.hpp"
#include "cli/usage/values.hpp"
#include "cluster/tournament.hpp"
#include "core/clock.hpp"
#include "gdl/game.hpp"
#include "play/player_registry.hpp"
#include "scsp/mac.hpp"

namespace zermelo::cli {

void MatchSettings::add_to(CLI::App& app) {
    app.add_option("--clock", clock, "seconds per move (default: 1, or no limit if --playouts is given)")
        ->check(between(0.0001, 1e6));
    app.add_option("--start-clock", plan.start_clock, "seconds to prepare before the first move")
        ->check(between(0.0, 1e6))
        ->capture_default_str();
    app.add_flag(
        "--cpu-clock", plan.cpu_clock,
        "count the CPU time of this process, so that other work of the machine takes no time from the "
        "players; one match at a time");
    app.add_option("--playouts", plan.playouts, "playouts per move, instead of or in addition to a clock")
        ->check(between(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    app.add_option("--seed", plan.seed, "random seed of the matches")->capture_default_str();
    app.add_option("--memory", memory, "memory per player, for example 64M")->capture_default_str();
    app.add_option("--parallel", parallel,
                   "number of matches at the same time (default: as many as the cores allow)")
        ->check(between(1, 1024));
    net.add_to(app);
    add_grace(app);
    app.add_flag("--check", plan.check, "check every step of every match with the reference reasoner");
}

void MatchSettings::add_grace(CLI::App& app) {
    app.add_option("--grace", remote.grace,
                   "seconds of network delay allowed to remote players beyond the clocks")
        ->check(between(0.0, 1e6))
        ->capture_default_str();
}

arena::Plan MatchSettings::complete() const {
    arena::Plan result = plan;
    result.clock = clock.value_or(plan.playouts > 0 ? 0.0 : 1.0);
    result.memory = memory_amount("--memory", memory);
    result.players = net.applied(plan.players);
    return result;
}

arena::TournamentOptions MatchSettings::options() const {
    arena::TournamentOptions result;
    result.parallel = parallel;
    const auto field = std::make_shared<ggp::RemoteRegistry>(remote);
    result.make = [field](auto&&... order) { return field->make_player(order...); };
    return result;
}

namespace {

// What is worth knowing of the games before they are played. Players that take a turn for a micro-SCSP say where this
// is not all there is to it.
void warn_before_playing(const arena::Matches& matches) {
    for (std::size_t g = 0; g < matches.plan().games.size(); ++g)
        warn_of_repairs(matches.rules(g).game().description());
    if (matches.ponder_on_shared_cores())
        fmt::print(
            stderr,
            "there are too few cores for players with ponder=1: they take time from the others; play fewer "
            "matches at once (--parallel), or with fewer threads\n");
    constexpr double proof_seconds = 1;
    const bool concerned = std::ranges::any_of(
        matches.players(), [](const play::Spec& player) { return player.name.starts_with("mac-ucb"); });
    if (!concerned) return;
    const std::vector<std::string>& files = matches.plan().games;
    for (std::size_t g = 0; g < files.size(); ++g) {
        const gdl::Game& game = matches.rules(g).game();
        const gdl::Network& network = game.machine().network();
        const Limits limits(proof_seconds, std::nullopt);
        const scsp::SharedInformation found = scsp::shared_information(network, {}, limits);
        if (found.shared) continue;
        fmt::print(stderr,
                   "{}: {} may see {} but {} does not, so a turn is not one micro-SCSP for both; MAC-UCB "
                   "searches over its own belief\n",
                   files[g], game.text(network.roles[found.seer]), game.text(found.percept),
                   game.text(network.roles[found.other]));
    }
}

}  // namespace

arena::TournamentResult run_with_progress(const arena::Plan& plan, arena::TournamentOptions options,
                                          arena::Record* record, const std::string& title) {
    ggp::check_players(plan);
    options.ready = warn_before_playing;
    Clock::count_cpu_time(plan.cpu_clock);
    ProgressLine line;
    options.progress = [&](const arena::Progress& progress, const arena::MatchResult&) {
        line.show(fmt::format("{}{}{} of {} matches", title, title.empty() ? "" : ": ",
                              count_text(progress.finished), count_text(progress.scheduled)),
                  {progress.finished, progress.scheduled});
    };
    auto result = cluster::run(processes(), plan, options, record);
    line.clear();
    return result;
}

int exit_code(const arena::TournamentResult& result) {
    if (result.stop != Stop::none) return exit_code(result.stop);
    for (const arena::MatchResult& match : result.matches) {
        if (!match.error.empty()) return check_failed;
        for (const arena::SeatResult& seat : match.seats) {
            if (seat.illegal > 0) return check_failed;
        }
    }
    return answered;
}

}  // namespace zermelo::cli
