// zermelo reproduce: the experiments of papers again, our figures beside the published ones.

#include "cli/reproduce/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "cli/instances.hpp"
#include "cli/reproduce/chart.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"
#include "core/format/nearest.hpp"

namespace zermelo::cli {

bool ReproduceOptions::wants(const Experiment::Row& row) const {
    return games.empty() || std::ranges::any_of(games, [&](const std::string& name) {
               return row.game == name || row.game.substr(row.game.find('/') + 1) == name;
           });
}

std::string figure_text(const nlohmann::json& figure) {
    if (figure.is_null()) return "–";
    if (figure.is_string()) return figure;
    if (figure.is_number_integer()) return count_text(figure.get<std::uint64_t>());
    const auto value = figure.get<double>();
    return fmt::format("{:.{}f}", value, value <= 0 || value >= 1 ? 1 : value < 0.1 ? 3 : 2);
}

namespace {

struct Reproduce {
    ReproduceOptions options;
    std::string name;
    std::string folder;
    std::string markdown;
    std::string pictures;  // folder
    bool json = false;

    [[nodiscard]] int run() {
        const std::string games = folder.empty() ? shipped("games") : folder;
        const auto all = catalogue::experiments(games);
        if (name.empty()) return list(all);
        const Experiment* found = catalogue::find_experiment(all, name);
        if (found == nullptr) {
            std::vector<std::string> names;
            for (const Experiment& one : all) names.push_back(one.name);
            throw Error("there is no experiment " + name,
                        did_you_mean(name, names) + "`zermelo reproduce` lists them");
        }
        const Experiment& experiment = *found;
        check_games(experiment);
        if (options.record.empty()) options.record = name + ".record";
        const catalogue::Library library(games);
        require_writable(markdown);
        const bool has_figures = std::ranges::any_of(
            experiment.parts, [](const Experiment::Part& part) { return part.figure.has_value(); });
        if (!pictures.empty() && !has_figures)
            throw Error(fmt::format("{} has no figures to draw", experiment.name), "leave --pictures out");
        const ExperimentOutcome outcome = perform(experiment, library);
        report(experiment, outcome);
        if (!pictures.empty()) draw(experiment, outcome);
        return outcome.code;
    }

private:
    [[nodiscard]] int list(const std::vector<Experiment>& all) const {
        if (json) {
            auto listed = nlohmann::json::array();
            for (const Experiment& one : all)
                listed.push_back({{"name", one.name}, {"title", one.title}, {"from", one.from}});
            print({{"experiments", listed}});
            return answered;
        }
        for (const Experiment& one : all)
            std::cout << fmt::format("{}  {}\n    from {}\n", one.name, one.title, one.from);
        return answered;
    }

    void check_games(const Experiment& experiment) const {
        for (const std::string& game : options.games) {
            ReproduceOptions only;
            only.games = {game};
            const bool known = std::ranges::any_of(experiment.parts, [&](const Experiment::Part& part) {
                return std::ranges::any_of(part.rows, [&](const auto& row) { return only.wants(row); });
            });
            if (!known)
                throw Error(fmt::format("{} has no game {}", experiment.name, game),
                            "leave --games out to see its games");
        }
    }

    [[nodiscard]] ExperimentOutcome perform(const Experiment& experiment,
                                            const catalogue::Library& library) const {
        switch (experiment.what) {
            case Experiment::What::networks:
                return reproduce_networks(experiment, library, options);
            case Experiment::What::models:
                return reproduce_models(experiment, library, options);
            case Experiment::What::matches:
                return reproduce_matches(experiment, library, options);
        }
        return {};
    }

    void draw(const Experiment& experiment, const ExperimentOutcome& outcome) const {
        std::filesystem::create_directories(pictures);
        int number = 0;
        for (const Reproduced& part : outcome.parts) {
            if (!part.figure) continue;
            const std::string file = fmt::format("{}-{}.svg", experiment.name, ++number);
            replace_file((std::filesystem::path(pictures) / file).string(), chart(part));
        }
    }

    void report(const Experiment& experiment, const ExperimentOutcome& outcome) const {
        if (!markdown.empty()) {
            std::ostringstream out;
            for (const Reproduced& part : outcome.parts) {
                if (!part.title.empty()) out << part.title << ":\n\n";
                out << arena::markdown_table(part.table, 1);
                for (const std::string& remark : part.remarks) out << "\n" << remark << "\n";
                out << "\n";
            }
            replace_file(markdown, out.str());
        }
        if (json) {
            auto parts = nlohmann::json::array();
            for (const Reproduced& part : outcome.parts)
                parts.push_back({{"title", part.title}, {"rows", part.rows}, {"remarks", part.remarks}});
            print({{"experiment", experiment.name},
                   {"title", experiment.title},
                   {"from", experiment.from},
                   {"parts", parts}});
            return;
        }
        std::cout << fmt::format("{}\nfrom {}\n", experiment.title, experiment.from);
        for (const Reproduced& part : outcome.parts) {
            std::cout << "\n";
            if (!part.title.empty()) std::cout << part.title << "\n";
            std::cout << arena::aligned(part.table, 1);
            for (const std::string& remark : part.remarks) std::cout << remark << "\n";
        }
    }
};

}  // namespace

Command add_reproduce(CLI::App& app) {
    auto* command =
        app.add_subcommand("reproduce", "Rerun the experiments of papers and compare with their figures");
    auto reproduce = std::make_shared<Reproduce>();
    ReproduceOptions& options = reproduce->options;
    command->add_option("NAME", reproduce->name, "the experiment (default: list all)");
    command->add_option("--games", options.games, "only these games of the experiment");
    command
        ->add_option(
            "--matches", options.matches,
            "number of matches per cell of a table, an even number so that both players take both seats")
        ->check(between(std::uint64_t{2}, std::uint64_t{1'000'000}))
        ->capture_default_str();
    options.contest.add_to(*command);
    command->add_option(
        "--record", options.record,
        "a folder that stores every finished match; the same command resumes from it (default: NAME.record)");
    command->add_flag("--report-only", options.report_only, "play no match; only report on the record");
    command->add_option("--seconds", options.seconds, "time limit in seconds for each model")
        ->check(between(0.001, 1e7))
        ->capture_default_str();
    command->add_option("--markdown", reproduce->markdown, "also write the tables to this file");
    command->add_option("--pictures", reproduce->pictures,
                        "also draw the figures of the experiment, as SVG into this folder");
    command->add_option("--folder", reproduce->folder,
                        "the folder of the games (default: the shipped games)");
    command->add_flag("--json", reproduce->json, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo reproduce mac-ucb-table1\n"
        "  zermelo reproduce quacode-figures --seconds 10 --pictures figures\n"
        "  zermelo reproduce mac-ucb-table2 --clock 0.5 --matches 50\n"
        "  zermelo reproduce mac-ucb-sym-table2 --games hex quarto --clock 0.2 --matches 20");
    return {command, [reproduce] { return reproduce->run(); }};
}

}  // namespace zermelo::cli
