// Half-reified rules: the verdict is that of reified ones, and the search tree too, where no table is used.

#include <gtest/gtest.h>

#include "kernel/program.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "support/random_model.hpp"
#include "support/shipped_model.hpp"

namespace zermelo {
namespace {

using kernel::Program;

TEST(HalfReified, LeavesOnlyTheClausesOfARule) {
    model::ModelBuilder game("two clauses");
    const auto x = game.exists("x", 0, 1);
    const auto y = game.forall("y", 0, 1);
    const auto z = game.also("z", 0, 1);
    game.rule((x == 1 || y == 1) && (y == 0 || z == 1));
    game.win(x + z >= 1);
    const model::Model model = game.build();
    const Program whole(model);
    const Program half(model, Program::Rules::half_reified);
    const model::VarId rule = model.prefix[1].rule->variable;
    EXPECT_EQ(half.consequences[static_cast<std::size_t>(rule)].size(), 2U);
    EXPECT_TRUE(whole.consequences[static_cast<std::size_t>(rule)].empty());
    EXPECT_LT(half.cone.size(), whole.cone.size());
    for (const int c : half.consequences[static_cast<std::size_t>(rule)])
        EXPECT_EQ(half.premise[static_cast<std::size_t>(c)], model.prefix[1].rule);
}

TEST(HalfReified, RulesThatSomethingElseReadsStayAsTheyAre) {
    model::ModelBuilder game("read twice");
    const auto x = game.exists("x", 0, 1);
    const auto y = game.forall("y", 0, 1);
    const auto either = x == 1 || y == 1;
    game.rule(either);
    game.exists("z", 0, 1);
    game.win(either);
    const model::Model model = game.build();
    quantified::SolveOptions options;
    const auto half = solve(model, options);
    options.half_reified = false;
    EXPECT_EQ(half.verdict, solve(model, options).verdict);
    EXPECT_TRUE(verify(model, half.strategy).valid);
}

// By algorithm 1, with values in a fixed order: what is propagated decides the tree.
TEST(HalfReified, PropagatesAsMuchAsReifiedRulesDo) {
    for (const auto seed : seeds(500)) {
        const model::Model model = random_model(seed, Shape::with_rules()).build();
        quantified::SolveOptions options;
        options.goods = false;
        options.learning = quantified::Learning::off;
        options.values = quantified::ValueOrder::ascending;
        options.success = seed % 2 == 0 ? quantified::Success::assigned : quantified::Success::entailed;
        const quantified::Answer half = solve(model, options);
        options.half_reified = false;
        const quantified::Answer whole = solve(model, options);
        ASSERT_EQ(half.verdict, whole.verdict) << "seed " << seed;
        ASSERT_EQ(half.statistics.nodes, whole.statistics.nodes) << "seed " << seed;
        ASSERT_EQ(half.statistics.failures, whole.statistics.failures) << "seed " << seed;
        ASSERT_TRUE(verify(model, half.strategy).valid) << "seed " << seed;
    }
}

// What learns asks why a move is legal, and rules in one direction do not tell: they stay reified, however it was
// asked to learn.
TEST(HalfReified, RulesOfASearchThatLearnsAreReified) {
    std::uint64_t halved = 0;
    for (const auto seed : seeds(200)) {
        const model::Model model = random_model(seed, Shape::with_rules()).build();
        quantified::SolveOptions options;
        const auto propagations = [&](quantified::Learning learning, bool half_reified) {
            options.learning = learning;
            options.half_reified = half_reified;
            return solve(model, options).statistics.propagations;
        };
        for (const auto learning : {quantified::Learning::backjump, quantified::Learning::nogoods})
            ASSERT_EQ(propagations(learning, true), propagations(learning, false)) << "seed " << seed;
        const std::uint64_t whole = propagations(quantified::Learning::off, false);
        halved += propagations(quantified::Learning::off, true) < whole ? 1 : 0;
    }
    EXPECT_GT(halved, 0U);
}

TEST(HalfReified, SavesPropagationsOnConnectFour) {
    const model::Model model =
        shipped_model("quantified/connect-four", {"columns=4", "rows=4", "half=false"});
    quantified::SolveOptions options;
    options.learning = quantified::Learning::off;
    options.values = quantified::ValueOrder::middle;
    const quantified::Answer half = solve(model, options);
    options.half_reified = false;
    const quantified::Answer whole = solve(model, options);
    EXPECT_EQ(half.statistics.nodes, whole.statistics.nodes);
    EXPECT_LT(half.statistics.propagations, whole.statistics.propagations);
}

}  // namespace
}  // namespace zermelo
