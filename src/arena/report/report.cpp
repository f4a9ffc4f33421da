#include "arena/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "arena/report/layout.hpp"

namespace zermelo::arena {

namespace {

std::string signed_whole(double value) {
    const std::string digits = fmt::format("{:+.0f}", value);
    return digits == "-0" || digits == "+0" ? "0" : digits;
}
std::string elo(const Rating& rating) { return rating.known() ? signed_whole(rating.elo) : "–"; }
std::string elo_range(const Rating& rating) {
    if (!rating.known()) return "–";
    return signed_whole(rating.interval.low) + " to " + signed_whole(rating.interval.high);
}
std::string duration(double seconds) { return fmt::format("{:.3f}", seconds); }
std::string known(const Spread& spread, double value) { return spread.count == 0 ? "–" : duration(value); }

bool several_groups(const Standings& standings) {
    std::optional<std::size_t> group;
    for (const PlayerStanding& player : standings.players) {
        if (!player.rating.known()) continue;
        if (group && *group != player.rating.group) return true;
        group = player.rating.group;
    }
    return false;
}
constexpr const char* groups_note =
    "Not all players are connected by matches: Elo compares only players of one group.";

// The tables of all reports; the first row is their head, and the first column names things.
Rows score_rows(const Standings& standings) {
    const bool groups = several_groups(standings);
    Rows rows = {
        {"Player", "Elo", "95 %", "Seats", "Won", "Drawn", "Lost", "Points", "Score", "95 %", "Goal"}};
    if (groups) rows[0].push_back("Group");
    for (const PlayerStanding& player : standings.players) {
        const Tally& total = player.total;
        rows.push_back({player.player, elo(player.rating), elo_range(player.rating),
                        fmt::to_string(total.seats), fmt::to_string(total.wins), fmt::to_string(total.draws),
                        fmt::to_string(total.losses), number(total.points), percent(total.score()),
                        range(total.score_interval()), fmt::format("{:.1f}", total.mean_goal())});
        if (groups) rows.back().push_back(fmt::to_string(player.rating.group + 1));
    }
    return rows;
}

Rows time_rows(const Standings& standings) {
    Rows rows = {{"Player", "Moves", "Mean (s)", "Longest (s)", "Least slack (s)", "Late", "Illegal",
                  "Playouts", "Playouts/s"}};
    for (const PlayerStanding& player : standings.players) {
        rows.push_back({player.player, fmt::to_string(player.moves),
                        player.moves == 0 ? "–" : duration(player.mean_move()),
                        known(player.longest_move, player.longest_move.greatest),
                        known(player.slack, player.slack.least), fmt::to_string(player.late),
                        fmt::to_string(player.illegal), fmt::to_string(player.playouts),
                        player.seconds > 0 ? fmt::format("{:.0f}", player.playouts_per_second()) : "–"});
    }
    return rows;
}

// Players are numbered, so that the head stays narrow.
Rows cross_rows(const Standings& standings) {
    Rows rows = {{"Player"}};
    for (std::size_t i = 0; i < standings.players.size(); ++i) {
        rows[0].push_back(fmt::to_string(i + 1));
        std::vector<std::string>& row = rows.emplace_back();
        row.push_back(fmt::format("{}. {}", i + 1, standings.players[i].player));
        for (std::size_t j = 0; j < standings.players.size(); ++j) {
            const double games = standings.games[i][j];
            row.push_back(games > 0 ? number(standings.points[i][j]) + "/" + number(games)
                          : i == j  ? ""
                                    : "–");
        }
    }
    return rows;
}

Rows game_rows(const Standings& standings) {
    Rows rows = {{"Game", "Player", "Seats", "Won", "Drawn", "Lost", "Points", "Score", "95 %", "Goal"}};
    for (std::size_t g = 0; g < standings.game_names.size(); ++g) {
        for (std::size_t p = 0; p < standings.players.size(); ++p) {
            const Tally& tally = standings.by_game[g][p];
            if (tally.seats == 0) continue;
            rows.push_back({standings.game_names[g], standings.players[p].player, fmt::to_string(tally.seats),
                            fmt::to_string(tally.wins), fmt::to_string(tally.draws),
                            fmt::to_string(tally.losses), number(tally.points), percent(tally.score()),
                            range(tally.score_interval()), fmt::format("{:.1f}", tally.mean_goal())});
        }
    }
    return rows;
}

// A line of a plot: a mark with its interval, and perhaps a box around it.
struct PlotRow {
    std::string label;
    std::string value;  // what the mark says, in words
    double mark = 0;
    Interval whisker;
    std::optional<Interval> box;
};

struct Axis {
    Interval between;
    double step = 1;
    int digits = 0;  // after the point
    std::string unit;
};

// An axis with round numbers that reaches over all rows, and over `at_least`.
Axis axis_over(const std::vector<PlotRow>& rows, Interval at_least, const std::string& unit) {
    Interval all = at_least;
    for (const PlotRow& row : rows) {
        all.low = std::min(all.low, row.whisker.low);
        all.high = std::max(all.high, row.whisker.high);
    }
    all.high = std::max(all.high, all.low + 0.001);
    constexpr double most_steps = 5;
    const double rough = (all.high - all.low) / most_steps;
    const double ten = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * ten;
    for (const double factor : {5.0, 2.0, 1.0}) {
        if (factor * ten >= rough) step = factor * ten;
    }
    const int digits = std::clamp(-static_cast<int>(std::floor(std::log10(step) + 1e-9)), 0, 9);
    return {{step * std::floor(all.low / step), step * std::ceil(all.high / step)}, step, digits, unit};
}

// The width is a telephone's; on wider screens the picture grows with its letters.
constexpr double plot_width = 340;
constexpr double plot_margin = 16;

std::string plot(const std::string& name, const std::vector<PlotRow>& rows, const Axis& axis) {
    constexpr double row_height = 36;
    constexpr std::size_t letters = 52;  // of a label and its value, side by side
    const double bottom = row_height * static_cast<double>(rows.size()) + 4;
    const auto x = [&axis](double value) {
        const double share = (value - axis.between.low) / (axis.between.high - axis.between.low);
        return plot_margin + std::clamp(share, 0.0, 1.0) * (plot_width - 2 * plot_margin);
    };
    std::string result = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        plot_width, bottom + 20, escaped(name));
    const auto ticks = static_cast<int>(std::lround((axis.between.high - axis.between.low) / axis.step));
    for (int tick = 0; tick <= ticks; ++tick) {
        const double value = axis.between.low + tick * axis.step;
        result += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"0\" y2=\"{1}\"/>",
                              x(value), bottom);
        result += fmt::format(
            "<text class=\"soft\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.{}f}{}</text>\n", x(value),
            bottom + 14, std::abs(value) < axis.step / 2 ? 0.0 : value, axis.digits,
            tick == ticks ? axis.unit : "");
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const PlotRow& row = rows[r];
        const double top = row_height * static_cast<double>(r);
        const double y = top + 25;
        result += fmt::format("<g><title>{}: {}</title>", escaped(row.label), escaped(row.value));
        result +=
            fmt::format("<text class=\"label\" x=\"0\" y=\"{}\">{}</text>", top + 13,
                        escaped(shortened(row.label, std::max<std::size_t>(letters, width(row.value) + 8) -
                                                         width(row.value))));
        result += fmt::format("<text class=\"label soft\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                              plot_width, top + 13, escaped(row.value));
        result += fmt::format("<line class=\"whisker\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{y}\" y2=\"{y}\"/>",
                              x(row.whisker.low), x(row.whisker.high), fmt::arg("y", y));
        if (row.box) {
            result +=
                fmt::format("<rect class=\"box\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"10\"/>",
                            x(row.box->low), y - 5, x(row.box->high) - x(row.box->low));
        }
        result +=
            fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{}\" r=\"4\"/></g>\n", x(row.mark), y);
    }
    return result + "</svg>\n";
}

std::string elo_plot(const Standings& standings) {
    std::vector<PlotRow> rows;
    for (const PlayerStanding& player : standings.players) {
        const Rating& rating = player.rating;
        if (!rating.known()) continue;
        rows.push_back({player.player, elo(rating) + " (" + elo_range(rating) + ")", rating.elo,
                        rating.interval, std::nullopt});
    }
    if (rows.empty()) return "<p>No two players met.</p>\n";
    return figure("Elo with 95 % intervals; the mean of those who met is 0.",
                  plot("Elo of the players", rows, axis_over(rows, {-10, 10}, "")));
}

std::string score_plots(const Standings& standings) {
    std::string result = "<div class=\"plots\">\n";
    for (std::size_t g = 0; g < standings.game_names.size(); ++g) {
        std::vector<PlotRow> rows;
        for (std::size_t p = 0; p < standings.players.size(); ++p) {
            const Tally& tally = standings.by_game[g][p];
            if (tally.seats == 0) continue;
            const Interval interval = tally.score_interval();
            rows.push_back({standings.players[p].player,
                            fmt::format("{} ({}), {}", percent(tally.score()), range(interval),
                                        counted(tally.seats, "seat", "seats")),
                            100 * tally.score(),
                            {100 * interval.low, 100 * interval.high},
                            std::nullopt});
        }
        result += fmt::format("<div><h3>{}</h3>\n{}</div>\n", escaped(standings.game_names[g]),
                              plot("Scores in " + standings.game_names[g], rows, {{0, 100}, 25, 0, " %"}));
    }
    return result + "</div>\n";
}

std::string time_plot(const Standings& standings, const std::string& caption, Spread PlayerStanding::*which) {
    std::vector<PlotRow> rows;
    for (const PlayerStanding& player : standings.players) {
        const Spread& times = player.*which;
        if (times.count == 0) continue;
        rows.push_back(
            {player.player,
             fmt::format("median {:.3g} s ({:.3g} to {:.3g} s)", times.median, times.least, times.greatest),
             times.median,
             {times.least, times.greatest},
             Interval{times.quarter, times.three_quarters}});
    }
    if (rows.empty()) return figure(caption, "<p>No clock was watched.</p>\n");
    return figure(caption, plot(caption, rows, axis_over(rows, {0, 0}, " s")));
}

// From orange by white to blue, all so light that black letters can be read on them.
std::string heat(double share) {
    const auto mix = [share](double low, double middle, double high) {
        const double value =
            share < 0.5 ? std::lerp(low, middle, 2 * share) : std::lerp(middle, high, 2 * share - 1);
        return static_cast<int>(std::lround(value));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(0xF2, 0xF7, 0x86), mix(0xA9, 0xF7, 0xB8),
                       mix(0x66, 0xF7, 0xF0));
}

std::string cross_table(const Standings& standings) {
    constexpr double label = 130;
    constexpr double cell = 42;
    constexpr double head = 18;
    const std::size_t n = standings.players.size();
    const double across = std::max(plot_width, label + cell * static_cast<double>(n));
    std::string result = fmt::format(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"Players against players\">\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" style=\"min-width: {0}px\" "
        "role=\"img\" aria-label=\"Share of points of players against players\">\n",
        across, head + cell * static_cast<double>(n));
    const auto at = [](std::size_t i) { return cell * static_cast<double>(i); };
    for (std::size_t i = 0; i < n; ++i) {
        result += fmt::format("<text x=\"{}\" y=\"12\" text-anchor=\"middle\">{}</text>",
                              label + at(i) + cell / 2, i + 1);
        result +=
            fmt::format("<g><title>{}</title><text x=\"0\" y=\"{}\">{}</text></g>\n",
                        escaped(standings.players[i].player), head + at(i) + cell / 2 + 4,
                        escaped(shortened(fmt::format("{}. {}", i + 1, standings.players[i].player), 19)));
        for (std::size_t j = 0; j < n; ++j) {
            const double left = label + at(j);
            const double top = head + at(i);
            const double games = standings.games[i][j];
            const double points = standings.points[i][j];
            const std::string box = fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", left + 1,
                                                top + 1, cell - 2, cell - 2);
            if (!(games > 0)) {
                result += fmt::format("<rect class=\"blank\" {}/>\n", box);
                continue;
            }
            const std::string words =
                fmt::format("{} against {}: {} of {} points, {} (95 %: {})", standings.players[i].player,
                            standings.players[j].player, number(points), number(games),
                            percent(points / games), range(wilson(points, games)));
            result += fmt::format(
                "<g><title>{}</title><rect {} fill=\"{}\"/><text class=\"cell\" x=\"{x}\" "
                "y=\"{}\">{:.0f} %</text>"
                "<text class=\"cell\" x=\"{x}\" y=\"{}\" font-size=\"9\">({})</text></g>\n",
                escaped(words), box, heat(points / games), top + 19, 100 * points / games, top + 32,
                number(games), fmt::arg("x", left + cell / 2));
        }
    }
    return result + "</svg>\n</div>\n";
}

nlohmann::json json_of(const Tally& tally) {
    return {{"seats", tally.seats},
            {"wins", tally.wins},
            {"draws", tally.draws},
            {"losses", tally.losses},
            {"points", tally.points},
            {"mean_goal", tally.mean_goal()},
            {"score", json_of(tally.score(), tally.score_interval())},
            {"win_rate", json_of(tally.win_rate(), tally.win_rate_interval())}};
}

nlohmann::json json_of(const Spread& spread) {
    if (spread.count == 0) return nullptr;
    return {{"least", spread.least},
            {"quarter", spread.quarter},
            {"median", spread.median},
            {"three_quarters", spread.three_quarters},
            {"greatest", spread.greatest}};
}

nlohmann::json json_of(const PlayerStanding& player) {
    nlohmann::json result = json_of(player.total);
    result["player"] = player.player;
    result["elo"] = nullptr;
    if (player.rating.known()) {
        result["elo"] = json_of(player.rating.elo, player.rating.interval);
        result["elo"]["group"] = player.rating.group + 1;
    }
    result["moves"] = player.moves;
    result["playouts"] = player.playouts;
    result["playouts_per_second"] = player.playouts_per_second();
    result["illegal"] = player.illegal;
    result["late"] = player.late;
    result["seconds"] = player.seconds;
    result["mean_move"] = player.mean_move();
    result["longest_move"] = json_of(player.longest_move);
    result["slack"] = json_of(player.slack);
    return result;
}

}  // namespace

std::string summary(const Standings& standings) {
    return fmt::format("{} of {} between {}, {} seconds of play; {} without a result",
                       counted(standings.matches, "match", "matches"),
                       counted(standings.game_names.size(), "game", "games"),
                       counted(standings.players.size(), "player", "players"), number(standings.seconds),
                       counted(standings.errors.size(), "match", "matches"));
}

std::string text(const Standings& standings, const Speak& say) {
    std::string result = summary(standings) + ".\n";
    if (!standings.players.empty()) {
        result += "\nScores\n" + aligned(score_rows(standings), 1, say);
        if (several_groups(standings)) result += fmt::format("  {}\n", groups_note);
        result += "\nMoves and time\n" + aligned(time_rows(standings), 1, say);
    }
    if (standings.players.size() > 1)
        result += "\nPoints of games, player (row) against player (column)\n" +
                  aligned(cross_rows(standings), 1, say);
    if (standings.game_names.size() > 1) result += "\nBy game\n" + aligned(game_rows(standings), 2, say);
    if (!standings.errors.empty()) {
        result += "\nMatches without a result\n";
        for (const auto& [match, error] : standings.errors) result += fmt::format("  {}: {}\n", match, error);
    }
    return result;
}

nlohmann::json json(const Standings& standings) {
    nlohmann::json result = {{"matches", standings.matches}, {"seconds", standings.seconds}};
    for (const char* list : {"players", "pairs", "games", "errors"}) result[list] = nlohmann::json::array();
    for (const PlayerStanding& player : standings.players) result["players"].push_back(json_of(player));
    for (std::size_t i = 0; i < standings.players.size(); ++i) {
        for (std::size_t j = 0; j < standings.players.size(); ++j) {
            const double games = standings.games[i][j];
            const double points = standings.points[i][j];
            if (!(games > 0)) continue;
            result["pairs"].push_back({{"player", standings.players[i].player},
                                       {"against", standings.players[j].player},
                                       {"games", games},
                                       {"points", points},
                                       {"score", json_of(points / games, wilson(points, games))}});
        }
    }
    for (std::size_t g = 0; g < standings.game_names.size(); ++g) {
        nlohmann::json game = {{"game", standings.game_names[g]}, {"players", nlohmann::json::array()}};
        for (std::size_t p = 0; p < standings.players.size(); ++p) {
            if (standings.by_game[g][p].seats == 0) continue;
            nlohmann::json tally = json_of(standings.by_game[g][p]);
            tally["player"] = standings.players[p].player;
            game["players"].push_back(std::move(tally));
        }
        result["games"].push_back(std::move(game));
    }
    for (const auto& [match, error] : standings.errors)
        result["errors"].push_back({{"match", match}, {"error", error}});
    return result;
}

std::string csv(const std::vector<MatchResult>& results) {
    std::string rows =
        "match,game,seed,plies,match_seconds,error,seat,role,player,goal,points,moves,playouts,illegal,late,"
        "seconds,longest_move,slack_least\r\n";
    for (const MatchResult& match : results) {
        const std::vector<double> points = seat_points(match);
        for (std::size_t s = 0; s < match.seats.size(); ++s) {
            const SeatResult& seat = match.seats[s];
            rows += fmt::format("{},{},{},{},{},{},", match.match, field(match.game), match.seed, match.plies,
                                field(match.seconds), field(match.error));
            rows += fmt::format("{},{},{},{},{},", s + 1, field(seat.role), field(seat.player), seat.goal,
                                match.error.empty() ? field(points[s]) : "");
            rows +=
                fmt::format("{},{},{},{},{},{},{}\r\n", seat.moves, seat.playouts, seat.illegal, seat.late,
                            field(seat.seconds), field(seat.longest_move), field(seat.slack_least));
        }
    }
    return rows;
}

std::string last_sections(const Standings& standings, const std::string& plan) {
    std::string result;
    if (!standings.errors.empty()) {
        result += "<section>\n<h2>Matches without a result</h2>\n<ul>\n";
        for (const auto& [match, error] : standings.errors)
            result += fmt::format("<li>{}: {}</li>\n", match, escaped(error));
        result += "</ul>\n</section>\n";
    }
    return result +
           fmt::format("<section>\n<h2>Plan</h2>\n<pre tabindex=\"0\">{}</pre>\n</section>\n", escaped(plan));
}

std::string html(const Standings& standings, const std::string& title, const std::string& plan) {
    std::string body = fmt::format("<p>{}.</p>\n", escaped(summary(standings)));
    if (!standings.players.empty()) {
        body += "<section>\n<h2>Scores</h2>\n";
        body += html_table("Players with Elo and share of points, each with its 95 % interval",
                           score_rows(standings), 1);
        if (several_groups(standings)) body += fmt::format("<p>{}</p>\n", groups_note);
        body += "</section>\n<section>\n<h2>Elo</h2>\n" + elo_plot(standings) + "</section>\n";
    }
    if (standings.players.size() > 1) {
        body += "<section>\n<h2>Players against players</h2>\n";
        body += figure(
            "Share of the points of the player in the row against the player in the column; in brackets: "
            "games.",
            cross_table(standings));
        body += html_table("The same as points of games", cross_rows(standings), 1) + "</section>\n";
    }
    if (!standings.game_names.empty()) {
        body += "<section>\n<h2>Scores by game</h2>\n";
        body += "<p>Per cent of the points, with 95 % intervals.</p>\n" + score_plots(standings);
        body += html_table("Scores by game and player", game_rows(standings), 2) + "</section>\n";
    }
    if (!standings.players.empty()) {
        body +=
            "<section>\n<h2>Moves and time</h2>\n<p>In the plots, each seat in a match counts once: the "
            "line reaches from the least to the greatest, the box holds the middle half, the dot is the "
            "median.</p>\n<div class=\"plots\">\n";
        body += time_plot(standings, "Longest move of a match", &PlayerStanding::longest_move);
        body += time_plot(standings, "Time left at the tightest move of a match", &PlayerStanding::slack);
        body += "</div>\n" + html_table("Moves and time", time_rows(standings), 1) + "</section>\n";
    }
    body += last_sections(standings, plan);
    return page(title, body);
}

}  // namespace zermelo::arena
