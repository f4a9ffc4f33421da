// zermelo player: a player for any game manager, over HTTP.

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "cli/command.hpp"
#include "cli/listening.hpp"
#include "cli/net_options.hpp"
#include "cli/usage/values.hpp"
#include "core/format/json_text.hpp"
#include "ggp/player/player_server.hpp"

namespace zermelo::cli {

namespace {

// Where programs keep what has to survive them.
std::string state_folder() {
    if (const char* folder = std::getenv("XDG_STATE_HOME"); folder != nullptr && *folder != '\0')
        return std::string(folder) + "/zermelo/player";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return std::string(home) + "/.local/state/zermelo/player";
    return "";
}

// Beside what players may use: for rules that are read and grounded.
constexpr std::size_t room_for_rules = std::size_t{512} << 20;

struct PlayerCommand {
    ggp::PlayerOptions given;
    std::string strategy = "zermelo";
    NetOptions net;
    std::string memory = "512M";
    std::string memory_limit;
    std::string most_body = "16M";
    bool no_journal = false;
    bool no_ponder = false;
    std::string log;

    [[nodiscard]] int run() const {
        ggp::PlayerOptions options = given;
        options.server.most_body = memory_amount("--most-body", most_body);
        options.server.most_buffered = 4 * options.server.most_body;
        options.session.strategy = play::read_spec(net.applied(strategy));
        if (options.session.strategy.remote())
            throw Error("--strategy " + strategy + " is somewhere else", "choose a built-in player");
        options.session.memory = memory_amount("--memory", memory);
        options.session.process_memory = memory_limit.empty()
                                             ? options.matches * options.session.memory + room_for_rules
                                             : memory_amount("--memory-limit", memory_limit);
        options.session.ponder = !no_ponder;
        if (!no_journal && options.journal.empty()) options.journal = state_folder();
        std::ofstream file;
        if (!log.empty() && log != "-") {
            file.open(log, std::ios::app);
            if (!file) throw Error({log}, "cannot be written", "choose another file");
        }
        std::ostream& out = file.is_open() ? file : std::cerr;
        options.log = [&out, quiet = log.empty()](const nlohmann::json& event) {
            if (quiet) return;
            const auto now = std::chrono::system_clock::now();
            nlohmann::ordered_json line = {
                {"time", fmt::format("{:%FT%T}Z", fmt::gmtime(std::chrono::system_clock::to_time_t(now)))}};
            line.update(event);
            out << json_text(line) << std::endl;
        };
        const ggp::PlayerServer server(options);
        std::cout << fmt::format("{} waits for matches at http://{}:{}/\n", options.name,
                                 options.server.address, server.port())
                  << std::flush;
        wait_for_interruption();
        return answered;
    }
};

}  // namespace

Command add_player(CLI::App& app) {
    auto* command =
        app.add_subcommand("player", "Run a player that game managers can reach over the GGP protocol");
    auto player = std::make_shared<PlayerCommand>();
    ggp::PlayerOptions& options = player->given;
    add_listening(*command, options.server, 9147, "address to listen on; 0.0.0.0: all network interfaces");
    command
        ->add_option("--strategy", player->strategy,
                     "the player to use: NAME[:key=value,…] as for zermelo match, for example uct:threads=4")
        ->check(suggesting(player_names()))
        ->capture_default_str();
    player->net.add_to(*command);
    command->add_option("--name", options.name, "the name sent in answer to INFO")->capture_default_str();
    command
        ->add_option("--matches", options.matches,
                     "number of matches at the same time; beyond it the answer is busy")
        ->check(between(std::size_t{1}, std::size_t{1000}))
        ->capture_default_str();
    command->add_flag("--no-ponder", player->no_ponder, "do not think while the other players move");
    command->add_option("--memory", player->memory, "memory per match, for example 512M")
        ->capture_default_str();
    command->add_option(
        "--memory-limit", player->memory_limit,
        "memory for the whole process; rules that need more are played without grounding, or not at all "
        "(default: 512M more than all matches)");
    command->add_option("--most-body", player->most_body, "largest message accepted, for example 64M")
        ->capture_default_str();
    auto* journal = command->add_option("--journal", options.journal,
                                        "a folder for the data that lets matches continue after a restart "
                                        "(default: zermelo/player in the user's state directory)");
    command->add_flag("--no-journal", player->no_journal, "store nothing on disk")->excludes(journal);
    command->add_option("--log", player->log,
                        "write events to this file as JSON lines; -: to standard error");
    command->footer(
        "Examples:\n  zermelo player\n  zermelo player --port 9148 --address 0.0.0.0 --strategy "
        "uct:threads=4 --log -\nCtrl-C stops it. /status is a status page; /metrics has the counters for "
        "Prometheus.");
    return {command, [player] { return player->run(); }};
}

}  // namespace zermelo::cli
