#include "ggp/player/status_page.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "arena/report/layout.hpp"
#include "core/format/json_text.hpp"
#include "zermelo/version.hpp"

namespace zermelo::ggp {

std::string status_page(const nlohmann::json& now) {
    const auto text = [](const nlohmann::json& value) {
        return arena::escaped(value.is_string() ? value.get<std::string>() : json_text(value));
    };
    std::string rows;
    for (const auto& match : now["matches"]) {
        rows += "<tr>";
        for (const char* key : {"match", "role", "turn", "play_clock", "engine", "remark"})
            rows += fmt::format("<td>{}</td>", text(match[key]));
        rows += "</tr>\n";
    }
    std::string left;
    for (const auto& one : now["clock_left"])
        left += fmt::format("<tr><td>{}</td><td>{:.2f} %</td></tr>\n", text(one["at_most_seconds"]),
                            100 * one["share"].get<double>());
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\n"
        "<meta name=\"viewport\" content=\"width=device-width\"><meta http-equiv=\"refresh\" "
        "content=\"5\">\n"
        "<style>:root{{color-scheme:light dark}}body{{font:16px sans-serif;margin:2em}}"
        "td,th{{padding:.2em .8em;text-align:left}}</style></head>\n"
        "<body><h1>{0}</h1>\n<p>Zermelo {1}, strategy {2}: {3}.</p>\n"
        "<h2>Matches</h2>\n<table><tr><th>Match</th><th>Role</th><th>Turn</th><th>Play-clock</th>"
        "<th>Engine</th><th>Last move</th></tr>\n{4}</table>\n"
        "<h2>Left on the clock</h2>\n<table><tr><th>At most, "
        "seconds</th><th>Moves</th></tr>\n{5}</table>\n"
        "<p><a href=\"/status.json\">JSON</a>, <a href=\"/metrics\">metrics</a></p></body></html>\n",
        text(now["name"]), ZERMELO_VERSION, text(now["strategy"]), text(now["status"]), rows, left);
}

}  // namespace zermelo::ggp
