// The examples of the papers, and models that are refused.

#include <gtest/gtest.h>

#include <sstream>

#include "stochastic/answer_of.hpp"
#include "stochastic/builder.hpp"
#include "stochastic/format/policy_file.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::stochastic {

namespace {

constexpr Engine engines[] = {Engine::forward_checking, Engine::mac};

Rational fraction(model::Value numerator, model::Value denominator) {
    return Rational(numerator) / denominator;
}

// The decision of the policy on a variable that every play gives the same value.
model::Value decision(const StochasticModel& model, const Policy& policy, const std::string& name) {
    for (const PolicyNode& node : policy.nodes) {
        if (node.variable >= 0 && model.model.name_of(node.variable) == name)
            return node.edges.front().values.front();
    }
    return -1;
}

// Piette et al. (2015), example 1.
StochasticModel example_1() {
    StochasticBuilder problem("example 1");
    const auto x1 = problem.decide("x1", 0, 2);
    const auto x2 = problem.decide("x2", 0, 2);
    const auto y = problem.chance("y", 0, 2);
    problem.hard(x1 == x2);
    problem.worth(x1 + y >= 1);
    problem.threshold(fraction(1, 2));
    return problem.build();
}

// Piette et al. (2015), example 2.
StochasticModel example_2() {
    StochasticBuilder problem("example 2");
    const auto x = problem.decide("x", 1, 3);
    const auto z = problem.decide("z", 0, 2);
    const auto y = problem.chance("y", 0, 2);
    problem.hard(x == z);
    problem.satisfied(x + y > 1);
    problem.satisfied(y + z > 1);
    problem.threshold(fraction(7, 10));
    return problem.build();
}

}  // namespace

TEST(Examples, TheFirstPolicyOfExampleOneIsWorthTwoThirdsAndReachesOneHalf) {
    const StochasticModel model = example_1();
    for (const Engine engine : engines) {
        const Answer answer = answer_of(model, engine);
        ASSERT_EQ(answer.verdict, Verdict::won);
        EXPECT_EQ(decision(model, *answer.policy, "x1"), 0);
        EXPECT_EQ(decision(model, *answer.policy, "x2"), 0);
        EXPECT_EQ(answer.policy->utilities, Rationals{fraction(2, 3)});
        EXPECT_TRUE(verify(model, *answer.policy).reaches_thresholds);
    }
}

TEST(Examples, TheBestPolicyOfExampleOneIsWorthOne) {
    const StochasticModel model = example_1();
    for (const Engine engine : engines)
        EXPECT_EQ(answer_of(model, engine, Question::best).policy->utilities, Rationals{1});
}

TEST(Examples, NoPolicyOfExampleOneReachesMoreThanOne) {
    StochasticModel model = example_1();
    model.thresholds[0] = fraction(1001, 1000);
    for (const Engine engine : engines) EXPECT_EQ(answer_of(model, engine).verdict, Verdict::lost);
}

TEST(Examples, ExampleTwoIsSatisfiedForSureByTwoAndTwo) {
    const StochasticModel model = example_2();
    for (const Engine engine : engines) {
        const Answer answer = answer_of(model, engine);
        ASSERT_EQ(answer.verdict, Verdict::won);
        EXPECT_EQ(decision(model, *answer.policy, "x"), 2);
        EXPECT_EQ(decision(model, *answer.policy, "z"), 2);
        EXPECT_EQ(answer.policy->utilities, Rationals{1});
    }
}

TEST(Examples, TheStochasticPartOfExampleTwoRefutesOne) {
    const StochasticModel model = example_2();
    // x = z = 1 is satisfied with probability 2/3 only, so c_s leaves nothing but x = z = 2.
    const Answer answer = answer_of(model, Engine::mac);
    EXPECT_GT(answer.statistics.refuted, 0U);
    EXPECT_EQ(answer.statistics.nodes, 6U);  // x, z and y once, and three plays: nothing else was opened
}

TEST(Examples, EqualSubtreesAreOneNode) {
    const StochasticModel model = example_1();
    const Answer answer = answer_of(model, Engine::mac);
    ASSERT_EQ(answer.policy->size(), 3U);
    EXPECT_EQ(answer.policy->at(1).edges.size(), 1U);
    EXPECT_EQ(answer.policy->at(1).edges.front().values, (std::vector<model::Value>{0, 1, 2}));
    EXPECT_EQ(answer.policy->at(1).edges.front().probability, Rational(1));
}

TEST(HardConstraints, AnOutcomeThatBreaksOneMakesThePolicyInfeasible) {
    StochasticBuilder problem;
    const auto x = problem.decide("x", 0, 1);
    const auto y = problem.chance("y", 0, 1, {99, 1});
    problem.hard(x >= y);
    problem.worth(1 - x);
    const StochasticModel model = problem.build();
    for (const Engine engine : engines)
        EXPECT_EQ(answer_of(model, engine, Question::best).policy->utilities, Rationals{0});
}

TEST(HardConstraints, AnOutcomeOfProbabilityZeroBreaksNothing) {
    StochasticBuilder problem;
    const auto x = problem.decide("x", 0, 1);
    const auto y = problem.chance("y", 0, 1, {1, 0});
    problem.hard(x >= y);
    problem.worth(1 - x);
    const StochasticModel model = problem.build();
    for (const Engine engine : engines) {
        const Answer answer = answer_of(model, engine, Question::best);
        EXPECT_EQ(answer.policy->utilities, Rationals{1});
        EXPECT_EQ(verify(model, *answer.policy).scenarios, 1U);
    }
}

TEST(Probabilities, MayDependOnWhatCameBefore) {
    StochasticBuilder problem;
    const auto x = problem.decide("x", {0, 5});
    const auto y = problem.chance("y", model::Domain(0, 1), {x}, {{1, 1}, {1, 3}});
    problem.worth(y);
    const StochasticModel model = problem.build();
    for (const Engine engine : engines) {
        const Answer answer = answer_of(model, engine, Question::best);
        EXPECT_EQ(decision(model, *answer.policy, "x"), 5);
        EXPECT_EQ(answer.policy->utilities, Rationals{fraction(3, 4)});
    }
}

// Who decides last takes what is best for itself, though both would be better off otherwise.
TEST(SeveralPlayers, DecideForThemselvesButCanReachThresholdsTogether) {
    StochasticBuilder problem;
    const auto a = problem.decide("a", 0, 1, 1);
    const auto b = problem.decide("b", 0, 1, 2);
    problem.worth({a, b}, {{{0, 0}, {1, 1}}, {{0, 1}, {1, 1}}, {{1, 0}, {0, 3}}, {{1, 1}, {2, 2}}});
    StochasticModel model = problem.build();
    for (const Engine engine : engines) {
        const Answer selfish = answer_of(model, engine, Question::best);
        EXPECT_EQ(selfish.policy->utilities, (Rationals{1, 1}));
        model.thresholds = {Rational(2), Rational(2)};
        const Answer together = answer_of(model, engine);
        ASSERT_EQ(together.verdict, Verdict::won);
        EXPECT_EQ(together.policy->utilities, (Rationals{2, 2}));
        model.thresholds = {Rational(2), Rational(3)};
        EXPECT_EQ(answer_of(model, engine).verdict, Verdict::lost);
        model.thresholds = {std::nullopt, std::nullopt};
    }
}

// Over a million combinations of values: too many to be written out.
TEST(Tables, AreNotNeededForConstraintsOverManyVariables) {
    StochasticBuilder problem;
    model::IntExpr sum = 0;
    model::IntExpr weighted = 0;
    for (int i = 0; i < 5; ++i) {
        const auto x = problem.decide("x" + std::to_string(i), 0, 15);
        sum += x;
        weighted += (i * i + 1) * x;
    }
    const auto y = problem.chance("y", 0, 1, {1, 2});
    problem.hard(sum + y <= 3);
    problem.satisfied(weighted + 10 * y <= 23);
    problem.worth(weighted, fraction(-1, 100));
    problem.threshold(fraction(1, 2));
    StochasticModel model = problem.build();
    for (const Engine engine : engines) {
        // Nothing is worth 1; a unit of the last variable costs 17/100, and the sum may be 2 at most.
        EXPECT_EQ(answer_of(model, engine, Question::best).policy->utilities, Rationals{1});
        const Answer answer = answer_of(model, engine);
        EXPECT_EQ(answer.policy->utilities, Rationals{1});
        EXPECT_TRUE(verify(model, *answer.policy).valid);
    }
    model.utility_terms.front().factor = fraction(1, 100);
    for (const Engine engine : engines) {
        // 17 + 5 = 22 ≤ 23 holds for y = 0 only; 10 + 2 = 12 holds for both, and 34/100 for the sum alone is
        // less.
        const Answer answer = answer_of(model, engine, Question::best);
        EXPECT_EQ(answer.policy->utilities, Rationals{1 + fraction(12, 100)});
        EXPECT_TRUE(verify(model, *answer.policy).valid);
    }
}

TEST(Models, AreRefusedWithAReason) {
    StochasticBuilder negative;
    EXPECT_THROW((void)negative.chance("y", 0, 1, {1, -1}), Error);
    StochasticBuilder nothing;
    EXPECT_THROW((void)nothing.chance("y", 0, 1, {0, 0}), Error);
    StochasticBuilder few;
    EXPECT_THROW((void)few.chance("y", 0, 2, {1, 1}), Error);
    StochasticBuilder rows;
    const auto x = rows.decide("x", 0, 2);
    EXPECT_THROW((void)rows.chance("y", model::Domain(0, 1), {x}, {{1, 1}, {1, 1}}), Error);
    StochasticBuilder stranger;
    (void)stranger.decide("z", 0, 1);
    EXPECT_THROW((void)stranger.chance("y", model::Domain(0, 1), {model::IntExpr(3)}, {{1, 1}}), Error);
}

TEST(Limits, EndTheSearchWithoutAVerdict) {
    StochasticBuilder problem;
    model::IntExpr sum = 0;
    for (int stage = 0; stage < 12; ++stage) {
        const auto x = problem.decide("x" + std::to_string(stage), 0, 3);
        const auto y = problem.chance("y" + std::to_string(stage), 0, 3);
        sum += x * y;
    }
    problem.worth(sum % 7);
    const StochasticModel model = problem.build();
    for (const Engine engine : engines) {
        SolveOptions options;
        options.engine = engine;
        options.question = Question::best;
        options.limits = Limits(0.1, std::nullopt);
        const Answer answer = solve(model, options);
        EXPECT_EQ(answer.verdict, Verdict::unknown);
        EXPECT_EQ(answer.stop, Stop::time);
        EXPECT_FALSE(answer.policy);
    }
}

TEST(Rationals, AreReadAndWrittenExactly) {
    for (const auto& [written, meant] : std::vector<std::pair<std::string, std::string>>{{"2/3", "2/3"},
                                                                                         {"4/6", "2/3"},
                                                                                         {"-5", "-5"},
                                                                                         {"0.70", "7/10"},
                                                                                         {"010", "10"},
                                                                                         {"0", "0"},
                                                                                         {"-1/2", "-1/2"}}) {
        const auto number = read_rational(written);
        ASSERT_TRUE(number) << written;
        EXPECT_EQ(text(*number), meant);
    }
    for (const char* wrong : {"", "-", "1/0", "1/-2", "a", "1/2/3", "1.", ".5", "1e3", " 1"})
        EXPECT_FALSE(read_rational(wrong)) << wrong;
}

}  // namespace zermelo::stochastic
