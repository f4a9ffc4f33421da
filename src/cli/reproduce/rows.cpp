// Tables whose rows are games and whose columns are figures, the published one before ours.

#include <algorithm>

#include "cli/reproduce/reproduce.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

bool has_published(const Experiment::Part& part, std::size_t column) {
    return std::ranges::any_of(part.rows,
                               [&](const Experiment::Row& row) { return !row.published[column].is_null(); });
}

// A figure that both have stands twice.
std::vector<std::string> head(const Experiment::Part& part) {
    std::vector<std::string> titles = {part.figure ? part.figure->x : "game"};
    for (std::size_t c = 0; c < part.columns.size(); ++c) {
        const auto& column = part.columns[c];
        if (column.ours.empty() || !has_published(part, c)) {
            titles.push_back(column.title);
        } else {
            titles.push_back(column.title + ", paper");
            titles.emplace_back("ours");
        }
    }
    return titles;
}

void add_row(Reproduced& table, const Experiment::Part& part, const Experiment::Row& row,
             const RowFigures& ours) {
    std::vector<std::string> texts = {row.title};
    json published = json::object();
    json figures = json::object();
    for (std::size_t c = 0; c < part.columns.size(); ++c) {
        const auto& column = part.columns[c];
        published[column.title] = row.published[c];
        if (column.ours.empty() || has_published(part, c)) texts.push_back(figure_text(row.published[c]));
        if (column.ours.empty()) continue;
        const json& measured = ours.by_column.empty() ? ours.all : ours.by_column[c];
        figures[column.title] = measured.value(column.ours, json());
        texts.push_back(figure_text(figures[column.title]));
    }
    table.table.push_back(texts);
    table.rows.push_back({{"title", row.title},
                          {"game", row.game},
                          {"published", published},
                          {"ours", ours.all},
                          {"figures", figures}});
}

}  // namespace

std::string game_file(const catalogue::Library& library, const Experiment::Row& row) {
    const catalogue::Shipped* game = library.find(row.game);
    if (game == nullptr) throw Error("the library has no game " + row.game, "check --folder");
    return game->file;
}

ExperimentOutcome for_each_row(const Experiment& experiment, const ReproduceOptions& options,
                               const MeasureRow& measure) {
    ExperimentOutcome outcome;
    const Limits limits;
    ProgressLine progress;
    Share share;
    for (const auto& part : experiment.parts) {
        for (const auto& row : part.rows) share.of += options.wants(row) ? 1 : 0;
    }
    for (const auto& part : experiment.parts) {
        Reproduced table{part.title, {head(part)}, json::array(), part.remarks, part.figure};
        for (const auto& row : part.rows) {
            if (!options.wants(row) || limits.reached() != Stop::none) continue;
            progress.show(row.title, share);
            add_row(table, part, row, measure(part, row));
            ++share.done;
        }
        outcome.parts.push_back(std::move(table));
    }
    progress.clear();
    outcome.code = exit_code(limits.reached());
    return outcome;
}

}  // namespace zermelo::cli
