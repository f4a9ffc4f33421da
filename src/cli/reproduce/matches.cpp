// Experiments by matches: every game of a table is a tournament with a record of its own.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "arena/comparison.hpp"
#include "arena/record.hpp"
#include "cli/reproduce/reproduce.hpp"

namespace zermelo::cli {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Matches {
public:
    Matches(const Experiment& experiment, const catalogue::Library& library, const ReproduceOptions& options)
        : experiment_(experiment), library_(library), options_(options) {
        if (!options.report_only) {
            std::error_code problem;
            fs::create_directories(options.record, problem);
            if (problem)
                throw Error({options.record}, "this folder cannot be created", "choose another --record");
            std::cerr << fmt::format("matches are stored in {}; the same command resumes from there\n",
                                     options.record);
        } else if (!fs::is_directory(options.record)) {
            throw Error({options.record}, "there is no such record", "give --record, or play first");
        }
    }

    ExperimentOutcome run() {
        for (std::size_t p = 0; p < experiment_.parts.size(); ++p) {
            const auto& part = experiment_.parts[p];
            Reproduced table{part.title, {head(part)}, json::array(), part.remarks};
            for (const auto& row : part.rows) {
                if (options_.wants(row)) add_row(table, p, row);
            }
            if (!table.rows.empty()) outcome_.parts.push_back(std::move(table));
        }
        if (!outcome_.parts.empty()) {
            auto& last = outcome_.parts.back().remarks;
            for (std::string& remark : remarks()) last.push_back(std::move(remark));
        }
        return std::move(outcome_);
    }

private:
    // Columns that nobody here can play have the published figure only.
    static std::vector<std::string> head(const Experiment::Part& part) {
        std::vector<std::string> titles = {"game"};
        for (const auto& column : part.columns) {
            titles.push_back(column.title + ", paper");
            if (!column.ours.empty()) titles.push_back("ours (95 %)");
            if (statistic_of(column)) titles.emplace_back("ours");
        }
        titles.push_back("matches");
        return titles;
    }

    [[nodiscard]] static std::optional<std::string> statistic_of(const Experiment::Column& column) {
        const auto at = column.how.find("statistic");
        return at == column.how.end() ? std::nullopt : std::optional(at->get<std::string>());
    }

    // A row may change the clock, or a key of the player.
    static void adapt(arena::Plan& plan, const Experiment::Row& row) {
        if (const auto times = row.how.find("times"); times != row.how.end()) {
            plan.clock *= times->get<double>();
            plan.playouts =
                static_cast<std::uint64_t>(static_cast<double>(plan.playouts) * times->get<double>());
        }
        if (const auto keys = row.how.find("keys"); keys != row.how.end()) {
            std::string& player = plan.players.front();
            player += (player.find(':') == std::string::npos ? ":" : ",") + keys->get<std::string>();
        }
    }

    [[nodiscard]] arena::Plan plan_of(const Experiment::Part& part, const Experiment::Row& row) const {
        const catalogue::Shipped* game = library_.find(row.game);
        if (game == nullptr) throw Error("the library has no game " + row.game, "check --folder");
        arena::Plan plan = options_.contest.complete();
        plan.games = {game->file};
        if (!part.player.empty()) plan.players.push_back(part.player);
        for (const auto& column : part.columns) {
            if (!column.ours.empty()) plan.players.push_back(column.ours);
        }
        plan.form = part.player.empty() ? arena::Form::round_robin : arena::Form::gauntlet;
        plan.alone = part.alone;
        plan.rounds = part.alone ? options_.matches : (options_.matches + 1) / 2;
        adapt(plan, row);
        return plan;
    }

    std::vector<arena::MatchResult> play(const arena::Plan& plan, const std::string& title,
                                         const std::string& file) {
        if (options_.report_only || outcome_.code == interrupted) {
            if (!fs::exists(file)) return {};
            return arena::Record::results_of(file);
        }
        arena::Record record(file, plan.text());
        const auto result = run_with_progress(plan, options_.contest.options(), &record, title);
        if (const int code = exit_code(result); code != answered) outcome_.code = code;
        return result.matches;
    }

    void add_row(Reproduced& table, std::size_t number, const Experiment::Row& row) {
        const auto& part = experiment_.parts[number];
        const arena::Plan plan = plan_of(part, row);
        const std::string name = row.game.substr(row.game.find('/') + 1);
        const std::string file =
            (fs::path(options_.record) / fmt::format("{}-{}{}.sqlite", number + 1, name, variant(row)))
                .string();
        auto matches = play(plan, row.title, file);
        // The row is about the first matches only.
        if (const auto share = row.how.find("share"); share != row.how.end())
            matches.resize(std::min<std::size_t>(
                matches.size(), static_cast<std::size_t>(
                                    share->get<double>() * static_cast<double>(options_.matches) + 0.5)));
        for (const arena::MatchResult& match : matches) {
            for (const arena::SeatResult& seat : match.seats) late_ += seat.late, moves_ += seat.moves;
        }

        std::vector<std::string> texts = {row.title};
        json figures = json::array();
        std::uint64_t least = UINT64_MAX;
        for (std::size_t c = 0; c < part.columns.size(); ++c) {
            const auto& column = part.columns[c];
            texts.push_back(figure_text(row.published[c]));
            json figure = {{"column", column.title}, {"published", row.published[c]}, {"ours", nullptr}};
            if (!column.ours.empty()) {
                const arena::Balance balance = balance_of(plan, matches, part, c);
                texts.push_back(balance.text());
                least = std::min(least, balance.matches);
                if (balance.matches > 0) {
                    figure["ours"] = arena::json_of(
                        100 * balance.score(), {100 * balance.interval().low, 100 * balance.interval().high});
                    figure["matches"] = balance.matches;
                    if (!part.player.empty()) {
                        figure["wins"] = balance.wins;
                        figure["draws"] = balance.draws;
                        figure["losses"] = balance.losses;
                    }
                }
            }
            if (const auto statistic = statistic_of(column)) {
                figure["ours"] = measured(*statistic, plan, matches, part);
                texts.push_back(figure_text(figure["ours"]));
            }
            figures.push_back(figure);
        }
        texts.push_back(count_text(least));
        table.table.push_back(texts);
        table.rows.push_back({{"title", row.title}, {"game", row.game}, {"figures", figures}});
    }

    // Rows of one game that are played differently have records of their own.
    static std::string variant(const Experiment::Row& row) {
        return row.how.contains("times") || row.how.contains("keys") ? "-" + row.title : "";
    }

    // Of the first player: the standard deviation of its percentage, or what it counted.
    static json measured(const std::string& statistic, const arena::Plan& plan,
                         const std::vector<arena::MatchResult>& matches, const Experiment::Part& part) {
        if (statistic == "deviation") {
            std::size_t column = 0;
            while (part.columns[column].ours.empty()) ++column;
            const arena::Balance balance = balance_of(plan, matches, part, column);
            if (balance.matches == 0) return nullptr;
            const auto count = static_cast<double>(balance.matches);
            const double squares =
                (static_cast<double>(balance.wins) + 0.25 * static_cast<double>(balance.draws)) / count;
            return 100 * std::sqrt(std::max(0.0, squares - balance.score() * balance.score()) / count);
        }
        std::map<std::string, double> sum;
        const std::string label = arena::labels(plan).front();
        for (const arena::MatchResult& match : matches) {
            for (const arena::SeatResult& seat : match.seats) {
                if (seat.player != label) continue;
                for (const auto& [name, value] : seat.counters) sum[name] += value;
            }
        }
        const auto ratio = [&](const char* of, const char* by) -> json {
            if (sum[by] <= 0) return nullptr;
            return sum[of] / sum[by];
        };
        if (statistic == "nogoods") return ratio("nogoods", "micro_scsps");
        if (statistic == "symmetries") return ratio("images", "analysed");
        const json left = ratio("classes", "states");
        return left.is_null() ? left : json(100 * (1 - left.get<double>()));
    }

    // What a column tells: the player of the part against this one, or, without such a player, what it got.
    static arena::Balance balance_of(const arena::Plan& plan, const std::vector<arena::MatchResult>& matches,
                                     const Experiment::Part& part, std::size_t column) {
        std::size_t place = part.player.empty() ? 0 : 1;  // in the plan
        for (std::size_t c = 0; c < column; ++c) place += part.columns[c].ours.empty() ? 0 : 1;
        const std::string label = arena::labels(plan)[place];
        arena::Balance balance;
        if (part.player.empty()) {
            for (const arena::MatchResult& match : matches) {
                if (!match.error.empty() || match.seats.empty() || match.seats[0].player != label) continue;
                double goals = 0;
                for (const arena::SeatResult& seat : match.seats) goals += seat.goal;
                balance.add(goals / 100 / static_cast<double>(match.seats.size()));
            }
            return balance;
        }
        for (const arena::Comparison& one : arena::comparisons(plan, matches)) {
            if (one.player == 0 && one.against == place) return one.balance;
        }
        return balance;
    }

    [[nodiscard]] std::vector<std::string> remarks() const {
        const arena::Plan plan = options_.contest.complete();
        std::string move = plan.clock > 0 ? fmt::format("{} s", plan.clock) : "";
        if (plan.playouts > 0)
            move += fmt::format("{}{} playouts", move.empty() ? "" : " and ", count_text(plan.playouts));
        return {
            fmt::format("Ours: a win counts 1, a draw a half; {} a move, {} s before the first; {} of {} "
                        "moves were late.",
                        move, plan.start_clock, count_text(late_), count_text(moves_))};
    }

    const Experiment& experiment_;
    const catalogue::Library& library_;
    const ReproduceOptions& options_;
    ExperimentOutcome outcome_;
    std::uint64_t late_ = 0;
    std::uint64_t moves_ = 0;
};

}  // namespace

ExperimentOutcome reproduce_matches(const Experiment& experiment, const catalogue::Library& library,
                                    const ReproduceOptions& options) {
    return Matches(experiment, library, options).run();
}

}  // namespace zermelo::cli
