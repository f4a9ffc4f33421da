// Documents on their own: what is renamed keeps its meaning, and no text breaks them.

#include "lsp/document.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/perft.hpp"
#include "gdl/syntax/parse.hpp"
#include "lsp/gdl_document.hpp"
#include "lsp/minizinc_document.hpp"
#include "solve/solve.hpp"
#include "support/run.hpp"

namespace zermelo::lsp {
namespace {

std::string shipped_text(const std::string& game) {
    return read_file(std::string(ZERMELO_SOURCE_DIR) + "/games/" + game);
}

// From the last to the first, so that places stay where they are.
std::string replaced(const std::string& text, std::vector<Range> ranges, const std::string& name) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin > b.begin; });
    std::string result = text;
    for (const Range& range : ranges) result.replace(range.begin, range.end - range.begin, name);
    return result;
}

std::vector<std::uint64_t> counts(const std::string& text) {
    constexpr std::size_t depth = 3;
    const gdl::Game game(gdl::parse(text, "game.kif"));
    std::vector<std::uint64_t> all;
    for (const auto& level : gdl::perft(game.machine(), depth).levels) {
        all.push_back(level.paths);
        all.push_back(level.states);
    }
    return all;
}

TEST(GdlDocument, RenamingAnyNameKeepsTheGame) {
    for (const char* game : {"gdl/tic-tac-toe.kif", "gdl/nim.kif", "gdl/kuhn-poker.kif"}) {
        const std::string text = shipped_text(game);
        const GdlDocument document("game.kif", text);
        const auto expected = counts(text);
        std::size_t renamed = 0;
        std::set<std::size_t> done;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const auto ranges = document.occurrences(at);
            // Each name once; numbers of goals are no names, and keywords are refused.
            if (ranges.empty() || !done.insert(ranges.front().begin).second) continue;
            const std::string_view old = document.text().of(ranges.front());
            if (old.find_first_not_of("0123456789") == std::string_view::npos) continue;
            const std::string name = old.starts_with('?') ? "?renamed" : "renamed";
            try {
                const std::string changed = replaced(text, document.renaming(at, name), name);
                EXPECT_EQ(counts(changed), expected) << game << ": " << old;
                ++renamed;
            } catch (const Error& problem) {
                EXPECT_NE(problem.problem().find("is a word of GDL"), std::string::npos) << problem.what();
            }
        }
        EXPECT_GT(renamed, 20U) << game;
    }
}

TEST(MiniZincDocument, RenamingWhatIsDeclaredKeepsTheVerdict) {
    const std::string text = shipped_text("quantified/nim-fibonacci.mzn");
    const MiniZincDocument document("game.mzn", text);
    ReadOptions options;
    options.minizinc.definitions = {"n=7"};
    std::size_t renamed = 0;
    for (const Symbol& symbol : document.symbols()) {
        const std::string changed =
            replaced(text, document.renaming(symbol.name_range.begin, "renamed"), "renamed");
        options.minizinc.definitions = {(symbol.name == "n" ? "renamed" : "n") + std::string("=7")};
        const Problem problem = read_text(changed, Language::minizinc, "game.mzn", options);
        EXPECT_EQ(solve(problem).outcome, Outcome::won) << symbol.name << "\n" << changed;
        ++renamed;
    }
    EXPECT_GE(renamed, 5U);
}

TEST(MiniZincDocument, KnowsLocalNamesInTheirItemOnly) {
    const std::string text =
        "int: n = 2;\nconstraint forall(i in 1..n, j in 1..i)(i > j);\nconstraint exists(i in 1..n)(i > "
        "1);\n";
    const MiniZincDocument document("game.mzn", text);
    const std::size_t first = text.find("i in 1..n, j");
    EXPECT_EQ(document.occurrences(first).size(), 3U);
    EXPECT_EQ(document.renaming(first, "k").size(), 3U);
    EXPECT_EQ(document.occurrences(text.find("i > 1")).size(), 2U);
    EXPECT_EQ(document.occurrences(text.find("n = 2")).size(), 3U);
    // A name that means two things is left to its author.
    const std::string hidden = "int: i = 2;\nconstraint exists(i in 1..3)(i > 1);\nconstraint i > 1;\n";
    EXPECT_THROW((void)MiniZincDocument("game.mzn", hidden).renaming(5, "k"), Error);
}

// Letters, brackets and quotes put anywhere.
std::string damaged(std::string text, Random& random) {
    const std::string parts = "()[]{}\"'?;%\\\n \xc3\xa9";
    for (int i = 0; i < 5; ++i) {
        const std::size_t at = random.below(text.size() + 1);
        if (random.chance(0.5)) {
            text.insert(at, 1, parts[random.below(parts.size())]);
        } else {
            text.erase(at, random.below(20));
        }
    }
    return text;
}

TEST(Document, NoTextBreaksIt) {
    const std::string game = shipped_text("gdl/tic-tac-toe.kif");
    const std::string model = shipped_text("quantified/connect-four.mzn");
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        for (const bool rules : {true, false}) {
            const auto document = rules ? open_document("a.kif", "", damaged(game, random))
                                        : open_document("a.mzn", "", damaged(model, random));
            const Text& text = document->text();
            if (rules) (void)document->diagnostics(Limits::after_questions(100));
            (void)document->symbols();
            (void)document->formatted();
            for (int i = 0; i < 20; ++i) {
                const std::size_t at = random.below(text.bytes().size() + 1);
                EXPECT_EQ(text.offset(text.position(at)) <= text.bytes().size(), true);
                (void)document->hover(at);
                (void)document->completions(at);
                for (const Range& range : document->definitions(at))
                    EXPECT_LE(range.end, text.bytes().size());
                try {
                    (void)document->renaming(at, "renamed");
                } catch (const Error&) {
                    // No name, or one that is not to be changed.
                }
            }
        }
    }
}

TEST(Text, CountsColumnsInUnitsOfUtf16) {
    const Text text("a\u00e9\U0001F600b\r\nc");
    EXPECT_EQ(text.position(7), (Position{0, 4}));  // b
    EXPECT_EQ(text.offset({0, 4}), 7U);
    EXPECT_EQ(text.offset({0, 100}), 8U);
    EXPECT_EQ(text.offset({1, 0}), 10U);
    EXPECT_EQ(text.offset({9, 0}), 11U);
    EXPECT_EQ(text.offset_of_place(1, 8), 7U);
    EXPECT_EQ(text.line(0), (Range{0, 8}));
}

}  // namespace
}  // namespace zermelo::lsp
