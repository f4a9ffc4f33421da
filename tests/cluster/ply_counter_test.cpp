#include <gtest/gtest.h>

#include "cluster/retrograde/ply_counter.hpp"
#include "core/random.hpp"

namespace zermelo::cluster {
namespace {

using Row = std::vector<std::uint64_t>;

TEST(PlyCounter, CountsPiecesThatAreSet) {
    PlyCounterBuilder maker(64);
    Random random(1);
    for (int play = 0; play < 40; ++play) {
        Row before = {0};
        while (before[0] != 0xFFFF) {
            Row after = before;
            while (after == before) after[0] |= std::uint64_t{1} << random.below(16);
            ASSERT_TRUE(maker.add(before, after));
            before = after;
        }
    }
    const PlyCounter clock = maker.make();
    EXPECT_EQ(clock.time(Row{0b1011}), PlyCounter::after(clock.time(Row{0b0011})));
    EXPECT_EQ(clock.time(Row{0xFFFF}), 16U);
}

TEST(PlyCounter, ReadsACounterThatIsOneBitForEachNumber) {
    PlyCounterBuilder maker(128);
    for (unsigned step = 0; step < 99; ++step) {
        Row before = {0, 0};
        Row after = {0, 0};
        before[step / 64] |= std::uint64_t{1} << (step % 64);
        after[(step + 1) / 64] |= std::uint64_t{1} << ((step + 1) % 64);
        ASSERT_TRUE(maker.add(before, after));
    }
    const PlyCounter clock = maker.make();
    Row late = {0, 0};
    late[99 / 64] = std::uint64_t{1} << (99 % 64);
    std::uint64_t time = clock.time(Row{1, 0});
    for (int step = 0; step < 99; ++step) time = PlyCounter::after(time);
    EXPECT_EQ(clock.time(late), time);
}

TEST(PlyCounter, IsKnownWhenNothingNewIsLearned) {
    PlyCounterBuilder maker(64);
    for (int i = 0; i < 2000 && !maker.knows_enough(); ++i) {
        ASSERT_TRUE(maker.add(Row{0b01}, Row{0b11}));
        EXPECT_EQ(maker.knows_enough(), i == 1000) << i;
    }
    EXPECT_TRUE(maker.knows_enough());
}

TEST(PlyCounter, DoesNotExistWhereStatesComeAgain) {
    PlyCounterBuilder maker(64);
    EXPECT_TRUE(maker.add(Row{0b01}, Row{0b10}));
    EXPECT_FALSE(maker.add(Row{0b10}, Row{0b01}));
}

}  // namespace
}  // namespace zermelo::cluster
