// Game library: the games that are shipped, a file each, with their titles, rules in words and tags.
//
// The folder is read once, when the program starts: FOLDER/gdl/*.kif, FOLDER/graphs/*.json and *.dot, and
// FOLDER/{quantified,strategic,stochastic,planning}/*.mzn. The title and the rules in words are the comment
// that heads a file; a line "Tags: a, b" in it names the themes. NAME.hints.json beside it may add these in
// French, how to draw the board (Hints of web/src/api.ts), the verdict where it is known, and initial values
// for the parameters of a model:
//
//     { "title": {"en": "…", "fr": "…"}, "words": {"fr": "…"}, "solved": "drawn", "parameters": {"n": "5"},
//       "board": {…}, "pieces": {…}, "roles": {…} }
//
// No other file can be asked for.

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/limits.hpp"
#include "gdl/syntax/description.hpp"

namespace zermelo::catalogue {

using nlohmann::json;

enum class Kind { gdl, minizinc, graph };
[[nodiscard]] const char* name(Kind kind);

struct Shipped {
    std::string id;    // gdl/tic-tac-toe
    std::string file;  // where it lies
    Kind kind = Kind::gdl;
    std::string text;
    json hints = json::object();
    json summary;  // GameSummary of web/src/api.ts
};

class Library {
public:
    explicit Library(const std::string& folder);  // throws Error where it cannot be read

    [[nodiscard]] const std::vector<Shipped>& games() const { return games_; }  // by id
    [[nodiscard]] const Shipped* find(const std::string& id) const;             // null where there is none

private:
    std::vector<Shipped> games_;
};

// Who plays, and the tags, of a game in GDL, as far as its rules and the first moves of a play show within
// the limits.
struct Outline {
    std::vector<std::string> seats;
    std::vector<std::string> tags;
};
[[nodiscard]] Outline outline(const gdl::Description& game, const Limits& limits);

}  // namespace zermelo::catalogue
