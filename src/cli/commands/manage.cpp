// zermelo manage: a match between players that are somewhere else, or a series of matches, as a GGP game
// manager runs it.

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "arena/report/report.hpp"
#include "cli/match_options.hpp"
#include "cli/usage/language.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"
#include "ggp/match_file.hpp"
#include "ggp/remote_registry.hpp"

namespace zermelo::cli {

namespace {

struct Fault {
    std::uint64_t match;
    std::size_t step;  // 0: at START
    std::string role;
    std::string player;
    std::string what;
};

std::string explain(const std::string& fault) {
    if (fault == "TO") return "no answer in time";
    if (fault == "CE") return "no connection";
    return fault.starts_with("IL ") ? "no legal move: " + fault.substr(3) : fault;
}

// Where the matches of a series are written down.
struct Desk {
    ggp::RemoteRegistry field;
    std::string folder;  // of match files; empty: none
    bool steps;          // are printed
    std::vector<Fault> faults = {};
    std::vector<std::pair<std::uint64_t, std::string>> ids = {};  // of the matches that were played now
};

class MatchWriter : public arena::Spectator {
public:
    MatchWriter(const arena::Fixture& fixture, Desk& desk)
        : fixture_(fixture), desk_(desk), id_(desk.field.id(fixture)) {
        if (!desk.folder.empty())
            file_.emplace(fixture.rules, ggp::kif_names(fixture),
                          ggp::MatchHead{.id = id_,
                                         .game = std::filesystem::path(fixture.file).filename().string(),
                                         .players = fixture.labels,
                                         .start_clock = fixture.start_clock,
                                         .play_clock = fixture.clock});
        desk_.ids.emplace_back(fixture.pairing.number, id_);
        if (!desk_.steps) return;
        std::string players;
        for (std::size_t s = 0; s < fixture.labels.size(); ++s)
            players += fmt::format("{}{} is {}", s == 0 ? "" : ", ", role(s), fixture.labels[s]);
        std::cout << fmt::format("{}: {}\n", id_, players) << std::flush;
    }

    void started(const arena::Faults& faults) override {
        if (file_) file_->started(faults);
        keep(faults);
    }
    void step(const play::State& state, const play::JointMove& joint, const arena::Faults& faults) override {
        ++steps_;
        if (file_) file_->step(state, joint, faults);
        if (desk_.steps) {
            std::string moves;
            for (std::size_t r = 0; r < joint.size(); ++r)
                moves += " " + fixture_.rules.game().move_text(r, joint[r]);
            std::cout << fmt::format("{:>4} {}\n", steps_, moves) << std::flush;
        }
        keep(faults);
    }
    void end(const arena::MatchResult* result) override {
        if (!file_) return;
        if (result != nullptr && result->error.empty())
            file_->complete();
        else
            file_->abort();
        const std::string name = (std::filesystem::path(desk_.folder) / (id_ + ".json")).string();
        replace_file(name, file_->text());
    }

private:
    [[nodiscard]] std::string role(std::size_t seat) const {
        return fixture_.rules.role_name(fixture_.rules.seats()[seat]);
    }
    void keep(const arena::Faults& faults) {
        for (std::size_t s = 0; s < fixture_.labels.size(); ++s) {
            const std::string& fault = faults[fixture_.rules.seats()[s]];
            if (fault.empty()) continue;
            desk_.faults.push_back({fixture_.pairing.number, steps_, role(s), fixture_.labels[s], fault});
            if (desk_.steps)
                std::cout << fmt::format("      {} ({}): {}\n", role(s), fixture_.labels[s], explain(fault))
                          << std::flush;
        }
    }

    const arena::Fixture& fixture_;
    Desk& desk_;
    std::string id_;
    std::optional<ggp::MatchFile> file_;
    std::size_t steps_ = 0;
};

struct ManageCommand {
    MatchSettings contest;
    std::string record;
    std::string folder;
    bool verbose = false;
    bool json = false;

    [[nodiscard]] int run() {
        arena::Plan plan = contest.complete();
        plan.form = arena::Form::seated;
        ggp::check_players(plan);
        contest.remote.numbered = plan.rounds > 1;
        Desk desk{.field = ggp::RemoteRegistry(contest.remote),
                  .folder = folder,
                  .steps = !json && (verbose || isatty(STDOUT_FILENO) == 1)};
        if (!folder.empty()) {
            std::error_code problem;
            std::filesystem::create_directories(folder, problem);
            if (problem)
                throw Error({folder}, "cannot be made: " + problem.message(), "choose another folder");
        }
        std::unique_ptr<arena::Record> store;
        if (!record.empty()) store = std::make_unique<arena::Record>(record, plan.text());
        arena::TournamentOptions options;
        options.parallel = 1;  // matches are printed as they go
        options.make = [&](auto&&... order) { return desk.field.make_player(order...); };
        options.follow = [&](const arena::Fixture& fixture) {
            return std::make_unique<MatchWriter>(fixture, desk);
        };
        const arena::TournamentResult result = arena::run(plan, options, store.get());
        if (json)
            cli::print(to_json(plan, result, desk));
        else
            print(result, desk);
        return result.stop == Stop::none ? answered : exit_code(result.stop);
    }

private:
    static void print(const arena::TournamentResult& result, const Desk& desk) {
        for (const arena::MatchResult& match : result.matches) {
            std::string goals;
            for (const auto& seat : match.seats)
                goals +=
                    fmt::format("{}{} ({}) {}", goals.empty() ? "" : ", ", seat.role, seat.player, seat.goal);
            if (!match.error.empty()) goals = "no result: " + match.error;
            std::cout << fmt::format("{}: {}.\n", name_of(match.match, desk), goals);
        }
        print_faults(desk);
        if (result.matches.size() > 1)
            std::cout << '\n' << arena::text(arena::standings(result.matches), spoken_cell);
        if (result.stop != Stop::none)
            std::cout << fmt::format("{} of {} matches: {}.\n", result.matches.size(), result.scheduled,
                                     describe(result.stop));
    }

    // Equal faults of a player in one line.
    static void print_faults(const Desk& desk) {
        std::vector<std::pair<std::string, std::vector<std::size_t>>> lines;  // with their steps
        for (const Fault& fault : desk.faults) {
            const std::string line = fmt::format("{}: {} ({}): {}", name_of(fault.match, desk), fault.role,
                                                 fault.player, explain(fault.what));
            auto known = std::ranges::find(lines, line, [](const auto& one) { return one.first; });
            if (known == lines.end()) known = lines.insert(known, {line, {}});
            known->second.push_back(fault.step);
        }
        for (auto& [line, steps] : lines) {
            std::vector<std::string> when;
            if (steps.front() == 0) {
                when.emplace_back("the start");
                steps.erase(steps.begin());
            }
            if (!steps.empty())
                when.push_back(
                    fmt::format("step{} {}", steps.size() == 1 ? "" : "s", fmt::join(steps, ", ")));
            std::cout << fmt::format("{}, at {}\n", line, fmt::join(when, " and "));
        }
    }

    [[nodiscard]] static std::string name_of(std::uint64_t match, const Desk& desk) {
        const auto found = std::ranges::find(desk.ids, match, &std::pair<std::uint64_t, std::string>::first);
        return found == desk.ids.end() ? fmt::format("match {}", match + 1) : found->second;
    }

    [[nodiscard]] static nlohmann::json to_json(const arena::Plan& plan,
                                                const arena::TournamentResult& result, const Desk& desk) {
        using nlohmann::json;
        json matches = json::array();
        for (const arena::MatchResult& match : result.matches) {
            json seats = json::array();
            for (const arena::SeatResult& seat : match.seats)
                seats.push_back({{"role", seat.role},
                                 {"player", seat.player},
                                 {"goal", seat.goal},
                                 {"moves", seat.moves},
                                 {"late", seat.late},
                                 {"illegal", seat.illegal},
                                 {"seconds", seat.seconds},
                                 {"longest_move", seat.longest_move}});
            json faults = json::array();
            for (const Fault& fault : desk.faults) {
                if (fault.match == match.match)
                    faults.push_back({{"step", fault.step},
                                      {"role", fault.role},
                                      {"player", fault.player},
                                      {"fault", fault.what}});
            }
            matches.push_back({{"match", name_of(match.match, desk)},
                               {"seats", seats},
                               {"steps", match.plies},
                               {"moves", match.moves},
                               {"seconds", match.seconds},
                               {"faults", faults},
                               {"error", match.error}});
        }
        return {{"game", plan.games.front()},
                {"start_clock", plan.start_clock},
                {"play_clock", plan.clock},
                {"scheduled", result.scheduled},
                {"complete", result.stop == Stop::none},
                {"matches", matches}};
    }
};

}  // namespace

Command add_manage(CLI::App& app) {
    auto* command =
        app.add_subcommand("manage", "Run matches between players on the network, as a GGP game manager");
    auto manage = std::make_shared<ManageCommand>();
    arena::Plan& plan = manage->contest.plan;
    plan.start_clock = 30;
    double& clock = manage->contest.clock.emplace(10);
    command
        ->add_option("FILE", plan.games.emplace_back(),
                     "a game in GDL: a file, or the name of a shipped game")
        ->required()
        ->transform(shipped_game());
    command
        ->add_option("PLAYER", plan.players,
                     "one player for each role except random, in the order of the roles: the address "
                     "http://HOST:PORT of a remote player, or NAME[:key=value,…] for a built-in one")
        ->required()
        ->check(suggesting(player_names()));
    command
        ->add_option("--startclock,--start-clock", plan.start_clock,
                     "start clock: seconds before the first move")
        ->check(between(0.0, 1e6))
        ->capture_default_str();
    command->add_option("--playclock,--play-clock", clock, "play clock: seconds per move")
        ->check(between(0.001, 1e6))
        ->capture_default_str();
    manage->contest.add_grace(*command);
    command->add_option("--rounds", plan.rounds, "number of matches; the players rotate through the roles")
        ->check(most_rounds)
        ->capture_default_str();
    command->add_option("--seed", plan.seed, "random seed of the chance moves")->capture_default_str();
    command->add_option("--record", manage->record,
                        "an SQLite file that stores every finished match; a series resumes from it, and "
                        "zermelo tournament --report-only reads it");
    command->add_option("--matches", manage->folder, "a folder for match files in the format of GGP-Base");
    command->add_option("--match-id", manage->contest.remote.match,
                        "the match id that players see (default: the game and the time)");
    command->add_flag("--verbose", manage->verbose, "print every step (default on a terminal)");
    command->add_flag("--json", manage->json, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo manage games/gdl/tic-tac-toe.kif http://127.0.0.1:9147 uct --startclock 5 --playclock 2\n"
        "  zermelo manage games/gdl/connect-four.kif http://127.0.0.1:9147 http://127.0.0.1:9148 --rounds 10 "
        "--matches played --record series.sqlite");
    return {command, [manage] { return manage->run(); }};
}

}  // namespace zermelo::cli
