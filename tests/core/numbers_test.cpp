#include "core/format/numbers.hpp"

#include <gtest/gtest.h>

#include <string>

namespace zermelo {
namespace {

TEST(ReadNumber, TakesTheWholeTextOrNothing) {
    EXPECT_EQ(read_number<int>("42"), 42);
    EXPECT_EQ(read_number<int>("-42"), -42);
    EXPECT_EQ(read_number<double>("0.25"), 0.25);
    for (const char* text : {"", " 42", "42 ", "4 2", "+42", "42x", "x", "0x10", "1.5"}) {
        EXPECT_FALSE(read_number<int>(text)) << text;
    }
}

TEST(ReadNumber, RefusesWhatDoesNotFit) {
    EXPECT_EQ(read_number<std::uint16_t>("65535"), 65535);
    EXPECT_FALSE(read_number<std::uint16_t>("65536"));
    EXPECT_FALSE(read_number<std::uint64_t>("-1"));
    for (const char* text : {"nan", "inf", "-inf", "1e999"}) EXPECT_FALSE(read_number<double>(text)) << text;
}

TEST(ReadSize, ANumberWithoutALetterIsBytes) {
    EXPECT_EQ(read_size("64"), 64U);
    EXPECT_EQ(read_size("1000"), 1000U);
    EXPECT_EQ(read_size("0"), 0U);
}

TEST(ReadSize, LettersArePowersOf1024) {
    EXPECT_EQ(read_size("3K"), 3072U);
    EXPECT_EQ(read_size("64M"), std::uint64_t{64} << 20);
    EXPECT_EQ(read_size("2G"), std::uint64_t{2} << 30);
    EXPECT_EQ(read_size("1.5G"), std::uint64_t{3} << 29);
    EXPECT_EQ(read_size("0.5K"), 512U);
}

TEST(ReadSize, RefusesWhatIsNoAmount) {
    for (const char* text :
         {"", "M", "64Q", "64m", "64MB", "64 M", " 64M", "-1", "-1M", "lots", "nan", "infG"}) {
        EXPECT_FALSE(read_size(text)) << text;
    }
}

TEST(ReadSize, RefusesWhatSixtyFourBitsCannotHold) {
    EXPECT_EQ(read_size("18446744073709551615"), ~std::uint64_t{0});
    EXPECT_EQ(read_size("17179869183G"), std::uint64_t{17179869183} << 30);
    for (const char* text : {"18446744073709551616", "17179869184G", "99999999999999G", "1e40"}) {
        EXPECT_FALSE(read_size(text)) << text;
    }
}

}  // namespace
}  // namespace zermelo
