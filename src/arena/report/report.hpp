// Tournament reports: the standings as text, JSON, CSV and HTML.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "arena/report/layout.hpp"
#include "arena/standings.hpp"

namespace zermelo::arena {

// How much was played, in a line.
[[nodiscard]] std::string summary(const Standings& standings);

// Tables for a terminal.
[[nodiscard]] std::string text(const Standings& standings, const Speak& say = {});

// Everything that is in the standings. What is unknown is null: ratings and times of players without any.
[[nodiscard]] nlohmann::json json(const Standings& standings);

// One row a seat, with a head line, quoted by RFC 4180. The moves themselves stay in the record.
[[nodiscard]] std::string csv(const std::vector<MatchResult>& results);

// What every page ends with: the matches without a result, and the plan.
[[nodiscard]] std::string last_sections(const Standings& standings, const std::string& plan);

// One file that needs no other: tables, and plots as inline SVG. It is also well-formed XML. `plan` is the
// text of what was asked for.
[[nodiscard]] std::string html(const Standings& standings, const std::string& title, const std::string& plan);

}  // namespace zermelo::arena
