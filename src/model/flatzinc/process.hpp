// Programs of MiniZinc as child processes: the compiler, and what evaluates output items. Without a shell; killed when
// the limits are reached.

#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/limits.hpp"

namespace zermelo::model::flatzinc {

// Removed with everything in it.
class TemporaryDirectory {
public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

    [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

void write(const std::string& path, const std::string& text);
// A text as JSON quotes it.
[[nodiscard]] std::string quoted(const std::string& text);
void stop_when_reached(const Limits& limits);

// A child process whose standard error we read. Its destructor leaves neither a process nor a pipe behind.
class Child {
public:
    // Throws Error with the remedy `missing` where the program is not there. `memory` in bytes; 0: no limit.
    Child(const std::vector<std::string>& arguments, const std::string& missing, std::size_t memory,
          const std::string& input = "/dev/null", const std::string& output = "/dev/null");
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    // Waits for its end and returns what it said, the beginning of it at least, and its exit status; throws
    // when the limits are reached.
    [[nodiscard]] std::pair<std::string, int> finish(const Limits& limits);

private:
    pid_t id_ = -1;
    int errors_ = -1;
};

// The configuration of a solver by which the compiler finds our library.
[[nodiscard]] std::string solver_configuration(const std::string& library);

}  // namespace zermelo::model::flatzinc
