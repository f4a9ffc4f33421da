#include <gtest/gtest.h>

#include "chance/oracle.hpp"
#include "game/chance/expectimax.hpp"
#include "game/chance/solve.hpp"
#include "game/chance/verify_policy.hpp"

namespace zermelo::game {

namespace {

Rational half(int twice) { return Rational(twice) / 2; }

ExpectedValues bounds_of(const Graph& graph) {
    ExpectedValueOptions options;
    options.exact = false;
    return find_expected_values(graph, options);
}

void expect_valid(const Graph& graph, const ExpectedValues& values, std::uint64_t seed) {
    GraphGame game(graph);
    for (const ChancePolicy& policy : build_policies(graph, values)) {
        const PolicyVerification result = verify_policy(game, policy);
        ASSERT_TRUE(result.valid) << "seed " << seed << ", " << name(policy.claim) << ": "
                                  << (result.counterexample ? result.counterexample->text() : "?");
    }
}

TEST(ExpectedValues, EqualTheBestOfAllStrategiesOnRandomGraphs) {
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const std::size_t players = 1 + seed % 2;
        const int sum = seed % 3 == 0 ? 60 : 100;
        const Graph graph = random_chance_graph(seed, players, false, players == 2 ? sum : 100);
        const ExpectedValues values = find_expected_values(graph);
        ASSERT_TRUE(values.exact) << "seed " << seed;
        const Rational endless = half(values.twice_endless);
        const Rational expected = brute_force_value(graph, endless, values.interests == Interests::shared);
        ASSERT_EQ(values.lower(graph.initial, 0), expected) << "seed " << seed;
        expect_valid(graph, values, seed);
    }
}

TEST(ExpectedValues, BoundsContainTheValueAndAreProven) {
    std::size_t tight = 0;
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
        const Graph graph = random_chance_graph(seed, 1 + seed % 2, false);
        const ExpectedValues values = bounds_of(graph);
        const Rational exact = find_expected_values(graph).lower(graph.initial, 0);
        ASSERT_FALSE(values.exact);
        ASSERT_LE(values.lower(graph.initial, 0), exact) << "seed " << seed;
        ASSERT_GE(values.upper(graph.initial, 0), exact) << "seed " << seed;
        if (values.width(graph.initial) < Rational(1) / 1'000'000) ++tight;
        expect_valid(graph, values, seed);
    }
    EXPECT_GT(tight, 380U);  // where a player gains by circles the bounds may stay apart
}

TEST(ExpectedValues, PlayersWithTheSameInterestsWorkTogether) {
    for (std::uint64_t seed = 2000; seed < 2200; ++seed) {
        Graph graph = random_chance_graph(seed, 2, false);
        for (auto& payoffs : graph.outcomes) payoffs[1] = payoffs[0];
        const ExpectedValues values = find_expected_values(graph);
        ASSERT_EQ(values.interests, Interests::shared);
        ASSERT_EQ(values.lower(graph.initial, 1), brute_force_value(graph, 50, true)) << "seed " << seed;
        expect_valid(graph, values, seed);
        expect_valid(graph, bounds_of(graph), seed);
    }
}

TEST(ExpectedValues, BackwardInductionIsThatOfTheTextbookForThreePlayers) {
    for (std::uint64_t seed = 3000; seed < 3300; ++seed) {
        const Graph graph = random_chance_graph(seed, 3, true);
        const ExpectedValues values = find_expected_values(graph);
        const Rationals expected = plain_induction(graph, graph.initial);
        for (Player p = 0; p < 3; ++p)
            ASSERT_EQ(values.lower(graph.initial, p), expected[p]) << "seed " << seed;
        expect_valid(graph, values, seed);
    }
}

TEST(ExpectedValues, ExpectimaxAgreesWhereNothingComesBack) {
    for (std::uint64_t seed = 4000; seed < 4300; ++seed) {
        const std::size_t players = 1 + seed % 3;
        const Graph graph = random_chance_graph(seed, players, true);
        ChanceOptions options;
        options.engine = ChanceEngine::expectimax;
        const ChanceSolution searched = solve_chance(graph, options);
        options.engine = ChanceEngine::value_iteration;
        const ChanceSolution valued = solve_chance(graph, options);
        ASSERT_TRUE(searched.solved && valued.solved) << "seed " << seed;
        ASSERT_EQ(searched.values, valued.values) << "seed " << seed;
        ASSERT_EQ(searched.policies, valued.policies) << "seed " << seed;
    }
}

TEST(ExpectedValues, APlayerWhoGainsByPlayingOnForEverDoes) {
    // Alice may go round for ever, or take a lottery in which she mostly loses.
    Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{0, 100}, {100, 0}};
    graph.label = {0, Graph::chance, Graph::ended, Graph::ended + 1};
    graph.to = {0, 1, 2, 2, 3};
    graph.start = {0, 2, 5, 5, 5};
    EXPECT_EQ(find_expected_values(graph).lower(0, 0), 50);
    EXPECT_EQ(bounds_of(graph).lower(0, 0), 50);
    EXPECT_EQ(bounds_of(graph).upper(0, 0), 50);
    graph.outcomes[0] = {40, 60};  // now the lottery is worth 60
    graph.outcomes[1] = {100, 0};
    graph.outcomes = {{40, 60}, {100, 0}};
    EXPECT_EQ(find_expected_values(graph).lower(0, 0), 60);
}

TEST(ExpectedValues, NumbersThatGrowTooLongBecomeBounds) {
    const Graph graph = random_chance_graph(8, 2, false);
    ExpectedValueOptions options;
    options.most_bits = 1;
    const ExpectedValues values = find_expected_values(graph, options);
    EXPECT_FALSE(values.exact);
    const Rational exact = find_expected_values(graph).lower(graph.initial, 0);
    EXPECT_LE(values.lower(graph.initial, 0), exact);
    EXPECT_GE(values.upper(graph.initial, 0), exact);
}

// --- damaged policies ---

// Whether the policy still proves what it claims, by brute force over the owner's moves.
TEST(PolicyCheck, RefusesEveryDamagedPolicyThatIsWrong) {
    std::size_t refused = 0;
    std::size_t kept = 0;
    for (std::uint64_t seed = 5000; seed < 5200; ++seed) {
        const Graph graph = random_chance_graph(seed, 2, seed % 2 == 0);
        const ExpectedValues values = find_expected_values(graph);
        GraphGame game(graph);
        for (const ChancePolicy& policy : build_policies(graph, values)) {
            // A limit that is too low, or a promise that is too high.
            ChancePolicy greedy = policy;
            greedy.values.front() += Rational(policy.claim == ChancePolicy::Claim::limit ? -1 : 1) / 1000;
            ASSERT_FALSE(verify_policy(game, greedy).valid) << "seed " << seed;
            for (std::size_t i = 0; i < policy.choices.size(); ++i) {
                ChancePolicy damaged = policy;
                damaged.choices[i] = (damaged.choices[i] + 1) % 3;
                const PolicyVerification result = verify_policy(game, damaged);
                ASSERT_TRUE(result.valid || result.counterexample) << "seed " << seed;
                (result.valid ? kept : refused) += 1;
                if (!result.valid) continue;
                // It is another best policy: what it guarantees was computed from its own moves.
                ASSERT_GE(result.values.front(), policy.values.front()) << "seed " << seed;
            }
            if (!policy.choices.empty()) {
                ChancePolicy cut_short = policy;
                cut_short.choices.pop_back();
                ASSERT_FALSE(verify_policy(game, cut_short).valid) << "seed " << seed;
                ChancePolicy too_long = policy;
                too_long.choices.push_back(0);
                ASSERT_FALSE(verify_policy(game, too_long).valid) << "seed " << seed;
            }
            for (std::size_t i = 0; i < policy.heads.size(); ++i) {
                ChancePolicy damaged = policy;
                damaged.heads[i] += 1;
                ASSERT_FALSE(verify_policy(game, damaged).valid && damaged.heads[i] > 100) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(refused, 100U);
    EXPECT_GT(kept, 10U);
}

TEST(PolicyCheck, RefusesAPlayThatIsHeldUpForEver) {
    // Bob can keep the play for ever, which pays Alice 50; the policy claims that she expects 100.
    Graph graph;
    graph.players = {"Alice", "Bob"};
    graph.outcomes = {{100, 0}, {0, 100}};
    graph.label = {0, 1, Graph::ended};
    graph.to = {1, 0, 2};
    graph.start = {0, 1, 3, 3};
    GraphGame game(graph);
    ChancePolicy policy;
    policy.owners = {true, false};
    policy.twice_endless = 100;
    policy.values = {100};
    policy.choices = {0};
    policy.heads = {100};
    const PolicyVerification result = verify_policy(game, policy);
    ASSERT_TRUE(result.counterexample);
    EXPECT_NE(result.counterexample->reason.find("kept for ever"), std::string::npos);
    policy.values = {50};
    policy.heads = {50};
    EXPECT_TRUE(verify_policy(game, policy).valid);
}

}  // namespace

}  // namespace zermelo::game
