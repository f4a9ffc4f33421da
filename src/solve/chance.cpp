#include "solve/chance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/clock.hpp"
#include "core/format/text.hpp"
#include "game/chance/policy_file.hpp"
#include "solve/equilibria.hpp"

namespace zermelo {

namespace {

Outcome outcome_of_chance(const game::ChanceSolution& solution) {
    const std::string word = game::verdict(solution);
    for (const Outcome outcome : {Outcome::won, Outcome::lost, Outcome::drawn}) {
        if (word == name(outcome)) return outcome;
    }
    return Outcome::unknown;
}

template <game::Game G>
Report check_all(G& game, const ChancePolicies& policies, const CheckOptions& options) {
    CheckedPolicies all;
    Report report;
    report.valid = !policies.empty();
    std::vector<std::string> scenarios;
    for (const game::ChancePolicy& policy : policies) {
        CheckedPolicy& one = all.emplace_back();
        one.claim = game::name(policy.claim);
        one.player = game.player_name(policy.player);
        one.values = policy.values;
        one.exact = policy.exact;
        one.choices = policy.choices.size();
        one.fingerprint = game::fingerprint(policy);
        if (options.progress) {
            options.progress(fmt::format("checking the {}: {} choices", one.claim, count_text(one.choices)));
        }
        one.result = game::verify_policy(game, policy, options.limits);
        report.valid = report.valid && one.result.valid;
        if (one.result.stop != Stop::none) report.stop = one.result.stop;
        report.positions += one.result.positions;
        if (one.result.counterexample && !report.counterexample)
            report.counterexample = one.result.counterexample->text();
        scenarios.push_back(one.result.scenarios.empty() ? "0" : one.result.scenarios);
    }
    report.scenarios = fmt::format("{}", fmt::join(scenarios, " and "));
    report.details = std::move(all);
    return report;
}

}  // namespace

bool solves_chance(const Problem& problem, Engine engine) {
    if (is_chance(engine)) return true;
    if (engine != Engine::automatic && engine != Engine::forward) return false;
    if (problem.gdl() != nullptr) return game::has_chance(*problem.gdl()) && !calls_for_equilibrium(problem);
    return problem.graph() != nullptr && game::has_chance(*problem.graph());
}

Verdict to_verdict(game::ChanceSolution solution) {
    Verdict verdict;
    verdict.outcome = outcome_of_chance(solution);
    verdict.stop = solution.stop;
    verdict.engine =
        solution.engine == game::ChanceEngine::expectimax ? Engine::expectimax : Engine::value_iteration;
    verdict.players = solution.players;
    for (const game::Expectation& value : solution.values) verdict.values.push_back(value.number());
    for (const game::ChanceMove& move : solution.moves) {
        if (move.best) verdict.best.push_back(move.move);
    }
    verdict.all_best = true;
    verdict.nodes = solution.states;
    if (!solution.policies.empty()) verdict.certificate.proof = std::move(solution.policies);
    solution.policies.clear();
    verdict.details = std::move(solution);
    return verdict;
}

Verdict solve_chance(const Problem& problem, const SolveOptions& options) {
    if (!options.checkpoint.empty()) {
        throw Error({problem.file()}, "games with chance do not support checkpoints",
                    "leave " + setting("checkpoint") + " out");
    }
    game::ChanceOptions how;
    if (options.engine == Engine::expectimax) how.engine = game::ChanceEngine::expectimax;
    if (options.engine == Engine::value_iteration) how.engine = game::ChanceEngine::value_iteration;
    how.limits = options.limits;
    how.threads = options.threads.value_or(0);
    how.policies = options.certificate;
    how.every_move = options.all_first_moves;
    how.line = options.line;
    how.from = options.from ? &*options.from : nullptr;
    how.progress = forward_options(options).progress;
    const auto start = Clock::now();
    const double cpu_start = cpu_seconds();
    Verdict verdict = to_verdict(problem.gdl() != nullptr ? game::solve_chance(*problem.gdl(), how)
                                                          : game::solve_chance(*problem.graph(), how));
    verdict.cpu_seconds = cpu_seconds() - cpu_start;
    verdict.wall_seconds = seconds_since(start);
    return verdict;
}

Report check_policies(const Problem& problem, const ChancePolicies& policies, const CheckOptions& options) {
    return with_chance_game(problem, [&](auto& game) { return check_all(game, policies, options); });
}

Report check_policies_by_reasoner(const gdl::Description& description, const std::string& bytes,
                                  const std::string& file, const CheckOptions& options) {
    gdl::ReasonerOptions how;
    how.limits = options.limits;
    gdl::Reasoner reasoner(description, how);
    game::ReasonerRules rules(description, reasoner);
    game::ReasonerChanceGame game(rules);
    const auto policies =
        game::read_policies(bytes, file, game, game::rules_fingerprint(description), options.limits);
    return check_all(game, policies, options);
}

}  // namespace zermelo
