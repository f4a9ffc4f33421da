// Sweep curves: the score of the player over the values of its swept key.
//
// There is a curve against each opponent, over all games together; one in each game, against all opponents
// together; and one for everything. All pairs meet equally often in a game, so pooled matches give the mean
// over opponents and games (but a game with one seat counts half, because two matches alone are one between
// two players), and Wilson's intervals are valid for it, if a little too wide.

#pragma once

#include "arena/comparison.hpp"
#include "arena/standings.hpp"

namespace zermelo::arena {

// By value of the sweep.
using Curve = std::vector<Balance>;

struct Curves {
    Sweep sweep;
    std::vector<std::string> opponents;    // labels
    std::vector<std::string> games;        // files
    std::vector<std::vector<Curve>> each;  // [opponent][game]
    std::vector<Curve> against;            // [opponent]
    std::vector<Curve> in;                 // [game]
    Curve all;

    // The place of the value with the greatest score, the first of them; nothing without matches.
    [[nodiscard]] std::optional<std::size_t> best() const;
};

// The plan has a sweep.
[[nodiscard]] Curves curves(const Plan& plan, const std::vector<MatchResult>& results);

// A table for a terminal, and the same in Markdown.
[[nodiscard]] std::string text(const Curves& curves, const Speak& say = {});
[[nodiscard]] std::string markdown(const Curves& curves);

[[nodiscard]] nlohmann::json json(const Curves& curves);

// A row for each value, opponent and game, with a head line; `all` stands for all opponents or games.
[[nodiscard]] std::string csv(const Curves& curves);

// The curves against all opponents as a picture that needs nothing else, for light and dark pages.
[[nodiscard]] std::string svg(const Curves& curves);

// A page with pictures and tables. It is also well-formed XML. `plan` is the text of what was asked for.
[[nodiscard]] std::string html(const Curves& curves, const Standings& standings, const std::string& title,
                               const std::string& plan);

}  // namespace zermelo::arena
