// Experiments on networks: how large they are, and how long it takes to build them.

#include <fmt/format.h>

#include "cli/reproduce/reproduce.hpp"
#include "gdl/game.hpp"
#include "scsp/preprocess.hpp"

namespace zermelo::cli {

namespace {

using nlohmann::json;

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

}  // namespace

ExperimentOutcome reproduce_networks(const Experiment& experiment, const catalogue::Library& library,
                                     const ReproduceOptions& options) {
    double total = 0;
    ExperimentOutcome outcome =
        for_each_row(experiment, options, [&](const Experiment::Part&, const Experiment::Row& row) {
            json ours = network(game_file(library, row));
            total += ours["seconds"].get<double>();
            return RowFigures{ours, {}};
        });
    outcome.parts.back().remarks.push_back(
        fmt::format("All together: {} CPU seconds for reading, grounding, translation and preprocessing.",
                    figure_text(total)));
    return outcome;
}

}  // namespace zermelo::cli
