// A state as text: what looks like a board is one, and everything else stands in a line.

#include "gdl/board.hpp"

#include <gtest/gtest.h>

namespace zermelo::gdl {
namespace {

TEST(Board, StandsWithItsFirstNumberAcrossAndItsSecondUpwards) {
    EXPECT_EQ(board({"(cell 1 1 x)", "(cell 2 1 b)", "(cell 1 2 oo)", "(control x)", "(step 3)"}),
              "cell, first number across, second upwards:\n"
              "   2 | oo .\n"
              "   1 | x  b\n"
              "       1  2\n"
              "(control x)\n"
              "(step 3)\n");
}

TEST(Board, IsNoneWhereAPlaceIsNamedTwiceOrInOneRow) {
    EXPECT_EQ(board({"(cell 1 1 x)", "(cell 1 1 o)"}), "(cell 1 1 x) (cell 1 1 o)\n");
    EXPECT_EQ(board({"(cell 1 1 x)", "(cell 2 1 o)"}), "(cell 1 1 x) (cell 2 1 o)\n");
    EXPECT_EQ(board({"alone", "(cell a 1 x)"}), "alone\n(cell a 1 x)\n");
}

}  // namespace
}  // namespace zermelo::gdl
