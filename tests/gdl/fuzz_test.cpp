// The fuzzer's corpus and seeded mutants of it, through the same function.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "../fuzz/gdl_any.hpp"
#include "support/run.hpp"

namespace zermelo::gdl {
namespace {

std::map<std::string, std::string> corpus() {
    std::map<std::string, std::string> texts;  // sorted, so that a seed means the same everywhere
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(ZERMELO_SOURCE_DIR) + "/fuzz/corpus/gdl"))
        texts[entry.path().stem().string()] = read_file(entry.path().string());
    return texts;
}

// The word or the parenthesis around `at`.
std::pair<std::size_t, std::size_t> piece(const std::string& text, std::size_t at) {
    const auto in_word = [&](std::size_t i) { return text.find_first_of("() \n", i) != i; };
    std::size_t start = at;
    std::size_t end = at + 1;
    if (!in_word(at)) return {start, end};
    while (start > 0 && in_word(start - 1)) --start;
    while (end < text.size() && in_word(end)) ++end;
    return {start, end};
}

// Some bytes for others, or words for words, so that many a mutant still makes sense.
std::string damaged(std::string text, Random& random) {
    for (auto n = random.between(1, 4); n > 0 && !text.empty(); --n) {
        const std::size_t at = random.below(text.size());
        switch (random.below(8)) {
            case 0:
                text[at] = static_cast<char>(random.below(256));
                break;
            case 1:
                text.erase(at, random.between(1, 8));
                break;
            case 2:
                text.insert(at, text.substr(random.below(text.size()), random.below(60)));
                break;
            case 3:
                text.insert(at, 1, "()? \n;"[random.below(6)]);
                break;
            default: {
                const auto [from, to] = piece(text, random.below(text.size()));
                const std::string other = text.substr(from, to - from);
                const auto [start, end] = piece(text, at);
                text.replace(start, end - start, other);
            }
        }
    }
    return text;
}

Reached run(const std::string& text) {
    try {
        return run_any_description(text);
    } catch (const std::exception& other) {
        ADD_FAILURE() << other.what() << "\n" << text;
    }
    return Reached::nothing;
}

TEST(GdlFuzz, TheCorpusGetsAsFarAsItShould) {
    std::map<std::string, Reached> expected = {
        {"turns", Reached::played},       {"matching", Reached::played},     {"hidden-die", Reached::played},
        {"reach", Reached::played},       {"endless", Reached::read},        {"circle", Reached::read},
        {"start-in-play", Reached::read}, {"parentheses", Reached::nothing}, {"noise", Reached::nothing}};
    const auto texts = corpus();
    for (const auto& [name, reached] : expected) {
        ASSERT_TRUE(texts.contains(name)) << name;
        EXPECT_EQ(run(texts.at(name)), reached) << name;
    }
    for (const auto& [name, text] : texts) (void)run(text);
}

TEST(GdlFuzz, DamagedDescriptionsGetAnErrorOrAGame) {
    std::vector<std::string> texts;
    for (const auto& [name, text] : corpus()) texts.push_back(text);
    std::map<Reached, int> count;
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Random random(seed);
        ++count[run(damaged(texts[seed % texts.size()], random))];
    }
    EXPECT_GT(count[Reached::nothing], 2000);
    EXPECT_GT(count[Reached::read], 500);
    EXPECT_GT(count[Reached::played], 1000);
}

}  // namespace
}  // namespace zermelo::gdl
