#include "model/flatzinc/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

extern char** environ;  // NOLINT: POSIX says that the program declares it

namespace zermelo::model::flatzinc {

namespace {

constexpr std::size_t growth = 8;                        // of what is written, when it is read
constexpr std::size_t most_said = std::size_t{1} << 20;  // a model may trace for ever

}  // namespace

TemporaryDirectory::TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "zermelo-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
        throw Error(fmt::format("no temporary directory can be created: {}", std::strerror(errno)),
                    "set TMPDIR");
    }
    path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void write(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush())
        throw Error({path}, "the file cannot be written", "free some space in the temporary directory");
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        if (static_cast<unsigned char>(c) < ' ') {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + "\"";
}

void stop_when_reached(const Limits& limits) {
    if (const Stop stop = limits.reached(); stop != Stop::none)
        throw LimitReached(stop, "while MiniZinc compiled the model",
                           "raise the limit or take a smaller instance");
}

Child::Child(const std::vector<std::string>& arguments, const std::string& missing, std::size_t memory,
             const std::string& input, const std::string& output) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(fmt::format("no pipe can be created: {}", std::strerror(errno)));
    errors_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const int problem = posix_spawnp(&id_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (problem != 0) {
        close(errors_);
        throw Error(fmt::format("{} cannot be run: {}", arguments.front(), std::strerror(problem)), missing);
    }
    // It has just begun, and has not used much.
    if (memory > 0) {
        const rlimit most{memory, memory};
        const rlimit most_written{memory / growth, memory / growth};
        prlimit(id_, RLIMIT_AS, &most, nullptr);
        prlimit(id_, RLIMIT_FSIZE, &most_written, nullptr);
    }
}

Child::~Child() {
    close(errors_);
    if (id_ > 0) {
        kill(id_, SIGKILL);
        waitpid(id_, nullptr, 0);
    }
}

std::pair<std::string, int> Child::finish(const Limits& limits) {
    std::string said;
    std::array<char, 4096> buffer{};
    constexpr int milliseconds = 20;
    while (true) {
        stop_when_reached(limits);
        pollfd waiting{errors_, POLLIN, 0};
        if (poll(&waiting, 1, milliseconds) <= 0) continue;
        const ssize_t count = read(errors_, buffer.data(), buffer.size());
        if (count > 0 && said.size() < most_said) said.append(buffer.data(), static_cast<std::size_t>(count));
        if (count == 0 || (count < 0 && errno != EINTR)) break;
    }
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
    id_ = -1;
    return {std::move(said), WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
}

std::string solver_configuration(const std::string& library) {
    return fmt::format(R"({{"id": "org.zermelo.reader", "name": "Zermelo", "version": "1.0.0", "mznlib": {},
"executable": "zermelo", "supportsFzn": true, "tags": ["cp", "int"]}})",
                       quoted(std::filesystem::absolute(library).string()));
}

}  // namespace zermelo::model::flatzinc
