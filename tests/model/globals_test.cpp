// The global constraints on full assignments: a few facts each, told by hand.

#include "model/globals.hpp"

#include <gtest/gtest.h>

namespace zermelo {
namespace {

// Arguments as plain values: the variable with index v has the value v.
bool says(const std::string& name, std::vector<std::vector<model::VarId>> arguments) {
    return model::holds({"zermelo_" + name, std::move(arguments)},
                        [](model::VarId v) { return model::Value{v}; });
}

TEST(Globals, ACircuitVisitsEveryNode) {
    EXPECT_TRUE(says("circuit", {{2, 3, 1}, {1}}));
    EXPECT_FALSE(says("circuit", {{2, 1, 3}, {1}}));
    EXPECT_TRUE(says("circuit", {{1, 2, 0}, {0}}));
    EXPECT_FALSE(says("circuit", {{2, 3, 4}, {1}}));
}

TEST(Globals, AnInverseUndoes) {
    EXPECT_TRUE(says("inverse", {{2, 3, 1}, {1}, {3, 1, 2}, {1}}));
    EXPECT_FALSE(says("inverse", {{2, 3, 1}, {1}, {2, 3, 1}, {1}}));
    EXPECT_TRUE(says("inverse", {{5, 4}, {1}, {2, 1}, {4}}));
}

TEST(Globals, CardinalitiesAreCounted) {
    EXPECT_TRUE(says("global_cardinality", {{1, 2, 1, 9}, {1, 2, 3}, {2, 1, 0}}));
    EXPECT_FALSE(says("global_cardinality", {{1, 2, 2, 9}, {1, 2}, {2, 1}}));
    EXPECT_TRUE(says("global_cardinality_low_up", {{1, 2, 1}, {1}, {1}, {2}}));
    EXPECT_FALSE(says("global_cardinality_low_up", {{1, 1, 1}, {1}, {1}, {2}}));
}

TEST(Globals, ResourcesAreNotOverloaded) {
    EXPECT_TRUE(says("cumulative", {{0, 2, 1}, {2, 2, 2}, {1, 1, 1}, {2}}));
    EXPECT_FALSE(says("cumulative", {{0, 1, 1}, {2, 2, 2}, {1, 1, 1}, {2}}));
    EXPECT_TRUE(says("bin_packing_load", {{3, 4}, {1, 2, 1}, {1, 4, 2}, {1}}));
    EXPECT_FALSE(says("bin_packing_load", {{3, 4}, {1, 2, 3}, {1, 4, 2}, {1}}));
}

TEST(Globals, OrdersAreLexicographic) {
    EXPECT_TRUE(says("lex_less", {{1, 2}, {1, 3}}));
    EXPECT_FALSE(says("lex_less", {{1, 2}, {1, 2}}));
    EXPECT_TRUE(says("lex_lesseq", {{1, 2}, {1, 2}}));
    EXPECT_TRUE(says("lex_less", {{1}, {1, 0}}));
    EXPECT_TRUE(says("sort", {{3, 1, 2}, {1, 2, 3}}));
    EXPECT_FALSE(says("sort", {{3, 1, 1}, {1, 2, 3}}));
}

TEST(Globals, DifferentValuesAreCountedAndPrecedenceIsKept) {
    EXPECT_TRUE(says("nvalue", {{2}, {5, 5, 7}}));
    EXPECT_FALSE(says("nvalue", {{3}, {5, 5, 7}}));
    EXPECT_TRUE(says("value_precede", {{1}, {2}, {3, 1, 2}}));
    EXPECT_FALSE(says("value_precede", {{1}, {2}, {2, 1}}));
}

TEST(Globals, ARegularLanguageIsRecognised) {
    // an even number of 2s
    const std::vector<model::VarId> next = {1, 2, 2, 1};
    EXPECT_TRUE(says("regular", {{1, 2, 2}, {2}, {2}, next, {1}, {1}}));
    EXPECT_FALSE(says("regular", {{1, 2, 1}, {2}, {2}, next, {1}, {1}}));
    EXPECT_FALSE(says("regular", {{3}, {2}, {2}, next, {1}, {1}}));
}

TEST(Globals, ArgumentsThatDoNotFitAreRefused) {
    EXPECT_THROW((void)says("circuit", {{1, 2}}), Error);
    EXPECT_THROW((void)says("frobnicate", {}), Error);
    EXPECT_THROW((void)says("sort", {{1, 2}, {1}}), Error);
    for (const model::GlobalSignature& known : model::global_signatures())
        EXPECT_EQ(model::find_global(known.name)->arguments, known.arguments);
}

}  // namespace
}  // namespace zermelo
