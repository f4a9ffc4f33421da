// zermelo completion: scripts that teach a shell our subcommands and options, made from the command line
// itself.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>

#include "cli/command.hpp"

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

void bash(const CLI::App& app, bool zsh) {
    if (zsh) std::cout << "#compdef zermelo\nautoload -U +X bashcompinit && bashcompinit\n";
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    std::cout << "_zermelo() {\n    local word=\"${COMP_WORDS[COMP_CWORD]}\" flags=\"\"\n"
              << "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
              << fmt::format("        COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n", fmt::join(names, " "))
              << "        return\n    fi\n    case \"${COMP_WORDS[1]}\" in\n";
    for (const CLI::App* sub : app.get_subcommands({})) {
        std::cout << fmt::format("        {}) flags='{}' ;;\n", sub->get_name(), fmt::join(words(*sub), " "));
    }
    std::cout
        << "    esac\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\") $(compgen -f -- \"$word\"))\n}\n"
        << "complete -o filenames -F _zermelo zermelo\n";
}

void fish(const CLI::App& app) {
    for (const CLI::App* sub : app.get_subcommands({})) {
        std::cout << fmt::format("complete -c zermelo -n __fish_use_subcommand -a {} -d '{}'\n",
                                 sub->get_name(), sub->get_description());
        for (const std::string& word : words(*sub)) {
            const std::string how = word.starts_with("--")  ? "-l " + word.substr(2)
                                    : word.starts_with("-") ? "-s " + word.substr(1)
                                                            : "-a " + word;
            std::cout << fmt::format("complete -c zermelo -n '__fish_seen_subcommand_from {}' {}\n",
                                     sub->get_name(), how);
        }
    }
}

}  // namespace

Command add_completion(CLI::App& app) {
    auto* command = app.add_subcommand("completion", "Print a completion script for a shell");
    auto shell = std::make_shared<std::string>();
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
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
