#include "solve/problem/model_view.hpp"

#include <gtest/gtest.h>

namespace zermelo {
namespace {

TEST(CommonText, KeepsWhatAllTextsSayAndDotsTheRest) {
    EXPECT_EQ(common_text({"a board\n", "a board\n"}), "a board\n");
    EXPECT_EQ(common_text({"xo.\n.x.\n", "xoo\n.x.\n"}), "xo·\n.x.\n");
    EXPECT_EQ(common_text({"von Ann\n", "von Bob\n"}), "von ···\n");
    EXPECT_EQ(common_text({"one\n", "one\ntwo\n"}), "one\n…\n");
}

TEST(CommonText, TakesNumbersAsAWhole) {
    EXPECT_EQ(common_text({"left: 7 3 -1\n", "left: 7 2 -2\n"}), "left: 7 · ··\n");
    EXPECT_EQ(common_text({"left: 10 3\n", "left: 10 12\n"}), "left: 10 ··\n");
    EXPECT_EQ(common_text({"left: 18\n", "left: 17\n"}), "left: ··\n");
}

}  // namespace
}  // namespace zermelo
