// zermelo completion: scripts that teach a shell our subcommands and options, made from the command line
// itself.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

#include "cli/command.hpp"
#include "cli/usage/values.hpp"

namespace zermelo::cli {

namespace {

// Options, and below them subcommands of a subcommand with theirs.
std::vector<std::string> words(const CLI::App& app) {
    std::vector<std::string> all;
    for (const CLI::Option* option : app.get_options()) {
        for (const auto& name : option->get_snames()) all.push_back("-" + name);
        for (const auto& name : option->get_lnames()) all.push_back("--" + name);
    }
    for (const CLI::App* sub : app.get_subcommands({})) {
        all.push_back(sub->get_name());
        const auto below = words(*sub);
        all.insert(all.end(), below.begin(), below.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// What may stand behind the options of a command, and those below it: a line of `case` for each option with choices.
void collect_values(const CLI::App& app, std::map<std::string, std::string>& cases) {
    for (const CLI::Option* option : app.get_options()) {
        const auto values = suggestions(*option);
        if (values.empty() || option->get_positional()) continue;
        std::vector<std::string> names;
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        cases.emplace(fmt::format("{}", fmt::join(names, "|")), fmt::format("{}", fmt::join(values, " ")));
    }
    for (const CLI::App* sub : app.get_subcommands({})) collect_values(*sub, cases);
}

// What may stand where no option does: games, players, kinds.
std::string positional_values(const CLI::App& app) {
    std::vector<std::string> all;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) continue;
        const auto values = suggestions(*option);
        all.insert(all.end(), values.begin(), values.end());
    }
    for (const CLI::App* sub : app.get_subcommands({})) all.push_back(positional_values(*sub));
    std::erase(all, "");
    return fmt::format("{}", fmt::join(all, " "));
}

void bash(const CLI::App& app, bool zsh) {
    if (zsh) std::cout << "#compdef zermelo\nautoload -U +X bashcompinit && bashcompinit\n";
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    std::cout << "_zermelo() {\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" flags=\"\" plain=\"\"\n"
              << "    local before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
              << "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
              << fmt::format("        COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n", fmt::join(names, " "))
              << "        return\n    fi\n    case \"${COMP_WORDS[1]} $before\" in\n";
    for (const CLI::App* sub : app.get_subcommands({})) {
        std::map<std::string, std::string> cases;
        collect_values(*sub, cases);
        for (const auto& [options, values] : cases) {
            std::string patterns;
            std::istringstream parts(options);
            for (std::string part; std::getline(parts, part, '|');)
                patterns += fmt::format("{}'{} {}'", patterns.empty() ? "" : "|", sub->get_name(), part);
            std::cout << fmt::format(
                "        {})\n            COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
                "            return ;;\n",
                patterns, values);
        }
    }
    std::cout << "    esac\n    case \"${COMP_WORDS[1]}\" in\n";
    for (const CLI::App* sub : app.get_subcommands({})) {
        std::cout << fmt::format("        {}) flags='{}' plain='{}' ;;\n", sub->get_name(),
                                 fmt::join(words(*sub), " "), positional_values(*sub));
    }
    std::cout << "    esac\n    COMPREPLY=($(compgen -W \"$flags $plain\" -- \"$word\") $(compgen -f -- "
                 "\"$word\"))\n}\n"
              << "complete -o filenames -F _zermelo zermelo\n";
}

// The values of the option that is called so, here or below.
std::vector<std::string> values_of(const CLI::App& app, const std::string& name) {
    std::map<std::string, std::string> cases;
    collect_values(app, cases);
    for (const auto& [options, values] : cases) {
        std::istringstream parts(options);
        for (std::string part; std::getline(parts, part, '|');) {
            if (part == name) return {values};
        }
    }
    return {};
}

void fish(const CLI::App& app) {
    for (const CLI::App* sub : app.get_subcommands({})) {
        std::cout << fmt::format("complete -c zermelo -n __fish_use_subcommand -a {} -d '{}'\n",
                                 sub->get_name(), sub->get_description());
        const std::string seen =
            fmt::format("complete -c zermelo -n '__fish_seen_subcommand_from {}'", sub->get_name());
        for (const std::string& word : words(*sub)) {
            const std::string how = word.starts_with("--")  ? "-l " + word.substr(2)
                                    : word.starts_with("-") ? "-s " + word.substr(1)
                                                            : "-a " + word;
            const auto values = values_of(*sub, word);
            const std::string choices = values.empty() ? "" : fmt::format(" -x -a '{}'", values.front());
            std::cout << fmt::format("{} {}{}\n", seen, how, choices);
        }
        if (const std::string plain = positional_values(*sub); !plain.empty())
            std::cout << fmt::format("{} -a '{}'\n", seen, plain);
    }
}

}  // namespace

Command add_completion(CLI::App& app) {
    auto* command = app.add_subcommand("completion", "Print a completion script for a shell");
    auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(one_of(std::vector<std::string>{"bash", "zsh", "fish"}));
    command->footer("Example:\n  source <(zermelo completion bash)");
    return {command, [&app, shell] {
                if (*shell == "fish") {
                    fish(app);
                } else {
                    bash(app, *shell == "zsh");
                }
                return static_cast<int>(answered);
            }};
}

}  // namespace zermelo::cli
