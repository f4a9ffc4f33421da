// Records on real files: what was added comes back, whoever is killed in between, and nothing else is
// believed.

#include "arena/record.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <thread>

namespace zermelo::arena {
namespace {

namespace fs = std::filesystem;

const std::string plan_text = R"({"games": ["a", "b"], "rounds": 3})";

// A match whose every field follows from its number.
MatchResult made(std::uint64_t number) {
    MatchResult match;
    match.match = number;
    match.game = "game " + std::to_string(number % 3);
    match.seed = number * 0x9E3779B97F4A7C15ULL;  // most have the highest bit
    match.plies = number + 5;
    match.seconds = static_cast<double>(number) / 7;
    match.moves = std::string(200 * (number % 50), 'm') + std::to_string(number);
    if (number % 11 == 10) match.error = "the \"server\" fell silent; ü";
    for (std::uint64_t s = 0; s < 1 + number % 4; ++s) {
        const double part = static_cast<double>(s) + 0.1;
        match.seats.push_back({"role " + std::to_string(s), "player " + std::to_string((number + s) % 5),
                               static_cast<int>(25 * s), number, 1000 * number, s, s / 2, part, part / 3,
                               number % 2 == 0 ? -part : std::numeric_limits<double>::infinity()});
    }
    return match;
}

std::vector<MatchResult> made_up_to(std::uint64_t count) {
    std::vector<MatchResult> matches;
    for (std::uint64_t i = 0; i < count; ++i) matches.push_back(made(i));
    return matches;
}

class RecordFile : public testing::Test {
protected:
    RecordFile() {
        std::string pattern = (fs::temp_directory_path() / "record-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for a test");
        folder_ = pattern;
        file_ = (folder_ / "tournament.db").string();
    }
    ~RecordFile() override {
        std::error_code ignored;
        fs::permissions(folder_, fs::perms::owner_all, ignored);
        fs::remove_all(folder_, ignored);
    }

    // What the constructor complains about.
    static std::string complaint(const std::string& file, const std::string& asked = plan_text) {
        try {
            const Record record(file, asked);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }
    void expect_refused(const std::string& because) const {
        const std::string said = complaint(file_);
        EXPECT_NE(said.find(because), std::string::npos) << said;
        EXPECT_EQ(said.find(file_ + ": "), 0U) << said;
    }
    void write_file(const std::string& content) const {
        std::ofstream(file_, std::ios::binary | std::ios::trunc) << content;
    }
    [[nodiscard]] std::string read_file() const {
        std::ifstream in(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void run_sql(const char* statements) const {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, statements, nullptr, nullptr, nullptr), SQLITE_OK);
        sqlite3_close(database);
    }

    fs::path folder_;
    std::string file_;
};

// Runs `work` in a process of its own; answers its exit code.
int in_child(const std::function<int()>& work) {
    const pid_t child = fork();
    if (child == 0) {
        try {
            _exit(work());
        } catch (...) {
            _exit(99);
        }
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

TEST_F(RecordFile, GivesBackWhatWasAdded) {
    {
        Record record(file_, plan_text);
        EXPECT_TRUE(record.finished().empty());
        EXPECT_TRUE(record.results().empty());
        for (const std::uint64_t number : {3, 1, 10, 0}) record.add(made(number));
        EXPECT_EQ(record.results(), (std::vector<MatchResult>{made(0), made(1), made(3), made(10)}));
    }
    Record record(file_, plan_text);
    EXPECT_EQ(record.finished(), (std::vector<std::uint64_t>{0, 1, 3, 10}));
    record.add(made(2));
    EXPECT_EQ(record.results(), (std::vector<MatchResult>{made(0), made(1), made(2), made(3), made(10)}));
}

TEST_F(RecordFile, KeepsExtremeNumbersAndAnyText) {
    MatchResult match = made(1);
    match.match = std::numeric_limits<std::uint64_t>::max();
    match.seed = match.plies = match.match;
    match.moves = std::string("nul\0quote'", 10) + "; DROP TABLE matches; --";
    match.seats[0].goal = -1;
    match.seats[0].playouts = std::numeric_limits<std::uint64_t>::max();
    Record record(file_, plan_text);
    record.add(match);
    record.add(made(0));
    EXPECT_EQ(record.results(), (std::vector<MatchResult>{made(0), match}));
    EXPECT_EQ(record.finished(), (std::vector<std::uint64_t>{0, match.match}));
}

TEST_F(RecordFile, IsOneFileWhenItIsClosed) {
    { Record(file_, plan_text).add(made(0)); }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(RecordFile, SaysItsPlan) {
    EXPECT_THROW((void)Record::plan_of(file_), Error);
    EXPECT_FALSE(fs::exists(file_));
    { const Record record(file_, plan_text); }
    EXPECT_EQ(Record::plan_of(file_), plan_text);
}

TEST_F(RecordFile, RefusesAnotherPlan) {
    { Record(file_, plan_text).add(made(0)); }
    const std::string said = complaint(file_, R"({"games": ["a"]})");
    EXPECT_NE(said.find("another plan"), std::string::npos) << said;
    EXPECT_EQ(Record::results_of(file_), made_up_to(1));
}

TEST_F(RecordFile, HoldsEachMatchOnce) {
    Record record(file_, plan_text);
    record.add(made(4));
    MatchResult again = made(4);
    again.plies = 77;
    try {
        record.add(again);
        ADD_FAILURE() << "a match was added twice";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("match 4"), std::string::npos) << error.what();
    }
    record.add(made(5));
    EXPECT_EQ(record.results(), (std::vector<MatchResult>{made(4), made(5)}));
}

TEST_F(RecordFile, AddsAMatchWithAllItsSeatsOrNot) {
    Record record(file_, plan_text);
    MatchResult broken = made(3);
    broken.seats.back().seconds = std::numeric_limits<double>::quiet_NaN();  // a record holds numbers only
    try {
        record.add(broken);
        ADD_FAILURE() << "what is no number was added";
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find(file_ + ": "), 0U) << error.what();
    }
    EXPECT_TRUE(record.results().empty());
    record.add(made(3));
    EXPECT_EQ(record.results(), std::vector<MatchResult>{made(3)});
}

TEST_F(RecordFile, RefusesWhatIsNoRecord) {
    write_file(std::string(5000, 'x'));
    expect_refused("not the record of a tournament");
    EXPECT_EQ(read_file(), std::string(5000, 'x'));
    EXPECT_THROW((void)Record::plan_of(file_), Error);
    write_file("a short text\n");
    expect_refused("not the record of a tournament");
    fs::remove(file_);
    run_sql("CREATE TABLE somebody (elses INTEGER)");
    expect_refused("not the record of a tournament");
    fs::remove(file_);
    fs::create_directory(file_);
    expect_refused("");
}

TEST_F(RecordFile, RefusesAnUnknownVersion) {
    { const Record record(file_, plan_text); }
    run_sql("PRAGMA user_version = 99");
    expect_refused("version 99");
}

TEST_F(RecordFile, BeginsInAnEmptyFile) {
    write_file("");
    EXPECT_EQ(complaint(file_), "");
    EXPECT_EQ(Record::plan_of(file_), plan_text);
}

TEST_F(RecordFile, RefusesAFileThatWasCutShort) {
    {
        Record record(file_, plan_text);
        for (const MatchResult& match : made_up_to(60)) record.add(match);
    }
    const std::string whole = read_file();
    ASSERT_GT(whole.size(), 50'000U);
    for (const std::size_t size : {std::size_t{1}, std::size_t{99}, std::size_t{700}, std::size_t{4096},
                                   whole.size() / 2, whole.size() - 4096, whole.size() - 1}) {
        write_file(whole.substr(0, size));
        EXPECT_NE(complaint(file_), "") << size;
        EXPECT_THROW((void)Record::results_of(file_), Error) << size;
    }
    write_file(whole);
    EXPECT_EQ(Record::results_of(file_), made_up_to(60));
}

TEST_F(RecordFile, RefusesAPageOfRubbish) {
    {
        Record record(file_, plan_text);
        for (const MatchResult& match : made_up_to(60)) record.add(match);
    }
    const std::string whole = read_file();
    std::string altered = whole;
    altered.replace(4096, 4096, std::string(4096, '\x55'));
    write_file(altered);
    expect_refused("damaged");
}

TEST_F(RecordFile, BelongsToOneTournamentAtATime) {
    Record record(file_, plan_text);
    record.add(made(0));
    // By another name, from this process and from another.
    const std::string other_name = (folder_ / "." / "tournament.db").string();
    for (const std::string& name : {file_, other_name}) {
        const std::string said = complaint(name);
        EXPECT_NE(said.find("running"), std::string::npos) << said;
        EXPECT_EQ(in_child([&] { return complaint(name).find("running") != std::string::npos ? 7 : 8; }), 7);
    }
    // Everybody may read.
    EXPECT_EQ(Record::plan_of(file_), plan_text);
    EXPECT_EQ(in_child([&] { return Record::results_of(file_) == made_up_to(1) ? 7 : 8; }), 7);
    record.add(made(1));
    EXPECT_EQ(record.results(), made_up_to(2));
}

TEST_F(RecordFile, IsFreeAgainWhenItIsClosed) {
    { Record(file_, plan_text).add(made(0)); }
    EXPECT_EQ(in_child([&] { return complaint(file_).empty() ? 7 : 8; }), 7);
    EXPECT_EQ(complaint(file_), "");
}

TEST_F(RecordFile, HoldsWholeMatchesWhenItsProcessIsKilled) {
    std::uint64_t there = 0;
    for (int round = 0; round < 25; ++round) {
        int ends[2] = {};
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            // Adds matches and says so after each.
            close(ends[0]);
            Record record(file_, plan_text);
            for (std::uint64_t number = there;; ++number) {
                record.add(made(number));
                if (write(ends[1], "+", 1) != 1) _exit(1);
            }
        }
        close(ends[1]);
        std::uint64_t said = 0;
        char byte = 0;
        while (said < static_cast<std::uint64_t>(round % 4) && read(ends[0], &byte, 1) == 1) ++said;
        usleep(static_cast<useconds_t>(331 * round));  // to kill it in the midst of another match
        kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        while (read(ends[0], &byte, 1) == 1) ++said;
        close(ends[0]);

        const Record record(file_, plan_text);
        const auto results = record.results();
        // What was said to be there is there; at most one more, which came too late to be said.
        ASSERT_GE(results.size(), there + said);
        ASSERT_LE(results.size(), there + said + 1);
        ASSERT_EQ(results, made_up_to(results.size()));
        there = results.size();
    }
    EXPECT_GE(there, 36U);  // those that were waited for
}

TEST_F(RecordFile, TakesMatchesFromManyThreads) {
    Record record(file_, plan_text);
    {
        std::vector<std::jthread> threads;
        for (std::uint64_t t = 0; t < 4; ++t) {
            threads.emplace_back([&record, t] {
                for (std::uint64_t i = 0; i < 10; ++i) {
                    record.add(made(4 * i + t));
                    EXPECT_FALSE(record.finished().empty());
                }
            });
        }
    }
    EXPECT_EQ(record.results(), made_up_to(40));
}

TEST_F(RecordFile, SaysThatAFolderMayNotBeWritten) {
    { Record(file_, plan_text).add(made(0)); }
    constexpr fs::perms read = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    constexpr fs::perms enter = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    fs::permissions(folder_, read | enter);
    fs::permissions(file_, read);
    const std::string fresh = (folder_ / "new.db").string();
    const auto refused = [&] {
        // For the superuser no folder is read-only.
        if (geteuid() == 0 && setuid(65534) != 0) return 9;
        if (complaint(fresh).find("cannot be written") == std::string::npos) return 8;
        if (complaint(file_).find("cannot be written") == std::string::npos) return 7;
        return Record::results_of(file_) == made_up_to(1) ? 0 : 6;
    };
    EXPECT_EQ(in_child(refused), 0);
    EXPECT_FALSE(fs::exists(fresh));
    EXPECT_NE(complaint((folder_ / "nowhere" / "new.db").string()).find("cannot be written"),
              std::string::npos);
}

}  // namespace
}  // namespace zermelo::arena
