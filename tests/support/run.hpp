// Runs a real program and collects what it says.

#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace zermelo {

struct Ran {
    int code = -1;  // exit code; 128 + signal when it was killed
    std::string out;
    std::string err;
};

// A directory of its own for each test, removed at the end.
class TemporaryDirectory {
public:
    TemporaryDirectory() {
        std::string pattern = (std::filesystem::temp_directory_path() / "zermelo-test-XXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ / name) << text;
        return path(name);
    }

private:
    std::filesystem::path path_;
};

inline std::string read_file(const std::string& name) {
    std::ifstream file(name);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// `command` is a shell command line.
inline Ran run(const std::string& command) {
    const TemporaryDirectory scratch;
    const std::string line = "{ " + command + "\n} >" + scratch.path("out") + " 2>" + scratch.path("err");
    const int status = std::system(line.c_str());
    Ran ran;
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    ran.out = read_file(scratch.path("out"));
    ran.err = read_file(scratch.path("err"));
    return ran;
}

}  // namespace zermelo
