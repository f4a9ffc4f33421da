// Sweeps: what a person writes becomes the players that were meant, and everything else is refused in one
// line.

#include "arena/sweep.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace zermelo::arena {
namespace {

TEST(Sweep, ARangeHoldsItsEnd) {
    const auto swept = read_sweep("uct:exploration=0..1/0.1");
    EXPECT_EQ(swept.sweep.player, "uct");
    EXPECT_EQ(swept.sweep.key, "exploration");
    ASSERT_EQ(swept.sweep.values.size(), 11U);
    for (std::size_t i = 0; i <= 10; ++i)
        EXPECT_DOUBLE_EQ(swept.sweep.values[i], static_cast<double>(i) / 10);
    ASSERT_EQ(swept.players.size(), 11U);
    EXPECT_EQ(swept.players[0], "uct:exploration=0");
    EXPECT_EQ(swept.players[3], "uct:exploration=0.3");
    EXPECT_EQ(swept.players[10], "uct:exploration=1");
}

TEST(Sweep, AStepNeedNotReachTheEnd) {
    EXPECT_EQ(read_sweep("uct:playouts=10..100/40").sweep.values, (std::vector<double>{10, 50, 90}));
    EXPECT_EQ(read_sweep("uct:playouts=1000000..3000000/1000000").players[1], "uct:playouts=2000000");
}

TEST(Sweep, AListIsPutInOrder) {
    const auto swept = read_sweep("uct:exploration=1.6,0.1,4e-1");
    EXPECT_EQ(swept.sweep.values, (std::vector<double>{0.1, 0.4, 1.6}));
    EXPECT_EQ(swept.players, (std::vector<std::string>{"uct:exploration=0.1", "uct:exploration=0.4",
                                                       "uct:exploration=1.6"}));
}

TEST(Sweep, OtherKeysStayAsTheyAre) {
    const auto list = read_sweep("grave:bounds=0,reference=0,50,bias=0.1");
    EXPECT_EQ(list.sweep.player, "grave:bounds=0,bias=0.1");
    EXPECT_EQ(list.players, (std::vector<std::string>{"grave:reference=0,bounds=0,bias=0.1",
                                                      "grave:reference=50,bounds=0,bias=0.1"}));
    const auto named = read_sweep("uct:label=a tree,exploration=0..1/1");
    EXPECT_EQ(named.sweep.player, "a tree");
    EXPECT_EQ(named.players[1], "uct:exploration=1,label=a tree exploration=1");
    // A name of a file may look a little like a range.
    const auto file = read_sweep("perfect:strategy=../plans/a.bin,solve=1,2");
    EXPECT_EQ(file.players[0], "perfect:solve=1,strategy=../plans/a.bin");
}

std::string complaint(const std::string& text) {
    try {
        (void)read_sweep(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Sweep, WhatIsNoneIsRefusedInOneLine) {
    const std::vector<std::pair<std::string, std::string>> bad = {
        {"", "there is no key with values"},
        {"uct", "there is no key with values"},
        {"uct:", "there is no key with values"},
        {"uct:exploration", "there is no key with values"},
        {"uct:exploration=0.3", "no key has several values"},
        {"uct:exploration=ten..twenty/5", "no key has several values"},
        {"uct:exploration=1..0/0.1", "ends before it begins"},
        {"uct:exploration=0..1/0", "its step is 0"},
        {"uct:exploration=0..1/-1", "its step is -1"},
        {"uct:exploration=0..1", "0..1 is no range"},
        {"uct:exploration=0..1/", "0..1/ is no range"},
        {"uct:exploration=0..1/fast", "0..1/fast is no range"},
        {"uct:exploration=..1/0.5", "..1/0.5 is no range"},
        {"uct:exploration=0..end/1", "0..end/1 is no range"},
        {"uct:exploration=0..1/inf", "0..1/inf is no range"},
        {"uct:exploration=0..1/2", "holds one value only"},
        {"uct:exploration=1..1/1", "holds one value only"},
        {"uct:exploration=0..1/1e-300", "more than 200 values"},
        {"uct:exploration=0..1/0.001", "more than 200 values"},
        {"uct:exploration=1,0.3,1.0", "1 stands there twice"},
        {"uct:exploration=1,much", "much is no number"},
        {"uct:exploration=1,", "nothing is no number"},
        {"uct:exploration=0..1/0.5,each=1,2", "both exploration and each have several values"},
        {"uct:exploration=0..1/0.5,2", "0..1/0.5 is no number"},
        {"uct:exploration=0..20/10", "20 is no value for exploration; write a number from 0 to 10"},
        {"uct:symmetry=0..1/0.5", "0.5 is no value for symmetry"},
        {"uct:courage=0..1/1", "courage is no key"},
        {"uct:exploration=0..1/1,bounds=2", "2 is no value for bounds"},
        {"nobody:key=0..1/1", "there is no player nobody"}};
    for (const auto& [text, expected] : bad) {
        const std::string said = complaint(text);
        EXPECT_NE(said.find(expected), std::string::npos) << text << ": " << said;
        EXPECT_EQ(said.find('\n'), std::string::npos) << said;
    }
}

}  // namespace
}  // namespace zermelo::arena
