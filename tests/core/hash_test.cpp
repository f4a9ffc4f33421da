#include "core/hash.hpp"

#include <gtest/gtest.h>

namespace zermelo {
namespace {

TEST(Hex, WritesThirtyTwoDigitsTheHighWordFirst) {
    EXPECT_EQ(hex({.low = 0xab, .high = 1}), "000000000000000100000000000000ab");
    EXPECT_EQ(hex({}), std::string(32, '0'));
}

TEST(Hex, ReadsWhatItWrote) {
    for (std::uint64_t word = 0; word < 1000; ++word) {
        const Hash128 hash = mixed(word, ~word);
        ASSERT_EQ(read_hex(hex(hash)), hash) << "word " << word;
    }
}

TEST(Hex, IsNothingElse) {
    const std::string right = "0123456789abcdef0123456789abcdef";
    ASSERT_TRUE(read_hex(right));
    EXPECT_FALSE(read_hex(""));
    EXPECT_FALSE(read_hex(right.substr(1)));
    EXPECT_FALSE(read_hex(right + "0"));
    for (std::size_t i = 0; i < right.size(); ++i) {
        for (const char wrong : {'g', ' ', '-', '+', '\0'}) {
            std::string text = right;
            text[i] = wrong;
            EXPECT_FALSE(read_hex(text)) << text;
        }
    }
}

TEST(Hasher, TakesAHashAndATextAsTheWordsTheyAreMadeOf) {
    Hasher whole;
    whole.add(Hash128{.low = 3, .high = 4});
    whole.add("az");
    Hasher words;
    for (const std::uint64_t word : {3, 4, int{'a'}, int{'z'}}) words.add(word);
    EXPECT_EQ(whole.value(), words.value());
}

}  // namespace
}  // namespace zermelo
