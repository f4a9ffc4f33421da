// zermelo help: what --help prints, by a word; and pages for man(1).

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>

#include "cli/command.hpp"
#include "cli/usage/manual.hpp"
#include "core/files.hpp"
#include "core/format/nearest.hpp"

namespace zermelo::cli {

namespace {

struct Help {
    std::vector<std::string> words;
    bool man = false;
    std::string folder;

    // The command of these words, and what it is called; throws Error where there is none.
    [[nodiscard]] std::pair<const CLI::App*, std::string> find(const CLI::App& app) const {
        const CLI::App* found = &app;
        std::string called = app.get_name();
        for (const std::string& word : words) {
            const CLI::App* below = nullptr;
            std::vector<std::string> names;
            for (const CLI::App* sub : found->get_subcommands({})) {
                names.push_back(sub->get_name());
                if (sub->get_name() == word) below = sub;
            }
            if (below == nullptr)
                throw Error("there is no subcommand " + word,
                            did_you_mean(word, names) + "zermelo --help lists those that there are");
            found = below;
            called += " " + word;
        }
        return {found, called};
    }

    int run(const CLI::App& app) const {
        if (!man) {
            const auto [command, called] = find(app);
            std::cout << command->get_formatter()->make_help(command, called, CLI::AppFormatMode::Normal);
            return answered;
        }
        if (!words.empty()) (void)find(app);
        const auto pages = manual(app);
        if (folder.empty()) {
            std::cout << pages.at((words.empty() ? "zermelo" : "zermelo-" + words.front()) + ".1");
            return answered;
        }
        std::error_code problem;
        std::filesystem::create_directories(folder, problem);
        for (const auto& [name, text] : pages) replace_file(folder + "/" + name, text);
        return answered;
    }
};

}  // namespace

Command add_help(CLI::App& app) {
    auto* command = app.add_subcommand("help", "Tell what a subcommand does, or write pages for man");
    auto help = std::make_shared<Help>();
    command->add_option("SUBCOMMAND", help->words, "the subcommand; two words where it is below another one");
    auto* man = command->add_flag("--man", help->man, "as a page for man(1)");
    command->add_option("-o,--output", help->folder, "a folder for the pages of all subcommands")->needs(man);
    command->footer(
        "Examples:\n  zermelo help gdl perft\n  zermelo help --man solve | man -l -\n  zermelo help --man -o "
        "man1");
    return {command, [&app, help] { return help->run(app); }};
}

}  // namespace zermelo::cli
