// Many strategies, as they are and damaged in one place, before a checker and brute force.

#pragma once

#include <gtest/gtest.h>

#include "mutation.hpp"
#include "support/seeds.hpp"

namespace zermelo {

struct Tally {
    int exists = 0;
    int forall = 0;
    int rejected = 0;
    int harmless = 0;
};

// Both players' strategies, harmless and harmful damages must all be common among the models.
template <class Compare>
void compare_many(std::size_t models, Compare compare_one) {
    Tally total;
    const auto drawn = seeds(models);
    for (const auto seed : drawn) {
        const Tally tally = compare_one(seed);
        if (::testing::Test::HasFailure()) return;
        total.exists += tally.exists;
        total.forall += tally.forall;
        total.rejected += tally.rejected;
        total.harmless += tally.harmless;
    }
    const auto enough = static_cast<int>(drawn.size()) / 10;
    EXPECT_GT(total.exists, enough);
    EXPECT_GT(total.forall, enough);
    EXPECT_GT(total.rejected, enough);
    EXPECT_GT(total.harmless, enough);
}

}  // namespace zermelo
