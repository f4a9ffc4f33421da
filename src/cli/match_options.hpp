// What match and tournament share: the options of a contest, its progress, and how it ended.

#pragma once

#include <CLI/CLI.hpp>

#include "arena/standings.hpp"
#include "arena/tournament.hpp"
#include "cli/command.hpp"
#include "cli/net_options.hpp"
#include "cli/usage/values.hpp"
#include "ggp/remote_registry.hpp"

namespace zermelo::cli {

struct MatchSettings {
    arena::Plan plan;
    std::optional<double> clock;
    std::string memory = "64M";
    NetOptions net;
    ggp::RemoteRegistryOptions remote;
    unsigned parallel = 0;

    void add_to(CLI::App& app);
    void add_grace(CLI::App& app);
    // The plan as it was asked for. Throws Error where the options do not fit together.
    [[nodiscard]] arena::Plan complete() const;
    [[nodiscard]] arena::TournamentOptions options() const;
};

inline constexpr const char* players_help =
    "players: NAME[:key=value,…], where NAME is random, greedy, uct, grave, zermelo, mac-ucb, mac-ucb-sym, "
    "cfr, "
    "alpha-beta or perfect; all take the keys seconds, playouts, threads, memory, ponder and label; or "
    "http://HOST:PORT of a remote GGP player";

inline const CLI::Validator most_rounds = between(std::uint64_t{1}, std::uint64_t{1'000'000});

// Runs it with progress on a terminal, after a title where there is one. The others of several processes help
// meanwhile.
[[nodiscard]] arena::TournamentResult run_with_progress(const arena::Plan& plan,
                                                        arena::TournamentOptions options,
                                                        arena::Record* record, const std::string& title = "");

// A match without a result or an illegal move is a failed check. A late move is not: a busy machine makes it,
// and the results tell.
[[nodiscard]] int exit_code(const arena::TournamentResult& result);

}  // namespace zermelo::cli
