// Experiments on models: the verdict, and what it takes to find it, by our search or by that of the paper.

#include <map>
#include <set>

#include "cli/instances.hpp"
#include "cli/reproduce/reproduce.hpp"
#include "cli/solve/flags.hpp"
#include "core/format/json_text.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

// How a game of a row is solved for a column.
json how_to_solve(const Experiment::Row& row, const Experiment::Column& column) {
    json how = row.how;
    how.update(column.how);
    return how;
}

quantified::SolveOptions search_of(const json& how) {
    quantified::SolveOptions search;
    if (how.contains("search")) {  // algorithm 1
        search.goods = false;
        search.values = quantified::ValueOrder::ascending;
        search.success = quantified::Success::assigned;
    }
    search.cuts = how.value("cuts", true);
    if (how.contains("pure_values")) search.pure_values = how["pure_values"].get<bool>();
    return search;
}

Problem problem_of_row(const std::string& file, const Experiment::Row& row, const json& how,
                       const Limits& limits) {
    ReadOptions reading;
    reading.limits = limits;
    reading.minizinc.definitions = row.definitions;
    const auto read_it = [&] {
        if (!how.contains("matrix")) return read(file, reading);
        const json& matrix = how["matrix"];
        return read_matrix_game(file, {matrix.at("depth"), matrix.at("density"), matrix.at("seed")}, reading);
    };
    const Problem problem = read_it();
    return how.value("as_qcsp", false) ? as_plain_qcsp(problem) : problem;
}

json solved(const std::string& file, const Experiment::Row& row, const json& how, double seconds) try {
    const Limits limits(seconds, std::nullopt);
    const Problem problem = problem_of_row(file, row, how, limits);
    cluster::TogetherOptions together;
    together.solve.limits = limits;
    together.solve.search = search_of(how);
    together.solve.symmetry = how.value("symmetry", false);
    const Verdict verdict = solve_with_progress(problem, together).verdict;
    json ours = {{"verdict", name(verdict.outcome)},
                 {"variables", problem.model()->variables.size()},
                 {"constraints", problem.model()->constraints.size()}};
    if (verdict.outcome == Outcome::unknown) return ours;
    ours["seconds"] = verdict.cpu_seconds;
    ours["nodes"] = verdict.nodes;
    const quantified::SearchStatistics& statistics = verdict.as<quantified::Answer>()->statistics;
    ours["choices"] = statistics.choices;
    ours["spaces"] = statistics.spaces();
    ours["propagations"] = statistics.propagations;
    const Report check = check_with_progress(problem, verdict.certificate, Limits(seconds, std::nullopt));
    ours["strategy"] = check.valid ? "checked" : check.counterexample ? "REFUTED" : "check not finished";
    return ours;
} catch (const LimitReached&) {  // while the model was read
    return {{"verdict", name(Outcome::unknown)}};
}

// What was solved, by game and way, so that several figures of one search are told after one run.
class SolvedModels {
public:
    SolvedModels(const catalogue::Library& library, const ReproduceOptions& options)
        : library_(library), options_(options) {}

    RowFigures figures(const Experiment::Part& part, const Experiment::Row& row) {
        RowFigures result;
        for (const auto& column : part.columns)
            result.by_column.push_back(column.ours.empty() ? json::object() : figure(part, row, column));
        for (std::size_t c = 0; c < part.columns.size() && result.all.empty(); ++c) {
            if (part.columns[c].how.empty()) result.all = result.by_column[c];
        }
        return result;
    }
    [[nodiscard]] bool refuted() const { return refuted_; }

private:
    json figure(const Experiment::Part& part, const Experiment::Row& row, const Experiment::Column& column) {
        const json how = how_to_solve(row, column);
        const std::string curve = row.game + json_text(column.how);
        const auto [at, added] =
            known_.try_emplace(row.game + json_text(json(row.definitions)) + json_text(how));
        if (!added) return at->second;
        at->second = json::object();
        if (part.figure && given_up_.contains(curve)) return at->second;
        at->second = solved(game_file(library_, row), row, how, options_.seconds);
        if (at->second["verdict"] == name(Outcome::unknown)) given_up_.insert(curve);
        refuted_ = refuted_ || at->second.value("strategy", "") == "REFUTED";
        return at->second;
    }

    const catalogue::Library& library_;
    const ReproduceOptions& options_;
    std::map<std::string, json> known_;
    std::set<std::string> given_up_;  // curves of which a smaller game was not solved in time
    bool refuted_ = false;
};

}  // namespace

ExperimentOutcome reproduce_models(const Experiment& experiment, const catalogue::Library& library,
                                   const ReproduceOptions& options) {
    SolvedModels models(library, options);
    ExperimentOutcome outcome = for_each_row(
        experiment, options,
        [&](const Experiment::Part& part, const Experiment::Row& row) { return models.figures(part, row); });
    if (models.refuted()) outcome.code = check_failed;
    return outcome;
}

}  // namespace zermelo::cli
