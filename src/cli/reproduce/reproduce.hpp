// What the kinds of experiments of `zermelo reproduce` share, a file each.

#pragma once

#include "arena/report/layout.hpp"
#include "catalogue/library.hpp"
#include "catalogue/paper.hpp"
#include "cli/match_options.hpp"

namespace zermelo::cli {

using catalogue::Experiment;

struct ReproduceOptions {
    std::vector<std::string> games;  // ids or names; none: all
    MatchSettings contest;           // of matches
    std::uint64_t matches = 10;      // in each place of the table
    std::string record;              // folder
    bool report_only = false;
    double seconds = 60;  // for a model

    [[nodiscard]] bool wants(const Experiment::Row& row) const;
};

// A table with the published figures beside ours, as text and as JSON.
struct Reproduced {
    std::string title;
    arena::Rows table;
    nlohmann::json rows = nlohmann::json::array();
    std::vector<std::string> remarks = {};
    std::optional<Experiment::Axes> figure = {};
};

struct ExperimentOutcome {
    std::vector<Reproduced> parts;
    int code = answered;
};

// What was measured for a row: by column, and where a column asks for nothing special; without columns, the same
// for all of them.
struct RowFigures {
    nlohmann::json all = nlohmann::json::object();
    std::vector<nlohmann::json> by_column;
};
using MeasureRow = std::function<RowFigures(const Experiment::Part&, const Experiment::Row&)>;

// For every row that is wanted, as long as there is time.
[[nodiscard]] ExperimentOutcome for_each_row(const Experiment& experiment, const ReproduceOptions& options,
                                             const MeasureRow& measure);

// Throws Error where the library does not have the row's game.
[[nodiscard]] std::string game_file(const catalogue::Library& library, const Experiment::Row& row);

// A figure as a table shows it: – where there is none.
[[nodiscard]] std::string figure_text(const nlohmann::json& figure);

[[nodiscard]] ExperimentOutcome reproduce_networks(const Experiment& experiment,
                                                   const catalogue::Library& library,
                                                   const ReproduceOptions& options);
[[nodiscard]] ExperimentOutcome reproduce_models(const Experiment& experiment,
                                                 const catalogue::Library& library,
                                                 const ReproduceOptions& options);
[[nodiscard]] ExperimentOutcome reproduce_matches(const Experiment& experiment,
                                                  const catalogue::Library& library,
                                                  const ReproduceOptions& options);

}  // namespace zermelo::cli
