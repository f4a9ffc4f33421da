// Experiments on networks and models: how large they are, and how long it takes to build or to solve them.

#include <fmt/format.h>

#include "cli/reproduce/reproduce.hpp"
#include "cli/solve/flags.hpp"
#include "gdl/game.hpp"
#include "scsp/preprocess.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

const catalogue::Shipped& game_of(const catalogue::Library& library, const Experiment::Row& row) {
    const catalogue::Shipped* game = library.find(row.game);
    if (game == nullptr) throw Error("the library has no game " + row.game, "check --folder");
    return *game;
}

// Each figure that both have stands twice, the published one before ours.
std::vector<std::string> head(const Experiment::Part& part) {
    std::vector<std::string> titles = {"game"};
    for (const auto& column : part.columns) {
        titles.push_back(column.title + (column.ours.empty() ? "" : ", paper"));
        if (!column.ours.empty()) titles.push_back("ours");
    }
    return titles;
}

void add_row(Reproduced& table, const Experiment::Part& part, const Experiment::Row& row, const json& ours) {
    std::vector<std::string> texts = {row.title};
    json published = json::object();
    for (std::size_t c = 0; c < part.columns.size(); ++c) {
        const auto& column = part.columns[c];
        published[column.title] = row.published[c];
        texts.push_back(figure_text(row.published[c]));
        if (!column.ours.empty()) texts.push_back(figure_text(ours.value(column.ours, json())));
    }
    table.table.push_back(texts);
    table.rows.push_back(
        {{"title", row.title}, {"game", row.game}, {"published", published}, {"ours", ours}});
}

// For every row that is wanted, as long as there is time. `measure` tells ours.
ExperimentOutcome for_each_row(const Experiment& experiment, const ReproduceOptions& options,
                               const std::function<json(const Experiment::Row&)>& measure) {
    ExperimentOutcome outcome;
    const Limits limits;
    ProgressLine progress;
    for (const auto& part : experiment.parts) {
        Reproduced table{part.title, {head(part)}};
        for (const auto& row : part.rows) {
            if (!options.wants(row) || limits.reached() != Stop::none) continue;
            progress.show(row.title);
            add_row(table, part, row, measure(row));
        }
        outcome.parts.push_back(std::move(table));
    }
    progress.clear();
    outcome.code = exit_code(limits.reached());
    return outcome;
}

// Reading, grounding, finding the groups, translating and preprocessing: all that the paper calls
// translation.
json network(const std::string& file) {
    const double start = cpu_seconds();
    const gdl::Game game(file);
    scsp::MicroScsp network = scsp::make_micro_scsp(game, scsp::find_mutex_groups(game.machine()));
    const std::size_t variables = network.variables.size();
    const std::size_t largest = network.largest_domain();
    const std::size_t constraints = network.constraints.size();
    (void)scsp::preprocess(network);
    return {{"variables", variables},
            {"largest_domain", largest},
            {"constraints", constraints},
            {"seconds", cpu_seconds() - start}};
}

json solved(const std::string& file, const std::vector<std::string>& definitions, double seconds) {
    const Limits limits(seconds, std::nullopt);
    ReadOptions reading;
    reading.limits = limits;
    reading.minizinc.definitions = definitions;
    const Problem problem = read(file, reading);
    cluster::TogetherOptions how;
    how.solve.limits = limits;
    const Verdict verdict = solve_with_progress(problem, how).verdict;
    json ours = {{"verdict", name(verdict.outcome)},
                 {"variables", problem.model()->variables.size()},
                 {"constraints", problem.model()->constraints.size()}};
    if (verdict.outcome == Outcome::unknown) return ours;
    ours["seconds"] = verdict.cpu_seconds;
    ours["nodes"] = verdict.nodes;
    const Report check = check_with_progress(problem, verdict.certificate, Limits(seconds, std::nullopt));
    ours["strategy"] = check.valid ? "checked" : check.counterexample ? "REFUTED" : "check not finished";
    return ours;
}

}  // namespace

ExperimentOutcome reproduce_networks(const Experiment& experiment, const catalogue::Library& library,
                                     const ReproduceOptions& options) {
    double total = 0;
    ExperimentOutcome outcome = for_each_row(experiment, options, [&](const Experiment::Row& row) {
        json ours = network(game_of(library, row).file);
        total += ours["seconds"].get<double>();
        return ours;
    });
    outcome.parts.back().remarks.push_back(
        fmt::format("All together: {} CPU seconds for reading, grounding, translation and preprocessing.",
                    figure_text(total)));
    return outcome;
}

ExperimentOutcome reproduce_models(const Experiment& experiment, const catalogue::Library& library,
                                   const ReproduceOptions& options) {
    bool refuted = false;
    ExperimentOutcome outcome = for_each_row(experiment, options, [&](const Experiment::Row& row) {
        json ours = solved(game_of(library, row).file, row.definitions, options.seconds);
        refuted = refuted || ours.value("strategy", "") == "REFUTED";
        return ours;
    });
    if (refuted) outcome.code = check_failed;
    return outcome;
}

}  // namespace zermelo::cli
