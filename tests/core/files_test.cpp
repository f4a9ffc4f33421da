// Files are replaced as a whole, or not at all.

#include "core/files.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ostream>

#include "core/error.hpp"
#include "support/run.hpp"

namespace zermelo {
namespace {

std::size_t files_beside(const std::string& file) {
    const std::filesystem::directory_iterator all(std::filesystem::path(file).parent_path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;
}

TEST(ReplacedFile, HoldsWhatWasWritten) {
    const TemporaryDirectory folder;
    const std::string file = folder.path("f");
    const std::string large(300'000, 'x');
    replace_file(file, large);
    EXPECT_EQ(read_file(file), large);
    replace_file(file, "");
    EXPECT_EQ(read_file(file), "");
    replace_file(file, [](std::ostream& out) {
        for (int i = 0; i < 40'000; ++i) out << i << '\n';
    });
    EXPECT_EQ(read_file(file).substr(0, 6), "0\n1\n2\n");
    EXPECT_EQ(read_file(file).size(), 228'890U);
    EXPECT_EQ(files_beside(file), 0U);
}

TEST(ReplacedFile, StaysWhereTheWriterFails) {
    const TemporaryDirectory folder;
    const std::string file = folder.write("f", "old");
    const auto fail = [](std::ostream& out) {
        out << std::string(100'000, 'x');
        throw std::runtime_error("no more");
    };
    EXPECT_THROW(replace_file(file, fail), std::runtime_error);
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(files_beside(file), 0U);
}

// In a process of its own, whose files may have so many bytes.
int with_a_full_disk(const std::string& file) {
    const pid_t child = fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            replace_file(file, std::string(5000, 'x'));
        } catch (const Error& error) {
            const std::string said = error.what();
            _exit(said.find(file) != std::string::npos &&
                          said.find("free some disk space") != std::string::npos
                      ? 7
                      : 8);
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(ReplacedFile, StaysWhereTheDiskIsFull) {
    const TemporaryDirectory folder;
    const std::string file = folder.write("f", "old");
    EXPECT_EQ(with_a_full_disk(file), 7);
    EXPECT_EQ(read_file(file), "old");
    EXPECT_EQ(files_beside(file), 0U);
}

TEST(ReplacedFile, KeepsItsPermissionsAndLinksToIt) {
    const TemporaryDirectory folder;
    const std::string file = folder.write("f", "old");
    const std::string link = folder.path("link");
    std::filesystem::create_symlink(file, link);
    ASSERT_EQ(chmod(file.c_str(), 0640), 0);
    replace_file(link, "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_file(file), "new");
    struct stat now = {};
    ASSERT_EQ(stat(file.c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 07777, 0640U);
}

TEST(ReplacedFile, MayBeADevice) {
    replace_file("/dev/null", "gone");
    struct stat now = {};
    ASSERT_EQ(stat("/dev/null", &now), 0);
    EXPECT_TRUE(S_ISCHR(now.st_mode));
    EXPECT_THROW(replace_file("/dev/full", "much"), Error);
}

TEST(ReplacedFile, SaysWhyItCannotBeWritten) {
    const TemporaryDirectory folder;
    EXPECT_THROW(replace_file(folder.path("no/such/folder"), "x"), Error);
    EXPECT_THROW(replace_file(folder.path(""), "x"), Error);
}

}  // namespace
}  // namespace zermelo
