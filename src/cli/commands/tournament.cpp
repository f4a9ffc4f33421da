// zermelo tournament: many players, many games, a record that survives everything, and reports.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>

#include "arena/report/curves.hpp"
#include "arena/report/report.hpp"
#include "cli/match_options.hpp"
#include "cli/processes.hpp"
#include "cli/usage/language.hpp"
#include "cli/usage/values.hpp"
#include "cluster/tournament.hpp"
#include "core/files.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::cli {

namespace {

struct TournamentCommand {
    MatchSettings contest;
    bool gauntlet = false;
    std::string record;
    bool report_only = false;
    std::vector<double> sprt;
    std::string sweep;
    std::string html;
    std::string csv;
    std::string markdown;
    std::string svg;
    bool json = false;

    [[nodiscard]] int run() const {
        if (!processes().first()) return help();
        // Nobody wants to learn after a night of matches that there is no such folder.
        for (const std::string* file : {&html, &csv, &markdown, &svg}) require_writable(*file);
        const bool goes_on = contest.plan.games.empty() && contest.plan.players.empty() && sweep.empty() &&
                             std::filesystem::exists(record);
        const arena::Plan plan =
            report_only || goes_on ? arena::Plan::read(Record::plan_of(record)) : asked_for();
        if (!svg.empty() && !plan.sweep)
            throw Error("--svg draws the curves of a sweep, but this tournament has no sweep",
                        "give --sweep or --html");
        if (report_only) return report(plan, {.matches = Record::results_of(record)});
        std::unique_ptr<Record> store;
        if (!record.empty()) store = std::make_unique<Record>(record, plan.text());
        const auto result = run_with_progress(plan, contest.options(), store.get());
        return report(plan, result);
    }

private:
    using Record = arena::Record;

    [[nodiscard]] int help() const {
        if (!report_only) cluster::help(processes(), contest.options());
        return answered;
    }

    [[nodiscard]] arena::Plan asked_for() const {
        if (contest.plan.games.empty() || contest.plan.players.empty())
            throw Error("a tournament needs games and players",
                        "give --games and --players, or an existing --record to resume");
        MatchSettings settings = contest;
        if (gauntlet) settings.plan.form = arena::Form::gauntlet;
        if (!sweep.empty()) {
            const auto swept = arena::read_sweep(sweep);
            settings.plan.sweep = swept.sweep;
            settings.plan.players.insert(settings.plan.players.begin(), swept.players.begin(),
                                         swept.players.end());
            settings.plan.form = arena::Form::gauntlet;
        }
        arena::Plan plan = settings.complete();
        if (sprt.empty()) return plan;
        if (plan.sweep)
            throw Error(
                "--sprt and --sweep exclude each other: every point of a curve needs the same number of "
                "matches",
                "leave one of them out");
        if (plan.players.size() != 2 && !gauntlet)
            throw Error("--sprt compares two players, or the first player with each of the others",
                        "name two, or add --gauntlet");
        if (sprt[0] >= sprt[1])
            throw Error("--sprt wants a smaller number before a greater one", "swap them");
        plan.sprt = arena::Sprt{sprt[0], sprt[1]};
        const std::uint64_t most = 2 * plan.rounds * (gauntlet ? 1 : plan.games.size());
        if (plan.at_least > most)
            throw Error(fmt::format("--at-least {} is more than the {} matches that are planned",
                                    plan.at_least, most),
                        "give more --rounds");
        return plan;
    }

    [[nodiscard]] int report(const arena::Plan& plan, const arena::TournamentResult& result) const {
        const auto standings = arena::standings(result.matches);
        if (plan.sweep)
            report_sweep(plan, result, standings);
        else
            report_standings(plan, result, standings);
        if (!json && result.stop != Stop::none) {
            std::cout << fmt::format("{} of {} matches: {}.\n", result.matches.size(), result.scheduled,
                                     describe(result.stop));
            if (!record.empty())
                std::cout << fmt::format("Go on with: zermelo tournament --record {}\n", record);
        }
        return exit_code(result);
    }

    void report_sweep(const arena::Plan& plan, const arena::TournamentResult& result,
                      const arena::Standings& standings) const {
        const auto curves = arena::curves(plan, result.matches);
        if (!csv.empty()) replace_file(csv, arena::csv(curves));
        if (!html.empty()) replace_file(html, arena::html(curves, standings, "Sweep", plan.text()));
        if (!markdown.empty()) replace_file(markdown, arena::markdown(curves));
        if (!svg.empty()) replace_file(svg, arena::svg(curves));
        if (json) {
            nlohmann::json answer = common_json(plan, result, standings);
            answer["sweep"] = arena::json(curves);
            std::cout << json_text(answer, 2) << '\n';
            return;
        }
        std::cout << fmt::format("{}.\n\n{}", arena::summary(standings), arena::text(curves, spoken_cell));
        for (const auto& [match, error] : standings.errors)
            std::cout << fmt::format("Match {} has no result: {}\n", match, error);
        print_memory(result);
    }

    void report_standings(const arena::Plan& plan, const arena::TournamentResult& result,
                          const arena::Standings& standings) const {
        if (!csv.empty()) replace_file(csv, arena::csv(result.matches));
        if (!html.empty()) replace_file(html, arena::html(standings, "Tournament", plan.text()));
        const auto comparisons = arena::comparisons(plan, result.matches);
        if (!markdown.empty()) replace_file(markdown, arena::markdown(plan, comparisons));
        if (json) {
            nlohmann::json answer = common_json(plan, result, standings);
            if (plan.form == arena::Form::gauntlet) answer["comparisons"] = arena::json(plan, comparisons);
            if (const char* decision = name(result.decision)) answer["sprt"] = decision;
            std::cout << json_text(answer, 2) << '\n';
            return;
        }
        std::cout << arena::text(standings, spoken_cell);
        if (plan.cpu_clock) std::cout << "\nSeconds are CPU seconds of this process.\n";
        if (plan.form == arena::Form::gauntlet)
            std::cout << '\n' << arena::text(plan, comparisons, spoken_cell);
        print_memory(result);
        if (const char* decision = name(result.decision))
            std::cout << fmt::format("The sequential test is decided: {}.\n", decision);
    }

    [[nodiscard]] static nlohmann::json common_json(const arena::Plan& plan,
                                                    const arena::TournamentResult& result,
                                                    const arena::Standings& standings) {
        nlohmann::json answer = arena::json(standings);
        answer["plan"] = json_from_text(plan.text());
        if (result.scheduled > 0) {
            answer["scheduled"] = result.scheduled;
            answer["peak_bytes"] = result.peak_bytes;
        }
        return answer;
    }

    static void print_memory(const arena::TournamentResult& result) {
        if (result.scheduled > 0)
            std::cout << fmt::format("\nAt most {} MB of memory were in use.\n",
                                     count_text(result.peak_bytes >> 20));
    }

    [[nodiscard]] static const char* name(arena::Sprt::Decision decision) {
        switch (decision) {
            case arena::Sprt::Decision::go_on:
                return nullptr;
            case arena::Sprt::Decision::accept_h0:
                return "H0, the first player is not so much stronger";
            case arena::Sprt::Decision::accept_h1:
                return "H1, the first player is stronger";
        }
        return nullptr;
    }
};

}  // namespace

Command add_tournament(CLI::App& app) {
    auto* command = app.add_subcommand(
        "tournament", "Play a tournament of several players in several games, and rate the players");
    auto tournament = std::make_shared<TournamentCommand>();
    arena::Plan& plan = tournament->contest.plan;
    command->add_option("--games", plan.games, "games in GDL: files, or names of shipped games")
        ->transform(shipped_game());
    command->add_option("--players", plan.players, players_help)->check(suggesting(player_names()));
    command->add_flag("--gauntlet", tournament->gauntlet,
                      "the first player meets each of the others (default: round robin)");
    command->add_flag(
        "--alone", plan.alone,
        "one player takes all seats of a match, and the higher goal wins; for cooperative games");
    command->add_option("--rounds", plan.rounds, "number of matches for every seating")
        ->check(most_rounds)
        ->capture_default_str();
    tournament->contest.add_to(*command);
    auto* record =
        command->add_option("--record", tournament->record,
                            "an SQLite file that stores every finished match; a tournament resumes from it");
    command->add_flag("--report-only", tournament->report_only, "play no match; only report on the record")
        ->needs(record);
    command
        ->add_option("--sprt", tournament->sprt,
                     "ELO0 ELO1: sequential probability ratio test; stop when it decides whether the first "
                     "player is ELO1 or only ELO0 points stronger, with error rates of 5 %; in a gauntlet, "
                     "one test for each opponent and game")
        ->expected(2);
    command->add_option("--at-least", plan.at_least, "least number of matches before --sprt may stop")
        ->needs("--sprt");
    command->add_option("--sweep", tournament->sweep,
                        "PLAYER:KEY=FROM..TO/STEP or PLAYER:KEY=A,B,C: play this player with each of the "
                        "values against all others, and draw its scores as curves");
    command->add_option("--html", tournament->html, "write an HTML report with plots");
    command->add_option(
        "--csv", tournament->csv,
        "write a CSV table with a row for each seat of each match, or for each point of the curves");
    command->add_option(
        "--markdown", tournament->markdown,
        "write a Markdown table of the first player's scores by game and opponent, or of the curves");
    command->add_option("--svg", tournament->svg, "write the curves of a sweep as SVG");
    command->add_flag("--json", tournament->json, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo tournament --games games/gdl/tic-tac-toe.kif games/gdl/nim.kif --players uct greedy "
        "random "
        "--rounds 5 --clock 0.02 --record small.sqlite --html small.html\n"
        "  zermelo tournament --record small.sqlite --report-only --json\n"
        "  zermelo tournament --games games/gdl/hex.kif --players grave uct --playouts 200 --rounds 1000 "
        "--sprt 0 50\n"
        "  zermelo tournament --games games/gdl/connect-four.kif --sweep uct:exploration=0..2/0.25 --players "
        "grave cfr --playouts 300 --rounds 50 --svg exploration.svg");
    return {command, [tournament] { return tournament->run(); }, true};
}

}  // namespace zermelo::cli
