// Policy files that are damaged anywhere are read or refused, and never believed without a check.

#include <gtest/gtest.h>

#include <sstream>

#include "stochastic/format/policy_file.hpp"
#include "stochastic/random_problem.hpp"
#include "stochastic/solve.hpp"
#include "stochastic/verify.hpp"

namespace zermelo::stochastic {

TEST(PolicyFiles, DamagedAnywhereAreRefusedOrStillChecked) {
    int refused = 0;
    int read = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const RandomProblem problem = random_problem(seed);
        const StochasticModel model = problem.model();
        SolveOptions options;
        options.question = Question::best;
        const Answer answer = solve(model, options);
        if (!answer.policy) continue;
        std::ostringstream out;
        write_json(out, model, *answer.policy);
        Random random(seed);
        for (int round = 0; round < 100; ++round) {
            std::string text = out.str();
            const auto at = random.below(text.size());
            static const std::string characters = "0123456789/-\"[]{},:x ";
            text[at] = characters[random.below(characters.size())];
            if (random.chance(0.3)) text.erase(random.below(text.size()), 1 + random.below(8));
            std::istringstream in(text);
            try {
                const Policy policy = stochastic::read_json(in, model);
                ++read;
                const auto checked = verify(model, policy);
                Play play;
                const auto worth = worth_by_force(problem, policy, policy.root, play);
                ASSERT_EQ(checked.valid, worth && *worth == policy.utilities) << "seed " << seed << "\n"
                                                                              << text;
            } catch (const Error&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 100);
    EXPECT_GT(read, 100);
}

TEST(PolicyFiles, NodesMayStandInAnyOrderAndHaveAnyIds) {
    StochasticBuilder problem("order");
    const auto x = problem.decide("x", 0, 1);
    const auto y = problem.chance("y", 0, 1, {1, 3});
    problem.worth(x * y);
    const StochasticModel model = problem.build();
    std::istringstream in(R"({"format": "zermelo-policy", "version": 1, "model": "another name",
        "order": [{"name": "x", "kind": "decision", "player": 1, "domain": [[0, 1]]},
                  {"name": "y", "kind": "chance", "domain": [0, 1]}],
        "nodes": [{"id": 70, "variable": "x", "edges": [{"values": [1], "to": 9}]},
                  {"id": 9, "variable": "y", "edges": [{"values": [1], "probability": "3/4", "to": 0},
                                                       {"values": [0], "probability": "0.25", "to": 0}]}],
        "root": 70, "utilities": ["0.75"]})");
    EXPECT_TRUE(verify(model, stochastic::read_json(in, model)).valid);
}

TEST(PolicyFiles, AreDrawnUpToTheNodesAskedFor) {
    const StochasticModel model = random_problem(12).model();
    SolveOptions options;
    options.question = Question::best;
    const Answer answer = solve(model, options);
    ASSERT_TRUE(answer.policy);
    ASSERT_GT(answer.policy->size(), 2U);
    std::ostringstream all;
    std::ostringstream few;
    write_dot(all, model, *answer.policy);
    write_dot(few, model, *answer.policy, 2);
    EXPECT_EQ(all.str().find("nodes are drawn"), std::string::npos);
    EXPECT_NE(few.str().find("2 of "), std::string::npos);
    EXPECT_NE(few.str().find("…"), std::string::npos);
}

}  // namespace zermelo::stochastic
