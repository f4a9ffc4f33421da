// Backjumping and learned sets: no verdict changes, and every strategy stands.

#include <gtest/gtest.h>

#include "certified.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/search_options.hpp"
#include "support/shipped_model.hpp"

namespace zermelo {
namespace {

using quantified::Learning;

struct Seen {
    std::uint64_t backjumps = 0;
    std::uint64_t hits = 0;
};

void expect_the_same(const model::ModelBuilder& builder, std::uint64_t seed, Seen& seen) {
    const model::Model model = builder.build();
    const quantified::Verdict truth =
        oracle::won(builder.source()) ? quantified::Verdict::won : quantified::Verdict::lost;
    for (const Learning learning : {Learning::backjump, Learning::nogoods}) {
        for (const bool goods : {true, false}) {
            quantified::SolveOptions options = options_number(seed);
            options.kernel = quantified::KernelChoice::trail;
            options.learning = learning;
            options.goods = goods;
            if (seed % 4 == 0) options.learned_sets = 4;
            if (seed % 5 == 0) options.strategy_nodes = 4;
            const std::string where = "seed " + std::to_string(seed) + ", learning " +
                                      std::to_string(static_cast<int>(learning)) + ", goods " +
                                      std::to_string(goods ? 1 : 0);
            const quantified::Answer answer = solve(model, options);
            ASSERT_EQ(answer.verdict, truth) << where;
            const strategy::Verification check = verify(model, answer.strategy);
            ASSERT_TRUE(check.valid) << where << ": "
                                     << (check.counterexample ? check.counterexample->text(model) : "");
            seen.backjumps += answer.statistics.backjumps;
            seen.hits += answer.statistics.learned_hits;
        }
    }
}

void expect_the_same_of(const Shape& shape, std::size_t models) {
    Seen seen;
    const auto drawn = seeds(models);
    for (const auto seed : drawn)
        ASSERT_NO_FATAL_FAILURE(expect_the_same(random_model(seed, shape), seed, seen));
    EXPECT_GT(seen.backjumps, drawn.size() / 10);
    EXPECT_GT(seen.hits, drawn.size() / 20);
}

TEST(Learning, ChangesNoVerdictWithoutRules) { expect_the_same_of(Shape{.blocks = 7}, 1000); }

TEST(Learning, ChangesNoVerdictWithRules) {
    Shape shape = Shape::with_rules();
    shape.blocks = 7;
    expect_the_same_of(shape, 1000);
}

TEST(Learning, ChangesNoVerdictWithCuts) {
    Shape shape = Shape::with_cuts();
    shape.blocks = 6;
    expect_the_same_of(shape, 700);
}

TEST(Learning, ChangesNoVerdictOfBooleansSumsAndGlobals) {
    Seen seen;
    for (const auto seed : seeds(1000)) {
        Shape shape = Shape::any(seed);
        shape.blocks = 7;
        ASSERT_NO_FATAL_FAILURE(expect_the_same(random_model(seed, shape), seed, seen));
    }
}

quantified::SolveOptions learning(Learning how, bool goods = true) {
    quantified::SolveOptions options;
    options.learning = how;
    options.goods = goods;
    options.values = quantified::ValueOrder::ascending;
    return options;
}

// Several threads, and strategy nodes that are thrown away, share what each has learned for itself.
TEST(Learning, WorksWithThreadsAndCollections) {
    for (const auto seed : seeds(200)) {
        Shape shape = seed % 2 == 0 ? Shape::plain() : Shape::with_rules();
        shape.blocks = 8;
        const model::Model model = random_model(seed, shape).build();
        quantified::SolveOptions options = learning(Learning::nogoods);
        const quantified::Verdict truth = quantified::solve(model).verdict;
        options.threads = 3;
        options.strategy_nodes = 8;
        options.symmetry = seed % 3 == 0;
        const quantified::Answer answer = solve(model, options);
        ASSERT_EQ(answer.verdict, truth) << "seed " << seed;
        ASSERT_TRUE(verify(model, answer.strategy).valid) << "seed " << seed;
    }
}

// A cut ends the play only where it has not failed before: found on this model.
TEST(Learning, DoesNotTakeACutForAWinElsewhere) {
    const model::Model cut =
        shipped_model("quantified/connect-four-qcsp", {"columns=3", "rows=3", "aligned=3", "use_cut=true"});
    const quantified::Verdict truth = certified(cut).verdict;
    for (const bool goods : {true, false})
        EXPECT_EQ(certified(cut, learning(Learning::nogoods, goods)).verdict, truth);
}

TEST(Learning, ChangesNoVerdictOfShippedGames) {
    for (const auto& [path, parameters] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"quantified/connect-four", {"columns=4", "rows=4"}},
             {"quantified/connect-four-rules", {"columns=4", "rows=3", "aligned=3"}},
             {"quantified/nim-fibonacci", {"n=13"}},
             {"quantified/baker", {"weights=4", "n=40"}}}) {
        const model::Model model = shipped_model(path, parameters);
        const quantified::Verdict truth = certified(model).verdict;
        for (const Learning how : {Learning::backjump, Learning::nogoods}) {
            for (const bool goods : {true, false})
                EXPECT_EQ(certified(model, learning(how, goods)).verdict, truth) << path;
        }
    }
}

// ∃ chooses s, and then n times ∃ and ∀ choose x and y. A sum with powers of two keeps all these moves apart, so that
// no rest is like another, but ∃ can do without it. At the end three variables need three colours; with s = 0
// there are two of them, and with s = 1 as well unless the game is to be won.
model::ModelBuilder irrelevant_moves(int n, bool won) {
    model::ModelBuilder game("irrelevant");
    const auto s = game.exists("s", 0, 1);
    model::IntExpr weight = 0;
    model::Value power = 1;
    for (int i = 1; i <= n; ++i) {
        weight = weight + power * game.exists("x" + std::to_string(i), 0, 1);
        power *= 2;
        weight = weight + power * game.forall("y" + std::to_string(i), 0, 1);
        power *= 2;
    }
    const auto colour = game.exists("colour", 3, 0, 2);
    const auto instead = game.exists("instead", 0, 1);
    game.require(weight == power / 2 || instead == 1);
    for (int i = 0; i < 3; ++i) {
        game.require(colour[i] != colour[(i + 1) % 3]);
        game.require(model::implies(s == 0, colour[i] <= 1));
        if (!won) game.require(model::implies(s == 1, colour[i] >= 1));
    }
    return game;
}

// Without learning all moves of the loser are tried one after the other, and the table does not know them.
TEST(Learning, SavesExponentiallyManyNodesBelowIrrelevantMoves) {
    for (const bool won : {false, true}) {
        std::vector<std::uint64_t> without, with;
        for (const int n : {4, 6, 8}) {
            const model::Model model = irrelevant_moves(n, won).build();
            without.push_back(certified(model, learning(Learning::off)).statistics.nodes);
            const quantified::Answer learned = certified(model, learning(Learning::backjump));
            with.push_back(learned.statistics.nodes);
            EXPECT_EQ(learned.verdict, won ? quantified::Verdict::won : quantified::Verdict::lost);
            EXPECT_GT(learned.statistics.backjumps, 0U);
        }
        for (std::size_t i = 1; i < with.size(); ++i) {  // two more moves of each: four times as many plays
            EXPECT_GE(without[i], 3 * without[i - 1]) << won;
            EXPECT_LE(with[i], with[i - 1] + 12) << won;
        }
    }
}

}  // namespace
}  // namespace zermelo
