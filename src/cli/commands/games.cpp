// zermelo games: the games that are shipped; lists them, filters them, tells their rules.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "arena/report/layout.hpp"
#include "catalogue/library.hpp"
#include "cli/command.hpp"
#include "cli/instances.hpp"
#include "cli/usage/values.hpp"
#include "ggp/message.hpp"

namespace zermelo::cli {

namespace {

using catalogue::Library;
using catalogue::Shipped;
using nlohmann::json;

std::vector<std::string> tags(const Shipped& game) {
    auto all = game.summary["tags"].get<std::vector<std::string>>();
    for (const std::string theme : game.summary["themes"]) {
        if (std::ranges::find(all, theme) == all.end()) all.push_back(theme);
    }
    return all;
}

// In a language, or in English where the library does not have it.
std::string in(const json& words, const std::string& language) {
    return words.contains(language) ? words[language] : words["en"];
}

// Lines of at most so many characters; lines that are indented stay as they are.
std::string wrapped(const std::string& text, std::size_t most) {
    std::string result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(' ')) {
            result += line + "\n";
            continue;
        }
        std::string row;
        std::istringstream words(line);
        for (std::string word; words >> word;) {
            if (!row.empty() && arena::width(row) + 1 + arena::width(word) > most) {
                result += row + "\n";
                row.clear();
            }
            row += (row.empty() ? "" : " ") + word;
        }
        result += row + "\n";
    }
    return result;
}

struct Games {
    std::string name;
    std::string folder;
    std::string kind;
    std::vector<std::string> wanted;
    std::optional<std::size_t> players;
    std::string search;
    std::string language = "en";
    bool text = false;
    bool json_output = false;

    [[nodiscard]] int run() const {
        const Library library(folder.empty() ? shipped("games") : folder);
        if (!name.empty()) return tell(find(library));
        std::vector<const Shipped*> found;
        for (const Shipped& game : library.games()) {
            if (fits(game)) found.push_back(&game);
        }
        if (json_output) {
            json all = json::array();
            for (const Shipped* game : found) all.push_back(described(*game));
            print({{"games", all}});
            return answered;
        }
        list(found);
        return answered;
    }

private:
    [[nodiscard]] bool fits(const Shipped& game) const {
        const auto has = tags(game);
        if (!kind.empty() && catalogue::name(game.kind) != kind) return false;
        if (players && game.summary["seats"].size() != *players) return false;
        for (const std::string& tag : wanted) {
            if (std::ranges::find(has, tag) == has.end()) return false;
        }
        if (search.empty()) return true;
        std::string all = game.id;
        for (const char* part : {"title", "words"}) {
            for (const auto& [_, words] : game.summary[part].items()) all += "\n" + words.get<std::string>();
        }
        return ggp::lower(all).find(ggp::lower(search)) != std::string::npos;
    }

    [[nodiscard]] const Shipped& find(const Library& library) const {
        if (const Shipped* game = library.find(name)) return *game;
        std::vector<const Shipped*> called;
        for (const Shipped& game : library.games()) {
            if (game.id.substr(game.id.find('/') + 1) == name) called.push_back(&game);
        }
        if (called.empty()) throw Error("the library has no game " + name, "`zermelo games` lists them");
        if (called.size() == 1) return *called.front();
        std::vector<std::string> ids;
        for (const Shipped* game : called) ids.push_back(game->id);
        throw Error(fmt::format("several games are called {}", name),
                    fmt::format("choose one of {}", fmt::join(ids, ", ")));
    }

    [[nodiscard]] static json described(const Shipped& game) {
        json all = game.summary;
        all["file"] = game.file;
        return all;
    }

    [[nodiscard]] int tell(const Shipped& game) const {
        if (json_output) {
            json all = described(game);
            all["text"] = game.text;
            all["hints"] = game.hints;
            print(all);
        } else if (text) {
            std::cout << game.text;
        } else {
            const json& about = game.summary;
            std::cout << fmt::format("{}\n\n{}\n", in(about["title"], language),
                                     wrapped(in(about["words"], language), 100));
            std::cout << fmt::format("players  {}\n",
                                     fmt::join(about["seats"].get<std::vector<std::string>>(), ", "));
            std::cout << fmt::format("tags     {}\n", fmt::join(tags(game), ", "));
            if (about["solved"].is_string())
                std::cout << fmt::format("solved   {}\n", about["solved"].get<std::string>());
            for (const json& parameter : about["parameters"])
                std::cout << fmt::format("         -D {}={}\n", parameter["name"].get<std::string>(),
                                         parameter["value"].get<std::string>());
            std::cout << fmt::format("file     {}\n", game.file);
        }
        return answered;
    }

    void list(const std::vector<const Shipped*>& found) const {
        arena::Rows rows = {{"game", "title", "tags", "players"}};
        for (const Shipped* game : found)
            rows.push_back({game->id, in(game->summary["title"], language),
                            fmt::format("{}", fmt::join(tags(*game), ", ")),
                            fmt::to_string(game->summary["seats"].size())});
        if (!found.empty()) std::cout << arena::aligned(rows, 3);
        std::cout << fmt::format("{}. `zermelo games NAME` prints the rules of one.\n",
                                 plural(fmt::to_string(found.size()), "game"));
    }
};

}  // namespace

Command add_games(CLI::App& app) {
    auto* command = app.add_subcommand("games", "List the shipped games, or print the rules of one");
    auto games = std::make_shared<Games>();
    auto* name = command->add_option("NAME", games->name, "the game whose rules to print");
    command
        ->add_option("--tag", games->wanted, "only games with this tag; if repeated, with all of these tags")
        ->allow_extra_args(false);
    command->add_option("--players", games->players,
                        "only games with this number of players, not counting chance");
    command->add_option("--kind", games->kind, "only games of this kind: gdl, minizinc or graph")
        ->check(one_of(std::vector<std::string>{"gdl", "minizinc", "graph"}));
    command->add_option("--search", games->search, "only games with this text in their title or rules");
    command->add_option("--language", games->language, "language of titles and rules: en or fr")
        ->check(one_of(std::vector<std::string>{"en", "fr"}))
        ->capture_default_str();
    command->add_flag("--text", games->text, "print the file of the game")->needs(name);
    command->add_option("--folder", games->folder, "the folder of the games (default: the shipped games)");
    command->add_flag("--json", games->json_output, "print one JSON object");
    command->footer(
        "Examples:\n"
        "  zermelo games --tag dice --players 2\n"
        "  zermelo games othello\n"
        "  zermelo games othello --text > mine.kif");
    return {command, [games] { return games->run(); }};
}

}  // namespace zermelo::cli
