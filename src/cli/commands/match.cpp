// zermelo match: players play one game a number of times, taking its seats in turns.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "arena/report/report.hpp"
#include "cli/match_options.hpp"
#include "cli/usage/language.hpp"
#include "cli/usage/values.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::cli {

namespace {

struct MatchCommand {
    MatchSettings contest;
    bool moves = false;
    bool json = false;

    [[nodiscard]] int run() const {
        arena::Plan plan = contest.complete();
        plan.form = arena::Form::together;
        const auto result = run_with_progress(plan, contest.options(), nullptr);
        const auto standings = arena::standings(result.matches);
        if (json)
            std::cout << json_text(to_json(plan, result, standings), 2) << '\n';
        else
            print(result, standings);
        return exit_code(result);
    }

private:
    // In the order of the command line.
    [[nodiscard]] static std::vector<arena::PlayerStanding> in_order(const arena::Plan& plan,
                                                                     const arena::Standings& standings) {
        std::vector<arena::PlayerStanding> list;
        for (const std::string& label : arena::labels(plan)) {
            const auto found = std::find_if(standings.players.begin(), standings.players.end(),
                                            [&](const auto& one) { return one.player == label; });
            if (found != standings.players.end())
                list.push_back(*found);
            else
                list.emplace_back().player = label;
        }
        return list;
    }

    [[nodiscard]] nlohmann::json to_json(const arena::Plan& plan, const arena::TournamentResult& result,
                                         const arena::Standings& standings) const {
        using nlohmann::json;
        json answer = {{"games", standings.matches},
                       {"players", json::array()},
                       {"scores", json::array()},
                       {"wins", json::array()},
                       {"draws", 0},
                       {"intervals", json::array()},
                       {"illegal", 0},
                       {"late", 0},
                       {"errors", json::array()}};
        for (const arena::PlayerStanding& one : in_order(plan, standings)) {
            const auto interval = one.total.score_interval();
            answer["scores"].push_back(one.total.score());
            answer["wins"].push_back(one.total.wins);
            answer["intervals"].push_back({interval.low, interval.high});
            answer["illegal"] = answer["illegal"].get<std::uint64_t>() + one.illegal;
            answer["late"] = answer["late"].get<std::uint64_t>() + one.late;
            answer["players"].push_back({{"label", one.player},
                                         {"mean_goal", one.total.mean_goal()},
                                         {"losses", one.total.losses},
                                         {"draws", one.total.draws},
                                         {"moves", one.moves},
                                         {"playouts_per_second", one.playouts_per_second()},
                                         {"mean_move", one.mean_move()},
                                         {"longest_move", one.longest_move.greatest},
                                         {"counters", one.counters}});
        }
        std::uint64_t draws = 0;
        for (const arena::MatchResult& match : result.matches) {
            if (!match.error.empty())
                answer["errors"].push_back({{"match", match.match}, {"error", match.error}});
            else if (nobody_wins(match))
                ++draws;
        }
        answer["draws"] = draws;
        if (moves) {
            answer["matches"] = json::array();
            for (const arena::MatchResult& match : result.matches) {
                json goals = json::array();
                json players = json::array();
                for (const auto& seat : match.seats) {
                    goals.push_back(seat.goal);
                    players.push_back(seat.player);
                }
                answer["matches"].push_back(
                    {{"players", players}, {"goals", goals}, {"moves", match.moves}, {"seed", match.seed}});
            }
        }
        return answer;
    }

    // Several seats share the greatest goal.
    [[nodiscard]] static bool nobody_wins(const arena::MatchResult& match) {
        int greatest = -1;
        int how_many = 0;
        for (const auto& seat : match.seats) {
            if (seat.goal > greatest) how_many = 0;
            greatest = std::max(greatest, seat.goal);
            if (seat.goal == greatest) ++how_many;
        }
        return how_many > 1;
    }

    void print(const arena::TournamentResult& result, const arena::Standings& standings) const {
        if (moves) {
            for (const arena::MatchResult& match : result.matches) {
                std::string goals;
                for (const auto& seat : match.seats)
                    goals += fmt::format("{}{} ({}) {}", goals.empty() ? "" : ", ", seat.role, seat.player,
                                         seat.goal);
                std::cout << fmt::format("{}: {}\n", goals, match.moves);
            }
        }
        std::cout << arena::text(standings, spoken_cell);
    }
};

}  // namespace

Command add_match(CLI::App& app) {
    auto* command = app.add_subcommand("match", "Play matches between players in a game in GDL");
    auto match = std::make_shared<MatchCommand>();
    arena::Plan& plan = match->contest.plan;
    command
        ->add_option("FILE", plan.games.emplace_back(),
                     "a game in GDL: a file, or the name of a shipped game")
        ->required()
        ->transform(shipped_game());
    plan.players = {"zermelo"};
    command
        ->add_option("PLAYER", plan.players, std::string(players_help) + " (default: zermelo in all seats)")
        ->check(suggesting(player_names()));
    command->add_option("--games", plan.rounds, "number of matches")
        ->check(most_rounds)
        ->capture_default_str();
    match->contest.add_to(*command);
    command->add_flag("--moves", match->moves, "print the moves of every match");
    command->add_flag("--json", match->json, "print one JSON object");
    command->footer(
        "One player takes all seats.\n"
        "Examples:\n"
        "  zermelo match games/gdl/tic-tac-toe.kif --games 2 --clock 0.05\n"
        "  zermelo match games/gdl/tic-tac-toe.kif uct random --games 20 --clock 0.05\n"
        "  zermelo match games/gdl/breakthrough.kif grave uct --playouts 500 --games 2\n"
        "  zermelo match games/gdl/connect-four.kif uct:seconds=0.1 uct:seconds=0.005 --games 4");
    return {command, [match] { return match->run(); }};
}

}  // namespace zermelo::cli
