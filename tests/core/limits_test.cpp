// Limits are obeyed where they are asked about, and by whoever they are handed down to.

#include "core/limits.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace zermelo {
namespace {

TEST(Limits, AreReachedAfterSoManyQuestionsOfAllCopies) {
    const Limits limits = Limits::after_questions(3);
    const Limits copy = limits;
    EXPECT_EQ(limits.reached(), Stop::none);
    EXPECT_EQ(copy.reached(), Stop::none);
    EXPECT_EQ(limits.reached(), Stop::none);
    EXPECT_EQ(copy.reached(), Stop::time);
    EXPECT_EQ(limits.reached(), Stop::time);
    EXPECT_EQ(limits.reached(), Stop::time) << "the answer stays";
}

TEST(Limits, DoNotAllowMoreMemoryThanThereIs) {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    const Limits limits(std::nullopt, resident_bytes() + 50 * megabyte);
    EXPECT_TRUE(limits.allow(megabyte));
    EXPECT_FALSE(limits.allow(100 * megabyte));
    EXPECT_TRUE(Limits().allow(100 * megabyte));
}

TEST(LimitScope, HandsLimitsDownToTheInnermostWork) {
    EXPECT_NO_THROW(stay_within_limits("outside of any scope"));
    const Limits over(0.0, std::nullopt);
    const LimitScope scope(over);
    EXPECT_THROW(stay_within_limits("in a scope"), LimitReached);
    {
        const Limits none;
        const LimitScope inner(none);
        EXPECT_NO_THROW(stay_within_limits("in the inner scope"));
    }
    EXPECT_THROW(stay_within_limits("in the outer scope again"), LimitReached);
}

TEST(LimitScope, RefusesLargeAllocationsBeforeTheyAreMade) {
    constexpr std::size_t megabyte = std::size_t{1} << 20;
    const Limits limits(std::nullopt, resident_bytes() + 50 * megabyte);
    const LimitScope scope(limits);
    EXPECT_EQ(memory_of_scope(), limits.memory());
    EXPECT_NO_THROW(stay_within_limits("with little", megabyte));
    try {
        stay_within_limits("with much", 1000 * megabyte);
        FAIL() << "it was allowed";
    } catch (const LimitReached& limit) {
        EXPECT_EQ(limit.stop(), Stop::memory);
    }
    std::vector<std::uint64_t> array;
    EXPECT_THROW(
        {
            for (std::uint64_t i = 0; i < 200 * megabyte; ++i) {
                ask_to_grow(array, "while it grew");
                array.push_back(i);
            }
        },
        LimitReached);
    EXPECT_LE(array.capacity() * sizeof(std::uint64_t), 50 * megabyte);
}

}  // namespace
}  // namespace zermelo
