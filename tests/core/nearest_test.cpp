#include "core/format/nearest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <queue>
#include <vector>

#include "core/random.hpp"

namespace zermelo {
namespace {

// How many edits lead from one word to the other, by trying all of them breadth first. Words over {a, b} of this length only.
std::size_t edits(const std::string& from, const std::string& to, std::size_t longest) {
    std::map<std::string, std::size_t> distance = {{from, 0}};
    std::queue<std::string> open;
    for (open.push(from); !distance.contains(to); open.pop()) {
        const std::string word = open.front();
        const auto reach = [&](const std::string& next) {
            if (next.size() <= longest && distance.try_emplace(next, distance[word] + 1).second)
                open.push(next);
        };
        for (std::size_t i = 0; i <= word.size(); ++i) {
            for (const char letter : {'a', 'b'}) reach(std::string(word).insert(i, 1, letter));
            if (i == word.size()) continue;
            reach(std::string(word).erase(i, 1));
            for (const char letter : {'a', 'b'}) {
                std::string changed = word;
                changed[i] = letter;
                reach(changed);
            }
        }
    }
    return distance[to];
}

TEST(Nearest, CountsLettersLeftOutAddedChangedAndSwapped) {
    EXPECT_EQ(edit_distance("solve", "solve"), 0);
    EXPECT_EQ(edit_distance("slove", "solve"), 1);
    EXPECT_EQ(edit_distance("solv", "solve"), 1);
    EXPECT_EQ(edit_distance("ssolve", "solve"), 1);
    EXPECT_EQ(edit_distance("solbe", "solve"), 1);
    EXPECT_EQ(edit_distance("Solve", "solve"), 0);
    EXPECT_EQ(edit_distance("", "uct"), 3);
    EXPECT_EQ(edit_distance("ca", "abc"), 3);  // no part is edited twice
}

TEST(Nearest, IsSymmetricAndAtMostTheEditsWithoutSwaps) {
    Random random(1);
    const auto word = [&] {
        std::string letters(random.below(6), 'a');
        for (char& letter : letters) letter = random.below(2) == 0 ? 'a' : 'b';
        return letters;
    };
    for (int i = 0; i < 200; ++i) {
        const std::string a = word();
        const std::string b = word();
        const std::size_t distance = edit_distance(a, b);
        EXPECT_EQ(distance, edit_distance(b, a)) << a << ' ' << b;
        const std::size_t without_swaps = edits(a, b, 6);
        EXPECT_LE(distance, without_swaps) << a << ' ' << b;
        EXPECT_GE(2 * distance, without_swaps) << a << ' ' << b;  // a swap is two changes
    }
}

TEST(Nearest, NamesTheNearestAndNoneThatIsFar) {
    const std::vector<std::string> names = {"random", "greedy", "uct", "grave", "zermelo"};
    EXPECT_EQ(nearest("grvae", names), "grave");
    EXPECT_EQ(nearest("utc", names), "uct");
    EXPECT_EQ(nearest("stockfish", names), std::nullopt);
    EXPECT_EQ(nearest("", names), std::nullopt);
    EXPECT_EQ(did_you_mean("zermello", names), "did you mean zermelo? ");
    EXPECT_EQ(did_you_mean("x", names), "");
}

}  // namespace
}  // namespace zermelo
