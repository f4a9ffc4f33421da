#include "solve/problem/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include "core/format/text.hpp"

namespace zermelo {

namespace {

constexpr std::array<std::pair<Engine, const char*>, 13> names = {
    {{Engine::automatic, "auto"},
     {Engine::forward, "forward"},
     {Engine::attractors, "attractors"},
     {Engine::alpha_beta, "alpha-beta"},
     {Engine::proof_number, "proof-number"},
     {Engine::quantified, "quantified"},
     {Engine::qcdcl, "qcdcl"},
     {Engine::strategic, "strategic"},
     {Engine::mac, "mac"},
     {Engine::forward_checking, "fc"},
     {Engine::expectimax, "expectimax"},
     {Engine::value_iteration, "value-iteration"},
     {Engine::equilibrium, "equilibrium"}}};

game::Engine forward_engine(Engine engine) {
    switch (engine) {
        case Engine::attractors:
            return game::Engine::attractors;
        case Engine::alpha_beta:
            return game::Engine::alpha_beta;
        case Engine::proof_number:
            return game::Engine::proof_number;
        default:
            return game::Engine::automatic;
    }
}

}  // namespace

const char* name(Engine engine) {
    return std::ranges::find(names, engine, &std::pair<Engine, const char*>::first)->second;
}

std::optional<Engine> engine_named(const std::string& wanted) {
    const auto found = std::ranges::find_if(names, [&](const auto& entry) { return wanted == entry.second; });
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

std::vector<std::string> engine_names() {
    std::vector<std::string> all;
    for (const auto& [engine, name] : names) all.emplace_back(name);
    return all;
}

bool is_forward(Engine engine) {
    return engine == Engine::forward || engine == Engine::attractors || engine == Engine::alpha_beta ||
           engine == Engine::proof_number;
}

bool is_stochastic(Engine engine) { return engine == Engine::mac || engine == Engine::forward_checking; }

bool is_chance(Engine engine) { return engine == Engine::expectimax || engine == Engine::value_iteration; }

game::SolveOptions forward_options(const SolveOptions& options) {
    game::SolveOptions result;
    result.engine = forward_engine(options.engine);
    result.limits = options.limits;
    result.threads = options.threads.value_or(0);
    result.table_bytes = options.table_bytes;
    result.symmetry = options.symmetry.value_or(true);
    result.plans = options.certificate;
    result.every_move = options.all_first_moves;
    result.line = options.line;
    result.checkpoint = options.checkpoint;
    result.seconds_between_saves = options.seconds_between_saves;
    result.partners = options.partners;
    if (options.progress) {
        result.progress = [tell = options.progress](const game::SolveProgress& now) {
            tell({fmt::format("{}: {} positions, {} MB", now.stage, count_text(now.positions),
                              count_text(now.bytes >> 20)),
                  now.positions});
        };
    }
    return result;
}

quantified::SolveOptions quantified_options(const SolveOptions& options) {
    quantified::SolveOptions result = options.search;
    result.limits = options.limits;
    result.all_first_moves = options.all_first_moves;
    result.strategy = options.certificate && result.strategy;
    result.symmetry = options.symmetry.value_or(result.symmetry);
    if (options.threads) {
        result.threads =
            *options.threads > 0 ? *options.threads : std::max(1U, std::thread::hardware_concurrency());
    }
    if (options.partners != nullptr) result.partners = options.partners;
    if (options.progress) {
        result.progress = [tell = options.progress](const quantified::SearchStatistics& now) {
            tell({fmt::format("{} nodes, {} propagations, {} positions remembered", count_text(now.nodes),
                              count_text(now.propagations), count_text(now.stored)),
                  now.nodes});
        };
    }
    return result;
}

stochastic::SolveOptions stochastic_options(const SolveOptions& options,
                                            const stochastic::StochasticModel& model) {
    stochastic::SolveOptions result;
    result.limits = options.limits;
    result.engine = options.engine == Engine::forward_checking ? stochastic::Engine::forward_checking
                                                               : stochastic::Engine::mac;
    result.question = options.best_policy || !model.has_threshold() ? stochastic::Question::best
                                                                    : stochastic::Question::solution;
    if (options.progress) {
        result.progress = [tell = options.progress](const stochastic::Statistics& now) {
            tell({fmt::format("{} nodes, {} failures, {} pruned", count_text(now.nodes),
                              count_text(now.failures), count_text(now.pruned)),
                  now.nodes});
        };
    }
    return result;
}

}  // namespace zermelo
