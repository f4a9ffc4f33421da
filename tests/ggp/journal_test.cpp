// The journal survives the process that wrote it, as far as it was written.

#include "ggp/player/journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/error.hpp"

namespace zermelo::ggp {
namespace {

class JournalTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("zermelo-journal-" + std::to_string(getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    [[nodiscard]] std::size_t files() const {
        const std::filesystem::directory_iterator all(folder_);
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }
    std::filesystem::path folder_;
};

TEST_F(JournalTest, KeepsMatchesApartAndInOrder) {
    const Journal journal(folder_.string());
    journal.begin("a", "(START a\n x)");
    journal.begin("../b", "(START ../b x)");
    journal.add("A", {"ready \"quoted\" \xff", 3});
    const Journal again(folder_.string());
    const auto entries = again.read("a");
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_FALSE(entries[0].turn);
    EXPECT_EQ(entries[0].text, "(START a\n x)");
    EXPECT_EQ(entries[1].turn, 3U);
    EXPECT_EQ(again.read("../B").size(), 1U);
    EXPECT_TRUE(again.read("c").empty());
    EXPECT_EQ(files(), 2U);
    again.remove("A");
    EXPECT_TRUE(again.read("a").empty());
    EXPECT_EQ(files(), 1U);
}

TEST_F(JournalTest, BeginsAnew) {
    const Journal journal(folder_.string());
    journal.add("a", {"answer", 1});  // to nothing
    EXPECT_FALSE(journal.has("a"));
    journal.begin("a", "one");
    journal.add("a", {"two"});
    journal.begin("a", "three");
    ASSERT_EQ(journal.read("a").size(), 1U);
    EXPECT_EQ(journal.read("a")[0].text, "three");
}

TEST_F(JournalTest, EndsWhereALineIsNoEntryOfIt) {
    const Journal journal(folder_.string());
    for (const std::string line : {"7", "[1]", "null", "{\"match\": 3}", "{\"match\": \"b\"}", "{", ""}) {
        journal.begin("a", "one");
        const auto file = *std::filesystem::directory_iterator(folder_);
        std::ofstream(file.path(), std::ios::app) << line << '\n';
        ASSERT_EQ(journal.read("a").size(), 1U) << line;
        journal.add("a", {"two", 1});
        ASSERT_EQ(journal.read("a").size(), 2U) << line;
    }
    journal.begin("a", "one");
    const auto file = *std::filesystem::directory_iterator(folder_);
    std::ofstream(file.path(), std::ios::app) << R"({"match": "a", "answer": [], "turn": -1})" << '\n';
    const auto entries = journal.read("a");
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[1].text, "");
    EXPECT_EQ(entries[1].turn, 0U);
}

TEST_F(JournalTest, SaysWhenItCannotBeWritten) {
    const Journal journal(folder_.string());
    journal.begin("a", "one");
    std::filesystem::remove_all(folder_);
    EXPECT_THROW(journal.begin("a", "one"), Error);
}

TEST_F(JournalTest, GoesOnAfterItWasTornOff) {
    const Journal journal(folder_.string());
    journal.begin("a", "one");
    journal.add("a", {"two"});
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 5);
    ASSERT_EQ(journal.read("a").size(), 1U);
    EXPECT_EQ(journal.read("a")[0].text, "one");
    journal.add("a", {"three"});
    ASSERT_EQ(journal.read("a").size(), 2U);
    EXPECT_EQ(journal.read("a")[1].text, "three");
}

TEST_F(JournalTest, OldMatchesGo) {
    const Journal journal(folder_.string());
    journal.begin("a", "one");
    journal.remove_older_than(3600);
    EXPECT_EQ(files(), 1U);
    journal.remove_older_than(-1);
    EXPECT_EQ(files(), 0U);
}

}  // namespace
}  // namespace zermelo::ggp
