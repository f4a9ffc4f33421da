// Models with chance: everything tried with exact fractions, both engines, and policies as they are and changed.

#include <sstream>

#include "campaign/campaign.hpp"
#include "stochastic/answer_of.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/random_problem.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::campaign {

namespace {

using namespace stochastic;

void change_policy(const RandomProblem& problem, const StochasticModel& model, const Policy& policy,
                   Random& random, Tally& tally) {
    Policy changed = policy;
    changed.utilities[random.below(changed.utilities.size())] += Rational(1) / 7;
    require(!verify(model, changed).valid, "a policy that promises more passes");
    tally.count("mutations refused");
    for (int i = 0; i < 6; ++i) {
        changed = policy;
        PolicyNode& node = changed.nodes[1 + random.below(policy.size())];
        const auto turn = std::ranges::find_if(
            model.order, [&](const Turn& each) { return each.variable == node.variable; });
        if (!turn->decision()) {
            node.edges[random.below(node.edges.size())].probability /= 2;
            require(!verify(model, changed).valid, "a policy with other probabilities passes");
            tally.count("mutations refused");
            continue;
        }
        const auto domain = model.model.domain(node.variable).values();
        node.edges.front().values = {domain[random.below(domain.size())]};
        Play play;
        const auto worth = worth_by_force(problem, changed, changed.root, play);
        const bool expected = worth && *worth == changed.utilities;
        require(verify(model, changed).valid == expected, expected
                                                              ? "a changed policy that is right is refused"
                                                              : "a changed policy that is wrong passes");
        tally.count(expected ? "mutations that hold" : "mutations refused");
    }
}

}  // namespace

void run_stochastic(const Case& drawn) {
    const RandomProblem problem = random_problem(drawn.seed);
    StochasticModel model = problem.model();
    Play play;
    const auto expected = best_by_force(problem, play);
    const auto all = all_by_force(problem, play);
    Random random(drawn.seed);
    drawn.tally.count(expected ? "feasible" : "infeasible");
    for (const stochastic::Engine engine : {stochastic::Engine::forward_checking, stochastic::Engine::mac}) {
        const Answer answer = answer_of(model, engine, Question::best);
        require(answer.policy.has_value() == expected.has_value(), "the verdict differs");
        if (!expected) continue;
        require(answer.policy->utilities == *expected, "the best policy differs");
        const auto checked = verify(model, *answer.policy);
        require(checked.valid && checked.utilities == *expected, "the best policy fails");
        std::stringstream file;
        write_json(file, model, *answer.policy);
        require(fingerprint(model, stochastic::read_json(file, model)) == fingerprint(model, *answer.policy),
                "the policy changes in a file");
        change_policy(problem, model, *answer.policy, random, drawn.tally);
    }
    if (all.empty()) return;
    for (int round = 0; round < 2; ++round) {
        Rationals thresholds;
        for (std::size_t p = 0; p < model.thresholds.size(); ++p) {
            auto some = all.begin();
            std::advance(some, static_cast<std::ptrdiff_t>(random.below(all.size())));
            thresholds.push_back((*some)[p] + (random.chance(0.5) ? Rational(0) : Rational(1) / 1000));
            model.thresholds[p] = thresholds.back();
        }
        const bool reached = std::ranges::any_of(all, [&](const Rationals& utilities) {
            for (std::size_t p = 0; p < thresholds.size(); ++p) {
                if (utilities[p] < thresholds[p]) return false;
            }
            return true;
        });
        for (const stochastic::Engine engine :
             {stochastic::Engine::forward_checking, stochastic::Engine::mac}) {
            const Answer answer = answer_of(model, engine, Question::solution);
            require(answer.verdict == (reached ? stochastic::Verdict::won : stochastic::Verdict::lost),
                    "thresholds: the verdict differs");
            if (!reached) continue;
            const auto checked = verify(model, *answer.policy);
            require(checked.valid && checked.reaches_thresholds, "thresholds: the policy fails");
        }
        drawn.tally.count(reached ? "thresholds reached" : "thresholds out of reach");
    }
}

}  // namespace zermelo::campaign
