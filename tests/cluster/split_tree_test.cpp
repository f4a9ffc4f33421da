#include "cluster/search/split_tree.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace zermelo::cluster {
namespace {

// A random game in which positions can be reached in several ways: a position is its depth and a number.
class RandomPlay {
public:
    explicit RandomPlay(std::uint64_t seed) : seed_(seed) {}

    [[nodiscard]] bool ends(std::size_t depth, std::uint64_t number) const {
        return depth == 5 || draw(depth, number).chance(0.2);
    }
    [[nodiscard]] bool won(std::size_t depth, std::uint64_t number) const {
        if (ends(depth, number)) return number % 3 == 0;
        for (const std::uint64_t next : moves(depth, number)) {
            if (won(depth + 1, next) == ours(depth)) return ours(depth);
        }
        return !ours(depth);
    }
    [[nodiscard]] static bool ours(std::size_t depth) { return depth % 2 == 0; }
    [[nodiscard]] std::vector<std::uint64_t> moves(std::size_t depth, std::uint64_t number) const {
        Random random = draw(depth, number);
        std::vector<std::uint64_t> next(1 + random.below(4));
        for (auto& each : next) each = random.below(7);
        return next;
    }
    [[nodiscard]] Split split(std::size_t depth, std::uint64_t number) const {
        Split split;
        split.ours = ours(depth);
        for (const std::uint64_t next : moves(depth, number))
            split.open.push_back({{static_cast<std::int64_t>(next)}, {next, depth + 1}});
        return split;
    }

private:
    [[nodiscard]] Random draw(std::size_t depth, std::uint64_t number) const {
        return Random(seed_ * 1000 + depth * 100 + number);
    }
    std::uint64_t seed_;
};

struct At {
    std::size_t depth;
    std::uint64_t number;
};
At where(const SplitTree& tree, SplitTree::Node node) {
    const Line line = tree.line(node);
    return {line.size(), line.empty() ? 0 : static_cast<std::uint64_t>(line.back())};
}

// Several work at once, in any order, and give some of their work back.
TEST(SplitTree, FindsTheAnswerWhateverTheOrderOfTheJobs) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        const RandomPlay play(seed);
        Random random(seed);
        SplitTree tree({});
        std::vector<SplitTree::Node> under_way;
        while (!tree.answer()) {
            if (const auto choice = random.chance(0.7) ? tree.next() : std::nullopt) {
                ASSERT_TRUE(tree.wanted(choice->leaf)) << "seed " << seed;
                ASSERT_FALSE(tree.answer(choice->leaf)) << "seed " << seed;
                tree.take(choice->leaf);
                under_way.push_back(choice->leaf);
                continue;
            }
            if (under_way.empty()) continue;
            const std::size_t which = random.below(under_way.size());
            const SplitTree::Node job = under_way[which];
            under_way.erase(under_way.begin() + static_cast<std::ptrdiff_t>(which));
            const At at = where(tree, job);
            if (random.chance(0.2)) {
                tree.give_back(job);
            } else if (play.ends(at.depth, at.number) || random.chance(0.3)) {
                tree.decide(job, play.won(at.depth, at.number));
            } else {
                tree.split(job, play.split(at.depth, at.number));
            }
        }
        ASSERT_EQ(tree.answer(), play.won(0, 0)) << "seed " << seed;
        for (const auto job : under_way) EXPECT_FALSE(tree.wanted(job)) << "seed " << seed;
        EXPECT_FALSE(tree.next()) << "seed " << seed;
    }
}

TEST(SplitTree, PositionsThatAreReachedInTwoWaysAreOne) {
    SplitTree tree({});
    const auto first = tree.split(SplitTree::root, {{}, true, false, false, {{{1}, {1, 1}}, {{2}, {2, 2}}}});
    const auto left = tree.split(first[0], {{}, false, false, false, {{{3}, {7, 7}}, {{4}, {8, 8}}}});
    const auto right = tree.split(first[1], {{}, false, false, false, {{{5}, {7, 7}}}});
    EXPECT_EQ(left[0], right[0]);
    tree.decide(left[0], true);
    EXPECT_EQ(tree.answer(), true);
    EXPECT_EQ(tree.line(left[1]), (Line{1, 4}));
    EXPECT_EQ(tree.inner(), (std::vector<Hash128>{{}, {1, 1}, {2, 2}}));
}

TEST(SplitTree, WhoAsksForAllGetsAll) {
    SplitTree tree({});
    const auto branches =
        tree.split(SplitTree::root, {{}, true, true, false, {{{1}, {1, 1}}, {{2}, {2, 2}}, {{3}, {3, 3}}}});
    tree.decide(branches[1], true);
    EXPECT_FALSE(tree.answer());
    EXPECT_TRUE(tree.wanted(branches[0]));
    tree.decide(branches[0], false);
    tree.decide(branches[2], false);
    EXPECT_EQ(tree.answer(), true);
    SplitTree known({});
    const auto open = known.split(SplitTree::root, {{}, true, true, true, {{{1}, {1, 1}}}});
    EXPECT_FALSE(known.answer());
    known.decide(open[0], false);
    EXPECT_EQ(known.answer(), true) << "a branch that was not open is won";
}

Split branches(bool ours, std::uint64_t first, std::uint64_t count) {
    Split split;
    split.ours = ours;
    for (std::uint64_t i = first; i < first + count; ++i)
        split.open.push_back({{static_cast<std::int64_t>(i)}, {i, i}});
    return split;
}

TEST(SplitTree, WhoWorksAloneGoesAsTheSearchWould) {
    SplitTree tree({});
    const auto ours = tree.split(SplitTree::root, branches(true, 1, 3));
    EXPECT_EQ(tree.next()->leaf, ours[0]);
    EXPECT_EQ(tree.next()->needed, 1);
    const auto theirs = tree.split(ours[0], branches(false, 10, 2));
    EXPECT_EQ(tree.next()->leaf, theirs[0]);
    tree.decide(theirs[0], true);
    EXPECT_EQ(tree.next()->leaf, theirs[1]);
    tree.decide(theirs[1], false);
    EXPECT_EQ(tree.next()->leaf, ours[1]) << "the first is refuted";
}

TEST(SplitTree, OthersGoWhereOneAnswerIsHardlyEverEnough) {
    SplitTree tree({});
    const auto ours = tree.split(SplitTree::root, branches(true, 1, 20));
    // Of ours, none is won; of theirs, the first answer is always enough.
    for (int i = 0; i < 10; ++i) {
        const auto theirs = tree.split(ours[i], branches(false, 100 + 10 * i, 3));
        tree.decide(theirs[0], false);
    }
    const auto theirs = tree.split(ours[10], branches(false, 500, 3));
    EXPECT_EQ(tree.next()->leaf, theirs[0]);
    tree.take(theirs[0]);
    EXPECT_EQ(tree.next()->leaf, ours[11]) << "and not a second move of theirs";
    EXPECT_GT(tree.next()->needed, 0.8);
    tree.take(ours[11]);
    EXPECT_EQ(tree.next()->leaf, ours[12]);
    tree.give_back(theirs[0]);
    EXPECT_EQ(tree.next()->leaf, theirs[0]);
}

}  // namespace
}  // namespace zermelo::cluster
