#include "cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>

#include "core/format/numbers.hpp"

namespace zermelo::cli {

void ModelOptions::add_to(CLI::App& app) {
    app.add_option("FILE", file,
                   "the game: .kif or .gdl (GDL), .json, .dot or .gv (a graph), .mzn (MiniZinc), .fzn "
                   "(FlatZinc), .qdimacs and .qcir (QBF)")
        ->required();
    in_group(app, for_models, [&] {
        app.add_option("-D,--define", reading.definitions,
                       "set parameters of a MiniZinc model: name=value, or several with ; between them")
            ->allow_extra_args(false);
        app.add_option("-d,--data", reading.data, "a MiniZinc data file (.dzn or .json)")
            ->allow_extra_args(false);
        app.add_option("--library", reading.library,
                       "the folder of zermelo.mzn (default: the one installed with the program)");
    });
}

ReadOptions ModelOptions::reading_options(const Limits& limits) const {
    ReadOptions options;
    options.limits = limits;
    options.minizinc = reading;
    return options;
}

std::size_t memory_amount(const std::string& option, const std::string& text) {
    const auto bytes = read_size(text);
    if (!bytes || *bytes == 0) {
        throw Error(fmt::format("{} {}: this is not an amount of memory", option, text),
                    "write bytes, or a number with K, M or G, for example 512M or 2G");
    }
    // A number without a unit is in bytes; who means megabytes is told so instead of being stopped at once.
    constexpr std::size_t least = std::size_t{1} << 20;
    const bool unit = text.find_first_not_of("0123456789.") != std::string::npos;
    if (!unit && *bytes < least) {
        throw Error(fmt::format("{} {}: this is less than a megabyte", option, text),
                    "write M or G after the number, for example 512M or 2G");
    }
    return *bytes;
}

namespace {

std::string title(const std::string& group) { return "Options for " + group; }

}  // namespace

void in_group(CLI::App& app, const std::string& group, const std::function<void()>& add) {
    const std::size_t before = app.get_options().size();
    add();
    const auto options = app.get_options();
    for (std::size_t i = before; i < options.size(); ++i) options[i]->group(title(group));
}

void refuse_option(const CLI::App& app, const std::string& option, const std::string& file,
                   const std::string& why) {
    if (app.count(option) > 0) throw Error({file}, option + " " + why, "leave it out");
}

void refuse_group(const CLI::App& app, const std::string& group, const std::string& file) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group() != title(group) || option->count() == 0) continue;
        throw Error({file}, fmt::format("{} is for {}", option->get_name(), group), "leave it out");
    }
}

void LimitOptions::add_to(CLI::App& app) {
    app.add_option("--time-limit", seconds, "stop after this many seconds")->check(CLI::NonNegativeNumber);
    app.add_option("--memory-limit", memory,
                   "stop when the process uses this much memory, for example 512M or 2G");
}

Limits LimitOptions::start() const {
    return {seconds, memory.empty() ? std::nullopt : std::optional(memory_amount("--memory-limit", memory))};
}

int exit_code(Stop stop) {
    switch (stop) {
        case Stop::none:
            return answered;
        case Stop::interrupted:
            return interrupted;
        case Stop::time:
        case Stop::memory:
            return limit_reached;
    }
    return answered;
}

std::string line_of(const Error& problem) {
    return problem.text([](const std::string& name, const std::string& value) {
        return "--" + name + (value.empty() ? "" : " " + value);
    });
}

int guarded(const std::function<int()>& program) {
    try {
        return program();
    } catch (const LimitReached& limit) {
        std::cerr << line_of(limit) << '\n';
        return exit_code(limit.stop());
    } catch (const Error& problem) {
        std::cerr << line_of(problem) << '\n';
    } catch (const std::bad_alloc&) {
        std::cerr << "zermelo: out of memory; use a smaller model, or set --memory-limit\n";
        return limit_reached;
    } catch (const std::exception& problem) {
        std::cerr << "zermelo: " << problem.what() << '\n';
    }
    return bad_input;
}

void print(const nlohmann::json& object) { std::cout << object.dump(2) << '\n'; }

void write_whole(const std::string& file, const std::string& contents, const std::string& remedy) {
    std::ofstream out(file, std::ios::binary);
    out << contents;
    if (!out.flush()) throw Error({file}, "cannot be written", remedy);
}

void write_out(const std::string& file, const std::string& contents) {
    if (file.empty()) {
        std::cout << contents;
    } else {
        write_whole(file, contents);
    }
}

void require_writable(const std::string& file) {
    if (!file.empty() && !std::ofstream(file, std::ios::app))
        throw Error({file}, "cannot be written", "choose another file");
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text) {
    if (!terminal_) return;
    std::cerr << "\r\033[K" << text << std::flush;
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
    shown_ = false;
}

}  // namespace zermelo::cli
