#include "cluster/comm/core_sharing.hpp"

#include <gtest/gtest.h>

namespace zermelo::cluster {
namespace {

using Shares = std::vector<std::vector<int>>;

TEST(Cores, OfOneMachineAreDividedEvenly) {
    const ProcessCores all{"a", {0, 1, 2, 3, 4}};
    EXPECT_EQ(divide_cores({all}), Shares({{0, 1, 2, 3, 4}}));
    EXPECT_EQ(divide_cores({all, all}), Shares({{0, 2, 4}, {1, 3}}));
}

TEST(Cores, OfOtherMachinesAreOthers) {
    EXPECT_EQ(divide_cores({{"a", {0, 1}}, {"b", {0, 1}}}), Shares({{0, 1}, {0, 1}}));
}

TEST(Cores, ThatMpirunHasDividedStayAsTheyAre) {
    EXPECT_EQ(divide_cores({{"a", {2}}, {"a", {0, 1}}}), Shares({{2}, {0, 1}}));
    EXPECT_EQ(divide_cores({{"a", {0, 1}}, {"a", {1}}}), Shares({{0}, {1}}));
}

TEST(Cores, AreSharedWhereThereAreTooFew) {
    const ProcessCores two{"a", {4, 5}};
    EXPECT_EQ(divide_cores({two, two, two, two}), Shares({{4}, {5}, {4}, {5}}));
    EXPECT_EQ(divide_cores({{"a", {}}}), Shares({{}}));
}

}  // namespace
}  // namespace zermelo::cluster
