// Both engines, the checker and the files, on random problems and against an oracle that tries everything.

#include <gtest/gtest.h>

#include <sstream>

#include "stochastic/answer_of.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/random_problem.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::stochastic {

namespace {

constexpr std::uint64_t problems = 500;

bool reaches(const Rationals& utilities, const Rationals& thresholds) {
    for (std::size_t p = 0; p < utilities.size(); ++p) {
        if (utilities[p] < thresholds[p]) return false;
    }
    return true;
}

Policy through_a_file(const StochasticModel& model, const Policy& policy) {
    std::stringstream file;
    write_json(file, model, policy);
    return stochastic::read_json(file, model);
}

}  // namespace

TEST(RandomProblems, TheBestPolicyIsTheOneThatTryingEverythingFinds) {
    int feasible = 0;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
        const RandomProblem problem = random_problem(seed);
        const StochasticModel model = problem.model();
        Play play;
        const auto expected = best_by_force(problem, play);
        for (const Engine engine : {Engine::forward_checking, Engine::mac}) {
            const Answer answer = answer_of(model, engine, Question::best);
            ASSERT_EQ(answer.policy.has_value(), expected.has_value()) << "seed " << seed;
            ASSERT_EQ(answer.verdict, expected ? Verdict::won : Verdict::lost) << "seed " << seed;
            if (!expected) continue;
            ASSERT_EQ(text(answer.policy->utilities), text(*expected)) << "seed " << seed;
            const auto checked = verify(model, *answer.policy);
            ASSERT_TRUE(checked.valid)
                << "seed " << seed << ": " << checked.counterexample->text(model.model);
            ASSERT_EQ(checked.utilities, *expected) << "seed " << seed;
        }
        feasible += expected ? 1 : 0;
    }
    EXPECT_GT(feasible, static_cast<int>(problems / 4));
    EXPECT_LT(feasible, static_cast<int>(problems));
}

TEST(RandomProblems, AThresholdIsReachedExactlyWhenSomePolicyReachesIt) {
    int won = 0;
    int lost = 0;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
        const RandomProblem problem = random_problem(seed);
        StochasticModel model = problem.model();
        Play play;
        const auto all = all_by_force(problem, play);
        if (all.empty()) continue;
        Random random(seed + 1'000'000);
        // Each player asks for what some policy gives, or for a little more.
        for (int round = 0; round < 4; ++round) {
            Rationals thresholds;
            for (int p = 0; p < problem.players; ++p) {
                auto some = all.begin();
                std::advance(some, static_cast<std::ptrdiff_t>(round == 0 ? all.size() - 1
                                                                          : random.below(all.size())));
                thresholds.push_back((*some)[static_cast<std::size_t>(p)] +
                                     (random.chance(0.5) ? Rational(0) : Rational(1) / 1000));
                model.thresholds[static_cast<std::size_t>(p)] = thresholds.back();
            }
            const bool expected = std::any_of(all.begin(), all.end(),
                                              [&](const Rationals& u) { return reaches(u, thresholds); });
            (expected ? won : lost) += 1;
            for (const Engine engine : {Engine::forward_checking, Engine::mac}) {
                const Answer answer = answer_of(model, engine, Question::solution);
                ASSERT_EQ(answer.verdict, expected ? Verdict::won : Verdict::lost)
                    << "seed " << seed << ", thresholds " << text(thresholds);
                if (!expected) continue;
                const auto checked = verify(model, *answer.policy);
                ASSERT_TRUE(checked.valid)
                    << "seed " << seed << ": " << checked.counterexample->text(model.model);
                ASSERT_TRUE(checked.reaches_thresholds) << "seed " << seed;
                ASSERT_TRUE(all.contains(checked.utilities)) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(won, 100);
    EXPECT_GT(lost, 100);
}

TEST(RandomProblems, PoliciesGoThroughFilesUnchanged) {
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
        const StochasticModel model = random_problem(seed).model();
        const Answer answer = answer_of(model, Engine::mac, Question::best);
        if (!answer.policy) continue;
        const Policy again = through_a_file(model, *answer.policy);
        ASSERT_EQ(fingerprint(model, again), fingerprint(model, *answer.policy)) << "seed " << seed;
        ASSERT_TRUE(verify(model, again).valid) << "seed " << seed;
    }
}

TEST(RandomProblems, TheCheckerRefusesWhatIsNotTrue) {
    int refused = 0;
    int still_right = 0;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
        const RandomProblem problem = random_problem(seed);
        const StochasticModel model = problem.model();
        const Answer answer = answer_of(model, Engine::forward_checking, Question::best);
        if (!answer.policy) continue;
        Random random(seed);
        const auto some_node = [&] { return 1 + random.below(answer.policy->size()); };

        Policy claims_more = *answer.policy;
        claims_more.utilities[random.below(claims_more.utilities.size())] += Rational(1) / 7;
        ASSERT_FALSE(verify(model, claims_more).valid) << "seed " << seed;

        Policy another_chance = *answer.policy;
        PolicyNode& node = another_chance.nodes[some_node()];
        const auto turn = std::find_if(model.order.begin(), model.order.end(),
                                       [&](const Turn& t) { return t.variable == node.variable; });
        if (!turn->decision()) {
            PolicyEdge& edge = node.edges[random.below(node.edges.size())];
            edge.probability /= 2;
            ASSERT_FALSE(verify(model, another_chance).valid) << "seed " << seed;
            if (edge.values.size() > 1) {
                edge.values.pop_back();
            } else if (node.edges.size() > 1) {
                node.edges.pop_back();
            }
            ASSERT_FALSE(verify(model, another_chance).valid) << "seed " << seed;
            continue;
        }
        Policy decides_otherwise = *answer.policy;
        PolicyNode& decision =
            decides_otherwise.nodes[static_cast<std::size_t>(&node - another_chance.nodes.data())];
        const auto domain = model.model.domain(decision.variable).values();
        decision.edges.front().values = {domain[random.below(domain.size())]};
        Play play;
        const auto worth = worth_by_force(problem, decides_otherwise, decides_otherwise.root, play);
        const bool right = worth && *worth == decides_otherwise.utilities;
        ASSERT_EQ(verify(model, decides_otherwise).valid, right) << "seed " << seed;
        (right ? still_right : refused) += 1;
    }
    EXPECT_GT(refused, 20);
    EXPECT_GT(still_right, 20);
}

}  // namespace zermelo::stochastic
