#include "strategy/format/dot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <ostream>
#include <sstream>

#include "model/structure.hpp"
#include "strategy/format/diagram.hpp"

extern char** environ;

namespace zermelo::strategy {

namespace {

// A file without a name that vanishes when it is closed.
using Scratch = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Scratch scratch() {
    Scratch file(std::tmpfile(), std::fclose);
    if (!file)
        throw Error(fmt::format("cannot create a temporary file: {}", std::strerror(errno)),
                    "free some space in the temporary folder");
    return file;
}

std::string contents(std::FILE* file) {
    std::string text;
    std::rewind(file);
    char buffer[1 << 14];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
    return text;
}

// Runs a program found in PATH, with files as its standard streams; the answer is its wait status.
int run(std::vector<const char*> arguments, std::FILE* in, std::FILE* out, std::FILE* errors) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
    std::vector<char*> argv;
    for (const char* argument : arguments) argv.push_back(const_cast<char*>(argument));
    argv.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        throw Error(fmt::format("cannot run {}: {}", argv.front(), std::strerror(failed)),
                    "install Graphviz, or write the picture as DOT");
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

}  // namespace

std::string edge_label(const std::vector<model::Value>& values) {
    constexpr std::size_t long_run = 4;  // from so many values on, a run is written as a range
    std::string label;
    for (std::size_t i = 0; i < values.size();) {
        std::size_t end = i + 1;
        while (end < values.size() && values[end] == values[end - 1] + 1) ++end;
        if (!label.empty()) label += "//";
        if (end - i >= long_run) {
            label += fmt::format("{}..{}", values[i], values[end - 1]);
            i = end;
        } else {
            label += std::to_string(values[i++]);
        }
    }
    return label;
}

std::string edge_label(const model::Model& model, model::VarId variable,
                       const std::vector<model::Value>& values) {
    if (model.variables[static_cast<std::size_t>(variable)].value_names == nullptr) return edge_label(values);
    std::string label;
    for (const model::Value value : values)
        label += (label.empty() ? "" : "//") + model.value_text(variable, value);
    return label;
}

void write_dot(std::ostream& out, const model::Model& model, const Strategy& strategy,
               const DotOptions& options) {
    const model::Structure structure = analyse(model);
    const auto owned = [&](model::VarId v) {
        const int block = structure.block_of[static_cast<std::size_t>(v)];
        return block >= 0 && structure.prefix[static_cast<std::size_t>(block)].quantifier == strategy.owner;
    };
    const auto drawn = nearest(strategy, options.most_nodes);
    DotDecisions picture(out, "strategy");
    draw_nodes(
        picture, strategy, drawn, [&](const StrategyNode& node) { return model.name_of(node.variable); },
        [&](const StrategyNode& node) { return owned(node.variable); },
        [&](const StrategyNode& node, const Edge& edge) {
            return edge_label(model, node.variable, edge.values);
        });
    picture.end(strategy.root != decided && drawn.size() < strategy.size()
                    ? fmt::format("{} of {} nodes are drawn", drawn.size(), strategy.size())
                    : "");
}

std::string svg(const model::Model& model, const Strategy& strategy, const DotOptions& options) {
    std::ostringstream text;
    write_dot(text, model, strategy, options);
    const Scratch in = scratch();
    const Scratch out = scratch();
    const Scratch errors = scratch();
    const std::string dot = text.str();
    if (std::fwrite(dot.data(), 1, dot.size(), in.get()) != dot.size() || std::fflush(in.get()) != 0) {
        throw Error("cannot write a temporary file", "free some space in the temporary folder");
    }
    std::rewind(in.get());
    const int status = run({"dot", "-Tsvg"}, in.get(), out.get(), errors.get());
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        throw Error("dot could not draw the strategy: " + contents(errors.get()),
                    "draw fewer nodes, or write DOT");
    }
    return contents(out.get());
}

}  // namespace zermelo::strategy
