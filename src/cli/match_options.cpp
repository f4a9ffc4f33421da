#include "cli/match_options.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

#include "cli/processes.hpp"
#include "cluster/tournament.hpp"
#include "gdl/game.hpp"
#include "ggp/remote_registry.hpp"
#include "play/player_registry.hpp"
#include "scsp/mac.hpp"

namespace zermelo::cli {

void MatchSettings::add_to(CLI::App& app) {
    app.add_option("--clock", clock, "seconds for a move (default: 1, or none where playouts are given)")
        ->check(CLI::Range(0.0001, 1e6));
    app.add_option("--start-clock", plan.start_clock, "seconds for preparation before the first move")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
    app.add_option("--playouts", plan.playouts, "playouts for a move, instead of a clock or beside it")
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
    app.add_option("--seed", plan.seed, "another seed, other matches")->capture_default_str();
    app.add_option("--memory", memory, "for each player, such as 64M")->capture_default_str();
    app.add_option("--parallel", parallel, "matches at once (default: as many as have cores of their own)")
        ->check(CLI::Range(1, 1024));
    add_grace(app);
    app.add_flag("--check", plan.check, "have the reasoner follow every match: it has to agree");
}

void MatchSettings::add_grace(CLI::App& app) {
    app.add_option("--grace", grace,
                   "seconds that the way to players on the network may take beyond the clocks")
        ->check(CLI::Range(0.0, 1e6))
        ->capture_default_str();
}

arena::Plan MatchSettings::complete() const {
    arena::Plan result = plan;
    result.clock = clock.value_or(plan.playouts > 0 ? 0.0 : 1.0);
    result.memory = memory_amount("--memory", memory);
    return result;
}

arena::TournamentOptions MatchSettings::options(const Limits& limits) const {
    arena::TournamentOptions result;
    result.parallel = parallel;
    result.limits = limits;
    const auto field = std::make_shared<ggp::RemoteRegistry>(ggp::RemoteRegistryOptions{.grace = grace});
    result.make = [field](auto&&... order) { return field->make_player(order...); };
    return result;
}

namespace {

// Players that take a turn for a micro-SCSP say where this is not all there is to it.
void warn_outside_fragment(const arena::Matches& matches) {
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
                   "{}: {} may see {} and {} not, so a turn is no micro-SCSP for both; MAC-UCB goes by what "
                   "each role knows\n",
                   files[g], game.text(network.roles[found.seer]), game.text(found.percept),
                   game.text(network.roles[found.other]));
    }
}

}  // namespace

arena::TournamentResult run_with_progress(const arena::Plan& plan, arena::TournamentOptions options,
                                          arena::Record* record, const std::string& title) {
    ggp::check_players(plan);
    options.ready = warn_outside_fragment;
    ProgressLine line;
    options.progress = [&](const arena::Progress& progress, const arena::MatchResult&) {
        line.show(fmt::format("{}{}{} of {} matches", title, title.empty() ? "" : ": ",
                              count_text(progress.finished), count_text(progress.scheduled)));
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
