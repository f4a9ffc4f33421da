// The facts of Barichard and Stéphan (2017), as they state them.

#include <gtest/gtest.h>

#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/dot.hpp"
#include "support/nim.hpp"
#include "support/tree.hpp"

namespace zermelo {
namespace {

// Algorithm 1 as printed there: values in ascending order, success only when all variables are assigned.
quantified::SolveOptions as_published() {
    quantified::SolveOptions options;
    options.values = quantified::ValueOrder::ascending;
    options.success = quantified::Success::assigned;
    options.goods = false;
    return options;
}

std::string tree_of(const model::Model& model, quantified::SolveOptions options) {
    TreeText tree(model);
    options.observer = &tree;
    const quantified::Answer answer = solve(model, options);
    EXPECT_EQ(answer.statistics.nodes, tree.nodes());
    return tree.text();
}

TEST(BarichardAndStephan, TheExampleOfSection2IsWonWithXAndYZero) {
    model::ModelBuilder game;
    const auto x = game.exists("x", 0, 2);
    const auto y = game.exists("y", 0, 2);
    const auto z = game.forall("z", 0, 2);
    const auto t = game.exists("t", 0, 2);
    game.require(x == y * z + t);
    game.require(t <= x);
    const model::Model model = game.build();
    const quantified::Answer answer = solve(model, as_published());
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    EXPECT_TRUE(verify(model, answer.strategy).valid);
    const strategy::Strategy full = completed(model, answer.strategy);
    const auto& first = full.nodes[full.root];
    EXPECT_EQ(model.name_of(first.variable), "x");
    EXPECT_EQ(first.edges.front().values, std::vector<model::Value>{0});
    const auto& second = full.nodes[first.edges.front().to];
    EXPECT_EQ(model.name_of(second.variable), "y");
    EXPECT_EQ(second.edges.front().values, std::vector<model::Value>{0});
}

TEST(BarichardAndStephan, TheBakerNeedsOneThreeNineAndTwentySeven) {
    model::ModelBuilder game;
    const auto p = game.exists("p", 4, 1, 40);
    const auto f = game.forall("f", 1, 40);
    const auto e = game.exists("e", 4, -1, 1);
    model::IntExpr balance = 0;
    for (std::size_t i = 0; i < 4; ++i) balance += p[i] * e[i];
    game.require(balance == f);
    for (std::size_t i = 0; i + 1 < 4; ++i) game.require(p[i] < p[i + 1]);
    quantified::SolveOptions options;
    options.all_first_moves = true;
    const quantified::Answer answer = solve(game.build(), options);
    EXPECT_EQ(answer.verdict, quantified::Verdict::won);
    EXPECT_EQ(answer.first_moves, (std::vector<std::vector<model::Value>>{{1, 3, 9, 27}}));
}

TEST(BarichardAndStephan, FibonacciNimIsWonExactlyWhenNIsNotAFibonacciNumber) {
    for (int n = 2; n <= 28; ++n) {
        const model::Model model = nim_with_rules(n).build();
        const quantified::Answer answer = quantified::solve(model);
        EXPECT_EQ(answer.verdict, is_fibonacci(n) ? quantified::Verdict::lost : quantified::Verdict::won)
            << "n = " << n;
        EXPECT_TRUE(verify(model, answer.strategy).valid) << "n = " << n;
    }
}

constexpr auto figure_3 = "x1(1:y1(1:x2(1:y2(1:f),2:t),2:x2(1:t),3:t))";

TEST(BarichardAndStephan, WithRulesTheSearchTreeForFourMatchesIsFigure3) {
    const model::Model model = nim_with_rules(4).build();
    EXPECT_EQ(tree_of(model, as_published()), figure_3);
    EXPECT_EQ(solve(model, as_published()).statistics.nodes, 9);
}

TEST(BarichardAndStephan, WithoutCutsTheTseitinFormAlsoExploresTheThreeMarkedSubtrees) {
    const model::Model model = nim_as_formula(4, false).build();
    EXPECT_EQ(tree_of(model, as_published()),
              "x1(1:y1(1:x2(1:y2(1:f),2:y2(1:t,2:t,3:t)),2:x2(1:y2(1:t,2:t,3:t)),3:x2(1:y2(1:t,2:t,3:t))))");
}

TEST(BarichardAndStephan, TheTwoCutsOfSection5BringFigure3Back) {
    EXPECT_EQ(tree_of(nim_as_formula(4, true).build(), as_published()), figure_3);
}

TEST(BarichardAndStephan, SuccessDetectionMakesTheCutsUnnecessary) {
    quantified::SolveOptions options = as_published();
    options.success = quantified::Success::entailed;
    EXPECT_LE(solve(nim_as_formula(4, false).build(), options).statistics.nodes, 9);
}

TEST(BarichardAndStephan, TheStrategyForFourMatchesIsFigure2AndItsGraphThatOfSection71) {
    const model::Model model = nim_with_rules(4).build();
    const strategy::Strategy full = completed(model, solve(model, as_published()).strategy);
    // Node by node from the root: variable, then values → the variable of the child.
    std::string text;
    for (std::size_t i = full.nodes.size() - 1; i > 0; --i) {
        text += model.name_of(full.nodes[i].variable) + "[";
        for (const strategy::Edge& edge : full.nodes[i].edges) {
            const auto child = full.nodes[edge.to].variable;
            text +=
                strategy::edge_label(edge.values) + "->" + (child < 0 ? "end" : model.name_of(child)) + ";";
        }
        text += "] ";
    }
    EXPECT_EQ(full.size(), 5) << text;
    EXPECT_NE(text.find("x1[1->y1;]"), std::string::npos) << text;
    EXPECT_NE(text.find("y1[1->x2;2//3->x2;]"), std::string::npos) << text;
    EXPECT_NE(text.find("x2[2->y2;]"), std::string::npos) << text;
    EXPECT_NE(text.find("x2[1->y2;]"), std::string::npos) << text;
    EXPECT_NE(text.find("y2[1//2//3->end;]"), std::string::npos) << text;
}

TEST(BarichardAndStephan, AThresholdOnAnEvaluationIsAWinningCondition) {
    // Three rounds; the evaluation is what is left after both have moved.
    model::ModelBuilder game;
    model::IntExpr value = 0;
    for (int i = 1; i <= 3; ++i) {
        const auto up = game.exists("up" + std::to_string(i), 0, 3);
        const auto down = game.forall("down" + std::to_string(i), 0, 2);
        value += up - down + (up == 3 && down == 2);
    }
    game.maximise(value);
    const quantified::Answer best = quantified::maximise(game.build());
    EXPECT_EQ(best.best, 6);
    game.require(value >= 6);
    EXPECT_EQ(quantified::solve(game.build()).verdict, quantified::Verdict::won);
    game.require(value >= 7);
    EXPECT_EQ(quantified::solve(game.build()).verdict, quantified::Verdict::lost);
}

}  // namespace
}  // namespace zermelo
