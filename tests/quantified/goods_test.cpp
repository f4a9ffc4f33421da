// The table of goods and nogoods against a map.

#include "quantified/goods.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/random.hpp"

namespace zermelo {
namespace {

Hash128 random_key(Random& random) {
    Hasher hasher;
    hasher.add(random.below(std::uint64_t{1} << 62));
    return hasher.value();
}

TEST(Goods, FindsWhatWasStoredWhileItGrows) {
    for (const bool images : {false, true}) {
        quantified::Goods goods(std::size_t{64} << 20, images);
        Random random(7);
        std::vector<quantified::Goods::Entry> entries;
        std::size_t found = 0;
        for (int i = 0; i < 200'000; ++i) {
            quantified::Goods::Entry entry;
            entry.key = random_key(random);
            entry.node = i;
            entry.image = images ? static_cast<std::uint16_t>(i % 1000) : std::uint16_t{0};
            entry.known = static_cast<quantified::Goods::Known>(i % 3);
            goods.store(entry, static_cast<std::uint64_t>(i));
            entries.push_back(entry);
        }
        for (const auto& entry : entries) {
            const auto known = goods.find(entry.key);
            if (!known) continue;  // a bucket was full
            ++found;
            ASSERT_EQ(known->key, entry.key);
            ASSERT_EQ(known->node, entry.node);
            ASSERT_EQ(known->image, entry.image);
            ASSERT_EQ(known->known, entry.known);
        }
        EXPECT_EQ(found, goods.used());
        EXPECT_GT(found, entries.size() * 9 / 10);
        EXPECT_FALSE(goods.find(random_key(random)));
    }
}

TEST(Goods, KeepsToItsMemoryAndToWhatWasHardest) {
    constexpr std::size_t bytes = std::size_t{3} << 20;  // not a power of two
    quantified::Goods goods(bytes, false);
    Random random(11);
    std::vector<Hash128> hard;
    for (int i = 0; i < 1'000'000; ++i) {
        quantified::Goods::Entry entry;
        entry.key = random_key(random);
        const bool is_hard = i % 100 == 0;
        if (is_hard) hard.push_back(entry.key);
        goods.store(entry, is_hard ? 1'000'000 : 1);
    }
    EXPECT_LE(goods.bytes(), bytes);
    EXPECT_GE(goods.bytes(), bytes * 9 / 10);
    EXPECT_GE(goods.used(), bytes / 16 * 9 / 10);
    for (const Hash128& key : hard) EXPECT_TRUE(goods.find(key));
}

TEST(Goods, ReplacesAnEntryOfTheSamePosition) {
    quantified::Goods goods(1 << 20, false);
    quantified::Goods::Entry entry;
    Random random(3);
    entry.key = random_key(random);
    entry.node = 1;
    goods.store(entry, 5);
    entry.node = 2;
    goods.store(entry, 5);
    EXPECT_EQ(goods.find(entry.key)->node, 2);
    EXPECT_EQ(goods.used(), 1U);
    goods.each_node([](strategy::NodeId& node) { node = 7; });
    EXPECT_EQ(goods.find(entry.key)->node, 7);
}

}  // namespace
}  // namespace zermelo
