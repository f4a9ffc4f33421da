// Published experiments: the tables of papers, as games/papers/*.json hold them.
//
// An experiment has parts, each a table: a row for a game, a column for a figure. `ours` of a column says by
// what this program fills it: a quantity that it measures, or a player; none where it has nothing like it.
//
//     { "title": "…", "from": "…", "aliases": ["…"], "what": "networks",
//       "parts": [ { "columns": [{"title": "variables", "ours": "variables"}, …],
//                    "rows": [{"title": "Awale", "game": "gdl/awale", "published": [19, …]}, …] } ] }
//
// how: of models, for a column or a row: {"search": "algorithm 1"} (Barichard and Stéphan 2017: no table,
// ascending values, won when everything is assigned), "as_qcsp", "cuts", "pure_values" and "symmetry" (true or
// false), "matrix": {"depth", "density", "seed"} for a generated board. What a column says comes before what its
// row says.
// figure: of a part, {"x": "matches", "y": "nodes"}: its columns are curves over the titles of the rows, which
// grow; where one has not been solved in time, the greater ones of its column are not tried.
// aliases: names that the experiment had before; they are understood and never listed. May be left out.
// how, of matches: {"statistic": "nogoods", "symmetries", "ame" or "deviation"} fills a column with what the part's
// player counted, or with the standard deviation of its percentage; a row may multiply the clock ("times": 2), add
// keys to the player ("keys": "resolve=50"), or be about the first matches only ("share": 0.2).
// what: networks (quantities variables, largest_domain, constraints, seconds), models (verdict, seconds,
// nodes, choices, spaces, propagations, variables, constraints; rows may `define` parameters), or matches (players). Of matches, the
// `player` of a part meets the player of each column; in a part that is `alone` each of them takes all seats,
// and goals are compared, or, where the part has no `player`, told.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zermelo::catalogue {

struct Experiment {
    enum class What { networks, models, matches };
    struct Column {
        std::string title;
        std::string ours;  // empty: nothing
        nlohmann::json how = nlohmann::json::object();
    };
    struct Row {
        std::string title;
        std::string game;  // an id of the library
        std::vector<std::string> definitions;
        std::vector<nlohmann::json> published;  // by column; null: not given
        nlohmann::json how = nlohmann::json::object();
    };
    struct Axes {
        std::string x;
        std::string y;
    };
    struct Part {
        std::string title;
        std::string player;
        bool alone = false;
        std::vector<Column> columns;
        std::vector<Row> rows;
        std::optional<Axes> figure = {};
        std::vector<std::string> remarks = {};  // what differs from the paper, and why
    };
    std::string name;                  // mac-ucb-table1: the name of the file
    std::vector<std::string> aliases;  // former names, which people may still type
    std::string title;
    std::string from;
    What what = What::networks;
    std::vector<Part> parts;
};

// All of FOLDER/papers, by name. Throws Error where a file cannot be read.
[[nodiscard]] std::vector<Experiment> experiments(const std::string& folder);

// The experiment with this name or, where there is none, with this alias; null where there is neither.
[[nodiscard]] const Experiment* find_experiment(std::span<const Experiment> all, std::string_view name);

}  // namespace zermelo::catalogue
