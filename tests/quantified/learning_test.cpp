// Backjumping and learned sets: no verdict changes, and every strategy stands.

#include <gtest/gtest.h>

#include "certified.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/search_options.hpp"

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
    for (const auto seed : seeds(models))
        ASSERT_NO_FATAL_FAILURE(expect_the_same(random_model(seed, shape), seed, seen));
    EXPECT_GT(seen.backjumps, models / 10);
    EXPECT_GT(seen.hits, models / 20);
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

}  // namespace
}  // namespace zermelo
