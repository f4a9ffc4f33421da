// Theorem 1 of Barichard and Stéphan (2017) as a translation: rules become constraints and cuts, and neither the
// verdict nor the search tree changes.

#include "model/plain_qcsp.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "quantified/certified.hpp"
#include "support/nim.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/search_options.hpp"
#include "support/tree.hpp"

namespace zermelo {
namespace {

quantified::SolveOptions algorithm_1() {
    quantified::SolveOptions options;
    options.values = quantified::ValueOrder::ascending;
    options.success = quantified::Success::assigned;
    options.goods = false;
    return options;
}

std::string tree_by_algorithm_1(const model::Model& model, bool cuts = true) {
    TreeText tree(model);
    quantified::SolveOptions options = algorithm_1();
    options.cuts = cuts;
    options.observer = &tree;
    (void)solve(model, options);
    return tree.text();
}

// Pairs of which every left value has at least one right value that is in, and one that is not.
std::vector<std::vector<model::Value>> random_relation(Random& random, model::Value values) {
    std::vector<std::vector<model::Value>> rows;
    for (model::Value left = 1; left <= values; ++left) {
        const model::Value in = random.between(1, values);
        const model::Value out = in % values + 1;
        for (model::Value right = 1; right <= values; ++right) {
            if (right == in || (right != out && random.chance(0.5))) rows.push_back({left, right});
        }
    }
    return rows;
}

// A game in which a rule is decided by the move that it is about and the one before it, and by nothing earlier;
// so no propagation can see ahead, and what is explored is what the theorem speaks of.
model::ModelBuilder random_game_by_tables(std::uint64_t seed) {
    Random random(seed);
    const model::Value values = random.between(2, 4);
    const auto turns = random.between(2, 6);
    bool ours = random.chance(0.5);
    model::ModelBuilder game("tables-" + std::to_string(seed));
    model::IntExprs moves;
    for (int turn = 1; turn <= turns; ++turn, ours = !ours) {
        const std::string name = "x" + std::to_string(turn);
        moves.push_back(ours ? game.exists(name, 1, values) : game.forall(name, 1, values));
        if (turn > 1 && random.chance(0.8))
            game.rule(model::table({moves[moves.size() - 2], moves.back()}, random_relation(random, values)));
    }
    game.win(model::table({moves[moves.size() - 2], moves.back()}, random_relation(random, values)));
    return game;
}

TEST(PlainQcsp, HasTheVerdictOfTheModelWithRules) {
    for (const auto seed : seeds(1000)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::ModelBuilder game = random_model(seed, Shape::with_rules());
        const model::Model rules = game.build();
        const model::Model plain = plain_qcsp(rules);
        ASSERT_TRUE(std::none_of(plain.prefix.begin(), plain.prefix.end(),
                                 [](const model::Block& block) { return block.rule.has_value(); }));
        quantified::SolveOptions options = options_number(seed);
        options.cuts = seed % 3 != 0;
        const quantified::Answer answer = certified(plain, options);
        const bool won = oracle::won(game.source());
        ASSERT_EQ(answer.verdict, won ? quantified::Verdict::won : quantified::Verdict::lost);
        // A strategy for the one is a strategy for the other.
        ASSERT_TRUE(verify(rules, answer.strategy).valid);
    }
}

TEST(PlainQcsp, HasTheSearchTreeOfTheModelWithRules) {
    std::size_t larger_without_cuts = 0;
    const auto drawn = seeds(1000);
    for (const auto seed : drawn) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::ModelBuilder game = random_game_by_tables(seed);
        const model::Model rules = game.build();
        const model::Model plain = plain_qcsp(rules);
        const std::string tree = tree_by_algorithm_1(rules);
        ASSERT_EQ(tree_by_algorithm_1(plain), tree);
        ASSERT_EQ(solve(plain, algorithm_1()).statistics.nodes, solve(rules, algorithm_1()).statistics.nodes);
        ASSERT_EQ(solve(plain, algorithm_1()).verdict == quantified::Verdict::won,
                  oracle::won(game.source()));
        if (tree_by_algorithm_1(plain, false).size() > tree.size()) ++larger_without_cuts;
    }
    EXPECT_GT(larger_without_cuts, drawn.size() / 10);
}

TEST(PlainQcsp, IsTseitinNimOfAnySize) {
    for (int n = 2; n <= 18; ++n) {
        SCOPED_TRACE(n);
        const model::Model rules = nim_with_rules(n).build();
        const model::Model plain = plain_qcsp(rules);
        const quantified::Answer answer = certified(plain, algorithm_1());
        EXPECT_EQ(answer.verdict, is_fibonacci(n) ? quantified::Verdict::lost : quantified::Verdict::won);
        // A constraint acts from the start, so it may refute a move before the reply to it is made.
        const std::uint64_t nodes = solve(rules, algorithm_1()).statistics.nodes;
        EXPECT_LE(answer.statistics.nodes, nodes);
        EXPECT_GE(answer.statistics.nodes + 2 * static_cast<std::uint64_t>(n), nodes);
        if (!is_fibonacci(n)) {
            EXPECT_TRUE(tree_by_algorithm_1(plain) == tree_by_algorithm_1(rules));
        }
    }
}

TEST(PlainQcsp, OfFourMatchesIsThePapersOwn) {
    const model::Model plain = plain_qcsp(nim_with_rules(4).build());
    EXPECT_EQ(tree_by_algorithm_1(plain), tree_by_algorithm_1(nim_as_formula(4, true).build()));
    EXPECT_EQ(tree_by_algorithm_1(plain, false), tree_by_algorithm_1(nim_as_formula(4, false).build()));
    EXPECT_EQ(plain.cuts.size(), 2U);
}

TEST(PlainQcsp, MakesCutsThatAreRight) {
    for (const auto seed : seeds(500)) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::Model plain = plain_qcsp(random_model(seed, Shape::with_rules()).build());
        quantified::SolveOptions options = options_number(seed);
        options.threads = 1;
        options.check_cuts = true;
        ASSERT_TRUE(solve(plain, options).broken_cuts.empty());
    }
}

TEST(PlainQcsp, LeavesAModelWithoutRulesAsItIs) {
    const model::Model model = random_model(1).build();
    const model::Model plain = plain_qcsp(model);
    EXPECT_EQ(plain.variables.size(), model.variables.size());
    EXPECT_EQ(plain.constraints.size(), model.constraints.size());
    EXPECT_EQ(plain.win, model.win);
    EXPECT_TRUE(plain.cuts.empty());
}

TEST(PlainQcsp, RefusesWhatHasNoRulesToTranslate) {
    model::ModelBuilder strategic("strategic");
    const auto x = strategic.exists("x", 1, 2);
    strategic.state("s", 1, 2);
    strategic.require(x == 1);
    EXPECT_THROW((void)plain_qcsp(strategic.build()), Error);
    model::ModelBuilder best("best");
    best.maximise(best.exists("x", 1, 2));
    EXPECT_THROW((void)plain_qcsp(best.build()), Error);
}

}  // namespace
}  // namespace zermelo
