#include "cli/usage/usage.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

#include "core/format/nearest.hpp"

namespace zermelo::cli {

namespace {

// The subcommand that was being read.
const CLI::App& innermost(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app : innermost(*chosen.back());
}

std::vector<std::string> subcommand_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

// The first argument behind the name of the innermost subcommand that is no option: the subcommand that is missing.
std::optional<std::string> unknown_subcommand(const CLI::App& app,
                                              const std::vector<std::string>& arguments) {
    auto at = arguments.begin();
    for (const CLI::App* chosen = &app; !chosen->get_subcommands().empty();) {
        chosen = chosen->get_subcommands().back();
        at = std::find(at, arguments.end(), chosen->get_name());
        if (at == arguments.end()) return std::nullopt;
        ++at;
    }
    at = std::find_if(at, arguments.end(), [](const std::string& word) { return !word.starts_with('-'); });
    return at == arguments.end() ? std::nullopt : std::optional(*at);
}

bool is(const CLI::ParseError& problem, CLI::ExitCodes code) {
    return problem.get_exit_code() == static_cast<int>(code);
}

UsageError unexpected(const CLI::App& command, const std::vector<std::string>& extras) {
    for (const std::string& extra : extras) {
        if (!extra.starts_with("-")) continue;
        const std::string name = extra.substr(0, extra.find('='));
        return UsageError(
            fmt::format("there is no option {} in {}", name, command.get_name()),
            did_you_mean(name, option_names(command)) + fmt::format("see {} --help", command.get_name()));
    }
    return UsageError(fmt::format("{} was not expected", fmt::join(extras, " ")),
                      fmt::format("leave it out, or see what {} takes", command.get_name()));
}

// CLI11 says `Could not convert: --seed = many`.
UsageError not_a_number(const std::string& said) {
    const std::size_t name = said.find("--");
    const std::size_t value = said.find(" = ");
    if (name == std::string::npos || value == std::string::npos) return UsageError(said);
    return UsageError(
        fmt::format("{}: {} does not fit", said.substr(name, value - name), said.substr(value + 3)),
        "give a number");
}

}  // namespace

UsageError usage_error(const CLI::App& app, const std::vector<std::string>& arguments,
                       const CLI::ParseError& problem) {
    const CLI::App& command = innermost(app);
    const std::vector<std::string> subcommands = subcommand_names(command);
    if (!subcommands.empty()) {
        const std::string all = fmt::format("choose one of {}", fmt::join(subcommands, ", "));
        const auto word = unknown_subcommand(app, arguments);
        if (word)
            return UsageError(fmt::format("there is no subcommand {}", *word),
                              did_you_mean(*word, subcommands) + all);
        if (is(problem, CLI::ExitCodes::RequiredError)) return UsageError("a subcommand is required", all);
    }
    if (is(problem, CLI::ExitCodes::ExtrasError)) return unexpected(command, command.remaining());
    if (is(problem, CLI::ExitCodes::ConversionError)) return not_a_number(problem.what());
    if (is(problem, CLI::ExitCodes::ArgumentMismatch)) {
        const std::string said = problem.what();
        return UsageError(fmt::format("{}: a value is missing", said.substr(0, said.find(':'))),
                          fmt::format("see {} --help", command.get_name()));
    }
    // Validators say what is wrong; what to do.
    const std::string said = problem.what();
    const std::size_t end = said.find("; ");
    return end == std::string::npos ? UsageError(said)
                                    : UsageError(said.substr(0, end), said.substr(end + 2));
}

}  // namespace zermelo::cli
