#include "arena/report/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "arena/report/report.hpp"

namespace zermelo::arena {

namespace {

// A row for each value, a column for each of the curves, and one for all.
Rows value_rows(const Curves& curves, const std::vector<std::string>& names, const std::vector<Curve>& each) {
    Rows rows = {{curves.sweep.key}};
    const bool several = each.size() > 1;
    rows[0].insert(rows[0].end(), names.begin(), names.end());
    if (several) rows[0].push_back("all");
    rows[0].push_back("Matches");
    for (std::size_t v = 0; v < curves.sweep.values.size(); ++v) {
        auto& row = rows.emplace_back(std::vector{value_text(curves.sweep.values[v])});
        for (const Curve& curve : each) row.push_back(curve[v].text());
        if (several) row.push_back(curves.all[v].text());
        row.push_back(fmt::to_string(curves.all[v].matches));
    }
    return rows;
}

std::string against_caption(const Curves& curves) {
    return fmt::format("Scores of {} by {}, against each opponent, with 95 % intervals", curves.sweep.player,
                       curves.sweep.key);
}
std::string games_caption(const Curves& curves) {
    return fmt::format("Scores of {} by {}, in each game, with 95 % intervals", curves.sweep.player,
                       curves.sweep.key);
}

// The best value, and how far the others could reach it.
std::string best_text(const Curves& curves) {
    const auto best = curves.best();
    if (!best) return "No match has a result.";
    const Balance& top = curves.all[*best];
    std::string rivals;
    for (std::size_t v = 0; v < curves.all.size(); ++v) {
        if (v == *best) continue;
        if (curves.all[v].interval().high < top.interval().low) continue;
        rivals += (rivals.empty() ? "" : ", ") + value_text(curves.sweep.values[v]);
    }
    return fmt::format("The best score is at {} = {}: {} (95 %: {}). {}", curves.sweep.key,
                       value_text(curves.sweep.values[*best]), percent(top.score()), range(top.interval()),
                       rivals.empty() ? "No other interval overlaps with it."
                                      : "Intervals that overlap with its interval: " + rivals + ".");
}

// One line of the picture.
struct Line {
    std::string name;
    std::string classes;
    const Curve* curve;
};

// One line for each of the curves, and one for all of them where there are several.
std::vector<Line> lines_of(const Curves& curves, const std::vector<std::string>& names,
                           const std::vector<Curve>& each) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < each.size(); ++i) {
        // When the colours are used up, they come again with dashes.
        const bool again = i / series_colours % 2 == 1;
        lines.push_back(
            {names[i], fmt::format("series{}{}", i % series_colours + 1, again ? " dashed" : ""), &each[i]});
    }
    if (each.size() > 1) lines.push_back({"all", "all", &curves.all});
    return lines;
}

// Where the values stand. Values over more than two powers of ten stand by their logarithms.
class Across {
public:
    Across(const std::vector<double>& values, double left, double right)
        : logarithmic_(values.front() > 0 && values.back() / values.front() > 100),
          low_(at(values.front())),
          high_(at(values.back())),
          left_(left),
          right_(right) {}
    [[nodiscard]] double operator()(double value) const {
        return left_ + (at(value) - low_) / (high_ - low_) * (right_ - left_);
    }

private:
    [[nodiscard]] double at(double value) const { return logarithmic_ ? std::log(value) : value; }
    bool logarithmic_;
    double low_;
    double high_;
    double left_;
    double right_;
};

std::string picture(const std::string& name, const Sweep& sweep, const std::vector<Line>& lines,
                    bool stands_alone) {
    constexpr double across = 480;
    constexpr double left = 40;
    constexpr double right = across - 16;
    constexpr double top = 22;
    constexpr double bottom = 240;
    constexpr double legend = bottom + 46;
    constexpr double legend_row = 16;
    constexpr double legend_column = 150;
    constexpr std::size_t legend_columns = 3;
    const auto legend_rows = static_cast<double>((lines.size() + legend_columns - 1) / legend_columns);
    const double height = legend + legend_row * legend_rows;
    // Lines stand side by side by a little, so that their intervals do not cover each other.
    const double between = std::min(4.0, 24.0 / static_cast<double>(lines.size()));
    const double spread = between * static_cast<double>(lines.size() - 1) / 2;
    const Across x(sweep.values, left + spread + 4, right - spread - 4);
    const auto y = [](double share) { return bottom - share * (bottom - top); };

    std::string result = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        across, height, escaped(name));
    if (stands_alone) {
        result += picture_style();
        result += fmt::format("<rect class=\"paper\" width=\"{}\" height=\"{}\"/>\n", across, height);
    }
    for (int share = 0; share <= 100; share += 25) {
        result += fmt::format(
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{y:.1f}\" y2=\"{y:.1f}\"/>"
            "<text class=\"soft\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{} %</text>\n",
            left, right, left - 4, y(share / 100.0) + 4, share, fmt::arg("y", y(share / 100.0)));
    }
    // A tick at every value, and its number where there is room for it.
    double free_from = 0;
    for (const double value : sweep.values) {
        const std::string label = value_text(value);
        const double half = 3.5 * static_cast<double>(width(label));
        result += fmt::format("<line class=\"grid\" x1=\"{x:.1f}\" x2=\"{x:.1f}\" y1=\"{}\" y2=\"{}\"/>",
                              bottom, bottom + 4, fmt::arg("x", x(value)));
        if (x(value) - half < free_from) continue;
        free_from = x(value) + half;
        result += fmt::format("<text class=\"soft\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                              x(value), bottom + 16, label);
    }
    result +=
        fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{} of {}</text>\n", (left + right) / 2,
                    bottom + 31, escaped(sweep.key), escaped(shortened(sweep.player, 40)));
    result += "<text x=\"4\" y=\"12\">score</text>\n";

    for (std::size_t l = 0; l < lines.size(); ++l) {
        const Line& line = lines[l];
        const double aside = between * static_cast<double>(l) - spread;
        std::string path;
        std::string marks;
        for (std::size_t v = 0; v < sweep.values.size(); ++v) {
            const Balance& balance = (*line.curve)[v];
            if (balance.matches == 0) continue;
            const double here = x(sweep.values[v]) + aside;
            const Interval interval = balance.interval();
            path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", here, y(balance.score()));
            marks += fmt::format(
                "<g><title>{}, {} = {}: {}, {}</title>"
                "<line class=\"reach\" x1=\"{x:.1f}\" x2=\"{x:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
                "<circle class=\"spot\" cx=\"{x:.1f}\" cy=\"{:.1f}\" r=\"3\"/></g>\n",
                escaped(line.name), escaped(sweep.key), value_text(sweep.values[v]), balance.text(),
                counted(balance.matches, "match", "matches"), y(interval.low), y(interval.high),
                y(balance.score()), fmt::arg("x", here));
        }
        result += fmt::format("<g class=\"{}\">\n", line.classes);
        if (!path.empty()) result += fmt::format("<polyline class=\"curve\" points=\"{}\"/>\n", path);
        const double from = left + legend_column * static_cast<double>(l % legend_columns);
        const double row = legend + legend_row * static_cast<double>(l / legend_columns);
        result += marks;
        result += fmt::format(
            "<polyline class=\"curve\" points=\"{},{y} {},{y}\"/><text x=\"{}\" y=\"{}\">{}</text>\n</g>\n",
            from, from + 16, from + 21, row + 4, escaped(shortened(line.name, 20)), fmt::arg("y", row));
    }
    return result + "</svg>\n";
}

std::string against_picture(const Curves& curves, bool stands_alone) {
    return picture(against_caption(curves), curves.sweep, lines_of(curves, curves.opponents, curves.against),
                   stands_alone);
}

nlohmann::json json_of(const Sweep& sweep, const Curve& curve) {
    auto points = nlohmann::json::array();
    for (std::size_t v = 0; v < curve.size(); ++v) {
        const Balance& balance = curve[v];
        points.push_back({{"value", sweep.values[v]},
                          {"matches", balance.matches},
                          {"wins", balance.wins},
                          {"draws", balance.draws},
                          {"losses", balance.losses},
                          {"points", balance.points},
                          {"score", balance.matches == 0 ? nlohmann::json()
                                                         : json_of(balance.score(), balance.interval())}});
    }
    return points;
}

}  // namespace

std::optional<std::size_t> Curves::best() const {
    std::optional<std::size_t> found;
    for (std::size_t v = 0; v < all.size(); ++v) {
        if (all[v].matches > 0 && (!found || all[v].score() > all[*found].score())) found = v;
    }
    return found;
}

Curves curves(const Plan& plan, const std::vector<MatchResult>& results) {
    Curves result;
    result.sweep = plan.sweep.value();
    const auto names = labels(plan);
    const std::size_t values = plan.challengers();
    result.opponents.assign(names.begin() + static_cast<std::ptrdiff_t>(values), names.end());
    result.games = plan.games;
    result.all.resize(values);
    result.against.assign(result.opponents.size(), result.all);
    result.in.assign(result.games.size(), result.all);
    result.each.assign(result.opponents.size(), result.in);
    for (const Comparison& one : comparisons(plan, results)) {
        const std::size_t opponent = one.against - values;
        result.each[opponent][one.game][one.player] += one.balance;
        result.against[opponent][one.player] += one.balance;
        result.in[one.game][one.player] += one.balance;
        result.all[one.player] += one.balance;
    }
    return result;
}

std::string text(const Curves& curves, const Speak& say) {
    std::string result = against_caption(curves) + "\n" +
                         aligned(value_rows(curves, curves.opponents, curves.against), 0, say);
    if (curves.games.size() > 1)
        result += "\n" + games_caption(curves) + "\n" +
                  aligned(value_rows(curves, game_titles(curves.games), curves.in), 0, say);
    return result + "\n" + best_text(curves) + "\n";
}

std::string markdown(const Curves& curves) {
    std::string result = against_caption(curves) + ":\n\n" +
                         markdown_table(value_rows(curves, curves.opponents, curves.against), 0);
    if (curves.games.size() > 1)
        result += "\n" + games_caption(curves) + ":\n\n" +
                  markdown_table(value_rows(curves, game_titles(curves.games), curves.in), 0);
    return result + "\n" + best_text(curves) + "\n";
}

nlohmann::json json(const Curves& curves) {
    nlohmann::json result = {{"player", curves.sweep.player},
                             {"key", curves.sweep.key},
                             {"values", curves.sweep.values},
                             {"all", json_of(curves.sweep, curves.all)},
                             {"best", nullptr},
                             {"against", nlohmann::json::array()},
                             {"games", nlohmann::json::array()}};
    if (const auto best = curves.best()) result["best"] = curves.sweep.values[*best];
    for (std::size_t o = 0; o < curves.opponents.size(); ++o) {
        nlohmann::json one = {{"opponent", curves.opponents[o]},
                              {"curve", json_of(curves.sweep, curves.against[o])},
                              {"games", nlohmann::json::array()}};
        for (std::size_t g = 0; g < curves.games.size(); ++g)
            one["games"].push_back(
                {{"game", curves.games[g]}, {"curve", json_of(curves.sweep, curves.each[o][g])}});
        result["against"].push_back(std::move(one));
    }
    for (std::size_t g = 0; g < curves.games.size(); ++g)
        result["games"].push_back(
            {{"game", curves.games[g]}, {"curve", json_of(curves.sweep, curves.in[g])}});
    return result;
}

std::string csv(const Curves& curves) {
    std::string rows = "value,against,game,matches,wins,draws,losses,points,score,low,high\r\n";
    const auto add = [&](const std::string& opponent, const std::string& game, const Curve& curve) {
        for (std::size_t v = 0; v < curve.size(); ++v) {
            const Balance& one = curve[v];
            rows +=
                fmt::format("{},{},{},{},{},{},{},{},", value_text(curves.sweep.values[v]), field(opponent),
                            field(game), one.matches, one.wins, one.draws, one.losses, field(one.points));
            rows += one.matches == 0 ? ",,\r\n"
                                     : fmt::format("{},{},{}\r\n", field(one.score()),
                                                   field(one.interval().low), field(one.interval().high));
        }
    };
    add("all", "all", curves.all);
    for (std::size_t o = 0; o < curves.opponents.size(); ++o)
        add(curves.opponents[o], "all", curves.against[o]);
    for (std::size_t g = 0; g < curves.games.size(); ++g) add("all", curves.games[g], curves.in[g]);
    for (std::size_t o = 0; o < curves.opponents.size(); ++o) {
        for (std::size_t g = 0; g < curves.games.size(); ++g)
            add(curves.opponents[o], curves.games[g], curves.each[o][g]);
    }
    return rows;
}

std::string svg(const Curves& curves) { return against_picture(curves, true); }

std::string html(const Curves& curves, const Standings& standings, const std::string& title,
                 const std::string& plan) {
    std::string body =
        fmt::format("<p>{}. {}</p>\n", escaped(summary(standings)), escaped(best_text(curves)));
    body += "<section>\n<h2>Against each opponent</h2>\n";
    body += figure(against_caption(curves), against_picture(curves, false));
    body += html_table("Against each opponent, in all games",
                       value_rows(curves, curves.opponents, curves.against), 0) +
            "</section>\n";
    if (curves.games.size() > 1) {
        const auto titles = game_titles(curves.games);
        body += "<section>\n<h2>In each game</h2>\n<div class=\"plots\">\n";
        for (std::size_t g = 0; g < curves.games.size(); ++g) {
            std::vector<Curve> here;
            for (const std::vector<Curve>& opponent : curves.each) here.push_back(opponent[g]);
            auto lines = lines_of(curves, curves.opponents, here);
            if (here.size() > 1) lines.back().curve = &curves.in[g];
            body += fmt::format("<div><h3>{}</h3>\n{}</div>\n", escaped(titles[g]),
                                picture("Scores in " + titles[g], curves.sweep, lines, false));
        }
        body += "</div>\n" +
                html_table("In each game, against all opponents", value_rows(curves, titles, curves.in), 0) +
                "</section>\n";
    }
    body += last_sections(standings, plan);
    return page(title, body);
}

}  // namespace zermelo::arena
