#include "arena/report/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace zermelo::arena {

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }
std::string range(Interval shares) {
    return fmt::format("{:.0f} to {:.0f} %", 100 * shares.low, 100 * shares.high);
}
std::string number(double value) {
    std::string digits = fmt::format("{:.2f}", value);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits == "-0" ? "0" : digits;
}
std::string counted(std::uint64_t count, const std::string& one, const std::string& many) {
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string aligned(Rows rows, std::size_t names, const Speak& say) {
    for (auto& row : rows) {
        for (std::string& cell : row) {
            if (say) cell = say(cell);
        }
    }
    std::vector<std::size_t> widths(rows[0].size(), 0);
    for (const auto& row : rows) {
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width(row[c]));
    }
    std::string result;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            const std::string space(widths[c] - width(row[c]), ' ');
            line += c == 0 ? "  " : "   ";
            line += c < names ? row[c] + space : space + row[c];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + "\n";
    }
    return result;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            case '\'':
                result += "&#39;";
                break;
            default:
                result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
        }
    }
    return result;
}

std::string shortened(const std::string& text, std::size_t most) {
    if (width(text) <= most) return text;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < text.size(); ++end) {
        if ((static_cast<unsigned char>(text[end]) & 0xC0) != 0x80 && seen++ == most - 1) break;
    }
    return text.substr(0, end) + "…";
}

namespace {

constexpr const char* colours = R"(
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1b1b; --soft: #555555; --line: #c8c8c8;
  --mark: #0b57a4; --band: #a9cbef; --head: #eef2f6; --series1: #0b57a4; --series2: #b8400a; --series3: #00795b;
  --series4: #8e3a7f; --series5: #8a6100; --series6: #26748f; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --ink: #ececec; --soft: #b4b4b4;
  --line: #4a4f55; --mark: #8cc2ff; --band: #2d5682; --head: #22272c; --series1: #8cc2ff; --series2: #ff9d6b;
  --series3: #5fd0ab; --series4: #e3a3d8; --series5: #e0b84d; --series6: #7fd4ee; } }
)";

constexpr const char* layout = R"(* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 70rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0 0 0.25rem; overflow-wrap: anywhere; }
p, figcaption, caption { color: var(--soft); }
figure { margin: 0; }
figcaption, caption { font-size: 0.9rem; text-align: left; padding-bottom: 0.4rem; }
.wide { overflow-x: auto; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th { background: var(--head); }
th[scope=row], td.name, thead th.name { text-align: left; }
pre { overflow-x: auto; padding: 0.75rem; background: var(--head); font-size: 0.85rem; }
svg { display: block; width: 100%; height: auto; max-width: 40rem; }
)";

constexpr const char* pictures = R"(svg { font: 11px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .soft { fill: var(--soft); }
svg .label { stroke: var(--page); stroke-width: 4; paint-order: stroke; }
svg .paper { fill: var(--page); }
svg .grid { stroke: var(--line); stroke-width: 1; }
svg .whisker { stroke: var(--mark); stroke-width: 2; }
svg .box { fill: var(--band); stroke: var(--mark); stroke-width: 1; }
svg .dot { fill: var(--mark); stroke: var(--page); stroke-width: 1; }
svg .blank { fill: var(--head); }
svg text.cell { fill: #111111; text-anchor: middle; }
svg .curve { fill: none; stroke: currentColor; stroke-width: 1.5; }
svg .all .curve { stroke-width: 3; }
svg .dashed .curve { stroke-dasharray: 5 3; }
svg .reach { stroke: currentColor; stroke-width: 1; opacity: 0.65; }
svg .spot { fill: currentColor; stroke: var(--page); stroke-width: 1; }
svg .all { color: var(--ink); }
)";

std::string styles(bool whole_page) {
    std::string result = colours;
    if (whole_page) result += layout;
    result += pictures;
    for (std::size_t i = 1; i <= series_colours; ++i)
        result += fmt::format("svg .series{0} {{ color: var(--series{0}); }}\n", i);
    return result;
}

// In a cell of Markdown a bar would end it, and other signs would be marks.
std::string marked_down(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view("|\\`*_<>[]#").find(c) != std::string_view::npos) result += '\\';
        result += c == '\n' || c == '\r' ? ' ' : c;
    }
    return result;
}

}  // namespace

std::string markdown_table(const Rows& rows, std::size_t names) {
    std::string result;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (const std::string& cell : rows[r]) result += "| " + marked_down(cell) + " ";
        result += "|\n";
        if (r > 0) continue;
        for (std::size_t c = 0; c < rows[0].size(); ++c) result += c < names ? "|---" : "|---:";
        result += "|\n";
    }
    return result;
}

std::string page(const std::string& title, const std::string& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
        "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\"/>\n"
        "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{2}"
        "</main>\n</body>\n</html>\n",
        escaped(title), styles(true), body);
}

std::string picture_style() { return fmt::format("<style>{}</style>\n", styles(false)); }

std::string html_table(const std::string& caption, const Rows& rows, std::size_t names) {
    std::string result = fmt::format(
        "<div class=\"wide\" role=\"region\" tabindex=\"0\" aria-label=\"{0}\">\n<table>\n"
        "<caption>{0}</caption>\n<thead><tr>",
        escaped(caption));
    for (std::size_t c = 0; c < rows[0].size(); ++c) {
        result += fmt::format("<th scope=\"col\"{}>{}</th>", c < names ? " class=\"name\"" : "",
                              escaped(rows[0][c]));
    }
    result += "</tr></thead>\n<tbody>\n";
    for (std::size_t r = 1; r < rows.size(); ++r) {
        result += fmt::format("<tr><th scope=\"row\">{}</th>", escaped(rows[r][0]));
        for (std::size_t c = 1; c < rows[r].size(); ++c) {
            result += fmt::format("<td{}>{}</td>", c < names ? " class=\"name\"" : "", escaped(rows[r][c]));
        }
        result += "</tr>\n";
    }
    return result + "</tbody>\n</table>\n</div>\n";
}

std::string figure(const std::string& caption, const std::string& picture) {
    return fmt::format("<figure>\n<figcaption>{}</figcaption>\n{}</figure>\n", escaped(caption), picture);
}

nlohmann::json json_of(double value, Interval interval) {
    return {{"value", value}, {"low", interval.low}, {"high", interval.high}};
}

std::string field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}
std::string field(double value) { return std::isfinite(value) ? fmt::to_string(value) : ""; }

std::vector<std::string> game_titles(const std::vector<std::string>& files) {
    std::vector<std::string> stems;
    for (const std::string& file : files) stems.push_back(std::filesystem::path(file).stem().string());
    std::vector<std::string> titles;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const bool alone = !stems[i].empty() && std::ranges::count(stems, stems[i]) == 1;
        titles.push_back(alone ? stems[i] : files[i]);
    }
    return titles;
}

}  // namespace zermelo::arena
