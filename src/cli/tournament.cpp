// zermelo tournament: many players, many games, a record that survives everything, and reports.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "arena/report.hpp"
#include "cli/contest.hpp"

namespace zermelo::cli {

namespace {

void write(const std::string& file, const std::string& text) {
    std::ofstream out(file);
    out << text;
    if (!out.flush()) throw Error({file}, "cannot be written", "choose another file");
}

struct TournamentCommand {
    ContestOptions contest;
    std::vector<std::string> games;
    std::vector<std::string> players;
    bool gauntlet = false;
    std::string record;
    bool report_only = false;
    std::vector<double> sprt;
    std::string html;
    std::string csv;
    bool json = false;

    [[nodiscard]] int run() const {
        // Nobody wants to learn after a night of matches that there is no such folder.
        for (const std::string* file : {&html, &csv}) {
            if (!file->empty() && !std::ofstream(*file, std::ios::app))
                throw Error({*file}, "cannot be written", "choose another file");
        }
        if (report_only) return report(Record::plan_of(record), {.matches = Record::results_of(record)});
        const bool goes_on = games.empty() && players.empty() && std::filesystem::exists(record);
        const arena::Plan plan = goes_on ? arena::Plan::read(Record::plan_of(record)) : asked_for();
        std::unique_ptr<Record> store;
        if (!record.empty()) store = std::make_unique<Record>(record, plan.text());
        const auto result = run_with_progress(plan, contest.options({}), store.get());
        return report(plan.text(), result);
    }

private:
    using Record = arena::Record;

    [[nodiscard]] arena::Plan asked_for() const {
        if (games.empty() || players.empty())
            throw Error("a tournament needs games and players",
                        "give --games and --players, or a --record that is there to go on with");
        arena::Plan plan = contest.complete();
        plan.games = games;
        plan.players = players;
        plan.form = gauntlet ? arena::Form::gauntlet : arena::Form::round_robin;
        if (sprt.empty()) return plan;
        if (players.size() != 2) throw Error("--sprt compares two players", "name two");
        if (sprt[0] >= sprt[1])
            throw Error("--sprt wants a smaller number before a greater one", "swap them");
        plan.sprt = arena::Sprt{sprt[0], sprt[1]};
        return plan;
    }

    [[nodiscard]] int report(const std::string& plan, const arena::TournamentResult& result) const {
        const auto standings = arena::standings(result.matches);
        if (!csv.empty()) write(csv, arena::csv(result.matches));
        if (!html.empty()) write(html, arena::html(standings, "Tournament", plan));
        if (json) {
            nlohmann::json answer = arena::json(standings);
            answer["plan"] = nlohmann::json::parse(plan);
            if (result.scheduled > 0) {
                answer["scheduled"] = result.scheduled;
                answer["peak_bytes"] = peak_bytes();
            }
            if (const char* decision = name(result.decision)) answer["sprt"] = decision;
            std::cout << answer.dump(2) << '\n';
        } else {
            std::cout << arena::text(standings);
            if (result.scheduled > 0)
                std::cout << fmt::format("\nAt most {} MB of memory were in use.\n",
                                         count_text(peak_bytes() >> 20));
            if (const char* decision = name(result.decision))
                std::cout << fmt::format("The sequential test is decided: {}.\n", decision);
            if (result.stop != Stop::none)
                std::cout << fmt::format("{} of {} matches: {}.\n", result.matches.size(), result.scheduled,
                                         describe(result.stop));
            if (result.stop != Stop::none && !record.empty())
                std::cout << fmt::format("Go on with: zermelo tournament --record {}\n", record);
        }
        return exit_code(result);
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
    auto* command = app.add_subcommand("tournament", "Let many players meet in many games, and rate them");
    auto tournament = std::make_shared<TournamentCommand>();
    command->add_option("--games", tournament->games, "games in GDL");
    command->add_option("--players", tournament->players, players_help);
    command->add_flag("--gauntlet", tournament->gauntlet,
                      "the first player meets every other (default: all meet all)");
    command->add_option("--rounds", tournament->contest.plan.rounds, "how often every seating is played")
        ->check(most_rounds)
        ->capture_default_str();
    tournament->contest.add_to(*command);
    auto* record =
        command->add_option("--record", tournament->record,
                            "an SQLite file with every finished match; a tournament goes on from there");
    command->add_flag("--report-only", tournament->report_only, "play nothing, report on the record")
        ->needs(record);
    command
        ->add_option("--sprt", tournament->sprt,
                     "ELO0 ELO1: stop when it is decided whether the first of two players is ELO1 or only "
                     "ELO0 points stronger, with errors of 5 %")
        ->expected(2);
    command->add_option("--html", tournament->html, "write a report with plots, one file");
    command->add_option("--csv", tournament->csv, "write a table, a row for each seat of each match");
    command->add_flag("--json", tournament->json, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo tournament --games games/gdl/tic-tac-toe.kif games/gdl/nim.kif --players uct greedy "
        "random "
        "--rounds 5 --clock 0.02 --record small.sqlite --html small.html\n"
        "  zermelo tournament --record small.sqlite --report-only --json\n"
        "  zermelo tournament --games games/gdl/hex.kif --players grave uct --playouts 200 --rounds 1000 "
        "--sprt 0 50");
    return {command, [tournament] { return tournament->run(); }};
}

}  // namespace zermelo::cli
