#include "solve/stages.hpp"

#include <fmt/format.h>

#include "core/clock.hpp"
#include "encode/quantify.hpp"
#include "solve/chance.hpp"
#include "solve/problem/stage_model.hpp"
#include "stochastic/verify.hpp"

namespace zermelo {

namespace {

StageModel require_complete(const gdl::Game& game, const SolveOptions& options) {
    const std::string& file = game.description().file;
    if (!encode::chance_of(game))
        throw Error({file}, setting("engine", name(options.engine)) + " is for models and games with chance",
                    "choose from auto, attractors, alpha-beta, proof-number");
    if (!options.line.empty())
        throw Error({file}, setting("engine", name(options.engine)) + " solves a game from its beginning",
                    "choose " + setting("engine", "value-iteration"));
    StageModel model = make_stage_model(game, options.horizon, options.limits);
    if (model.complete) return model;
    throw Error(
        {file}, fmt::format("a play may have more than {} moves", model.horizon()),
        "give a greater " + setting("horizon") + ", or choose " + setting("engine", "value-iteration"));
}

// The policy's first decision, by name; nothing where chance moves first.
std::vector<game::ChanceMove> first_move(const gdl::Game& game, const StageModel& stages,
                                         const stochastic::StochasticModel& model,
                                         const stochastic::Policy& policy,
                                         const std::vector<game::Expectation>& values) {
    const auto decisions = first_decisions(model, policy);
    const auto chance = encode::chance_of(game);
    if (decisions.empty()) return {};
    for (const auto& step : stages.unrolling.steps) {
        for (const auto& mover : step.movers) {
            if (mover.role == chance) continue;
            const encode::MoveNumbers numbers(game);
            return {
                {.move = numbers.text(mover.role, decisions.front().value), .values = values, .best = true}};
        }
    }
    return {};
}

game::ChanceSolution solution_of(const gdl::Game& game, const StageModel& stages,
                                 const stochastic::StochasticModel& model, const stochastic::Answer& answer) {
    constexpr int most = 100;
    game::ChanceSolution solution;
    const auto chance = encode::chance_of(game);
    for (std::size_t r = 0; r < game.machine().roles(); ++r) {
        if (r != chance) solution.players.push_back(game.text(game.machine().network().roles[r]));
    }
    solution.stop = answer.stop;
    solution.states = answer.statistics.nodes;
    solution.interests = solution.players.size() == 1 ? game::Interests::shared : game::Interests::own;
    if (!answer.policy) return solution;
    for (const Rational& utility : answer.policy->utilities)
        solution.values.push_back({utility * most, utility * most});
    solution.moves = first_move(game, stages, model, *answer.policy, solution.values);
    solution.solved = true;
    return solution;
}

}  // namespace

Verdict solve_stages(const Problem& problem, const SolveOptions& options) {
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    const gdl::Game& game = *problem.gdl();
    game::ChanceSolution solution;
    try {
        const StageModel stages = require_complete(game, options);
        ReadOptions reading;
        reading.limits = options.limits;
        const Problem as_model =
            read_text(stages.text, Language::minizinc, problem.title() + ".mzn", reading);
        const stochastic::StochasticModel& model = *as_model.stochastic();
        stochastic::SolveOptions how = stochastic_options(options, model);
        how.question = stochastic::Question::best;
        const stochastic::Answer answer = stochastic::solve(model, how);
        solution = solution_of(game, stages, model, answer);
        if (answer.policy && options.certificate) {
            const auto checked = stochastic::verify(model, *answer.policy, options.limits);
            if (checked.counterexample)
                throw std::logic_error("the policy is wrong: " + checked.counterexample->text(model.model));
            if (!checked.valid) solution.stop = checked.stop;
        }
    } catch (const LimitReached& limit) {
        solution.stop = limit.stop();
    }
    Verdict verdict = to_verdict(std::move(solution));
    verdict.engine = options.engine;
    verdict.all_best = false;
    verdict.cpu_seconds = cpu_seconds() - cpu_start;
    verdict.wall_seconds = seconds_since(start);
    return verdict;
}

}  // namespace zermelo
