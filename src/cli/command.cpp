#include "cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>

#include "cli/usage/language.hpp"
#include "cli/usage/usage.hpp"
#include "cli/usage/values.hpp"
#include "core/files.hpp"
#include "core/format/json_text.hpp"
#include "core/format/numbers.hpp"
#include "strategy/rules/horizon.hpp"

namespace zermelo::cli {

void ModelOptions::add_to(CLI::App& app) {
    app.add_option("FILE", file,
                   "the game: .kif or .gdl (GDL), .json, .dot or .gv (a graph), .mzn (MiniZinc), .fzn "
                   "(FlatZinc), .qdimacs and .qcir (QBF); or the name of a shipped game")
        ->required()
        ->transform(shipped_game());
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

Problem ModelOptions::read(const Limits& limits) const {
    Problem problem = zermelo::read(file, reading_options(limits));
    if (const gdl::Game* game = problem.gdl()) warn_of_repairs(game->description());
    return problem;
}

void warn_of_horizon(const model::Model& model) {
    try {
        if (const auto found = strategy::horizon_warning(model, analyse(model))) {
            const Place place = found->place().file.empty() ? Place{model.name} : found->place();
            std::cerr << line_of(Error(place, "warning: " + found->problem(), found->remedy())) << '\n';
        }
    } catch (const Error&) {
        // The model is broken, as solving it will tell.
    }
}

void warn_of_repairs(const gdl::Description& game) {
    constexpr std::size_t most = 5;
    const std::size_t shown = std::min(most, game.repairs.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const gdl::Repair& repair = game.repairs[i];
        std::cerr << line_of(Error(repair.place, "warning: " + repair.message, repair.remedy)) << '\n';
    }
    if (const std::size_t more = game.repairs.size() - shown; more > 0)
        std::cerr << line_of(Error({game.file}, fmt::format("warning: {} more of this kind", more),
                                   "zermelo gdl check lists them"))
                  << '\n';
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
    app.add_option("--time-limit", seconds, "stop after this many seconds")->check(at_least(0));
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

namespace {

std::string option_text(const std::string& name, const std::string& value) {
    return "--" + name + (value.empty() ? "" : " " + value);
}

}  // namespace

std::string line_of(const Error& problem) {
    const std::string what = spoken(worded(problem.problem(), option_text));
    const std::string remedy = spoken(worded(problem.remedy(), option_text));
    const std::string where = problem.place().text();
    return (where.empty() ? "" : where + ": ") + what +
           (remedy.empty() ? "" : language::between_sentences(tongue()) + remedy);
}

bool asks_for_json(int argc, char** argv) {
    return std::any_of(argv + 1, argv + argc, [](const char* word) { return std::string(word) == "--json"; });
}

nlohmann::json json_of(const Error& problem) {
    nlohmann::json object = {{"message", spoken(worded(problem.problem(), option_text))}};
    if (!problem.remedy().empty()) object["remedy"] = spoken(worded(problem.remedy(), option_text));
    const Place& place = problem.place();
    if (!place.file.empty()) object["file"] = place.file;
    if (place.line > 0) object["line"] = place.line;
    if (place.column > 0) object["column"] = place.column;
    return {{"error", object}};
}

int guarded(const std::function<int()>& program, bool json) {
    const auto tell = [json](const Error& problem) {
        std::cerr << line_of(problem) << '\n';
        if (json) print(json_of(problem));
    };
    try {
        return program();
    } catch (const LimitReached& limit) {
        tell(limit);
        return exit_code(limit.stop());
    } catch (const UsageError& problem) {
        tell(problem);
        std::cerr << spoken("Run with --help for more information.") << '\n';
    } catch (const Error& problem) {
        tell(problem);
    } catch (const std::bad_alloc&) {
        tell(Error("zermelo: out of memory", "use a smaller model, or set --memory-limit"));
        return limit_reached;
    } catch (const std::exception& problem) {
        tell(Error("zermelo: " + json_problem(problem)));
    }
    return bad_input;
}

void print(const nlohmann::json& object) { std::cout << json_text(object, 2) << '\n'; }

void write_out(const std::string& file, const std::string& contents) {
    if (file.empty()) {
        std::cout << contents;
    } else {
        replace_file(file, contents);
    }
}

void require_writable(const std::string& file) {
    if (!file.empty() && !std::ofstream(file, std::ios::app))
        throw Error({file}, "cannot be written", "choose another file");
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { clear(); }

namespace {

// 8 s, 4 min, 3 h
std::string rough(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 3600;
    if (seconds < 2 * minute) return fmt::format("{:.0f} s", seconds);
    return seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                              : fmt::format("{:.0f} h", seconds / hour);
}

}  // namespace

std::string clock_text(double seconds, const Share& share) {
    if (seconds < 1) return "";
    std::string text = rough(seconds);
    if (share.done > 0 && share.done < share.of) {
        const double left =
            seconds / static_cast<double>(share.done) * static_cast<double>(share.of - share.done);
        text += fmt::format(", about {} left", rough(left));
    }
    return text;
}

void ProgressLine::show(const std::string& text, const Share& share) {
    if (!terminal_) return;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - start_;
    const std::string clock = clock_text(since.count(), share);
    std::cerr << "\r\033[K" << text << (clock.empty() ? "" : " · " + clock) << std::flush;
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
    shown_ = false;
}

}  // namespace zermelo::cli
