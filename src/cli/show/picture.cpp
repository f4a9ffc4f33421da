#include "cli/show/picture.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/error.hpp"

namespace zermelo::cli {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using Scratch = std::unique_ptr<std::FILE, Close>;

Scratch scratch() {
    Scratch file(std::tmpfile());
    if (!file) throw Error("cannot open a temporary file", "free some space in the temporary folder");
    return file;
}

std::string contents(const Scratch& file) {
    std::string text;
    std::array<char, 4096> block;
    std::rewind(file.get());
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get()))
        text.append(block.data(), count);
    return text;
}

// The status of `dot`, run without a shell between the files.
int run_dot(const std::string& format, const Scratch& in, const Scratch& out, const Scratch& complaints) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), 0);
    posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), 1);
    posix_spawn_file_actions_adddup2(&actions, fileno(complaints.get()), 2);
    std::string program = "dot";
    std::string option = "-T" + format;
    const std::array<char*, 3> arguments = {program.data(), option.data(), nullptr};
    pid_t child = 0;
    const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw Error(fmt::format("cannot run dot: {}", std::strerror(failed)),
                    "install Graphviz, or write the picture as DOT");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

}  // namespace

bool is_drawing(const std::string& file) {
    return file.ends_with(".svg") || file.ends_with(".png") || file.ends_with(".pdf");
}

std::string drawn(const std::string& dot, const std::string& file) {
    const Scratch in = scratch();
    const Scratch out = scratch();
    const Scratch complaints = scratch();
    if (std::fwrite(dot.data(), 1, dot.size(), in.get()) != dot.size() || std::fflush(in.get()) != 0)
        throw Error("cannot write a temporary file", "free some space in the temporary folder");
    std::rewind(in.get());
    const int status = run_dot(file.substr(file.rfind('.') + 1), in, out, complaints);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw Error("dot could not draw the picture: " + contents(complaints),
                    "draw fewer positions, or write DOT");
    }
    return contents(out);
}

}  // namespace zermelo::cli
