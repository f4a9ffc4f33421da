#include "cli/usage/values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/instances.hpp"
#include "core/format/nearest.hpp"
#include "core/format/text.hpp"
#include "play/player_registry.hpp"
#include "solve/problem/problem.hpp"

namespace zermelo::cli {

namespace {

std::string number_text(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15) {
        const std::string digits = count_text(static_cast<std::uint64_t>(std::abs(number)));
        return number < 0 ? "-" + digits : digits;
    }
    return fmt::format("{:g}", number);
}

// The whole text as a number; inf and nan are none.
bool read_number(const std::string& text, double& number) {
    if (text.empty()) return false;
    char* end = nullptr;
    number = std::strtod(text.c_str(), &end);
    return *end == '\0' && std::isfinite(number);
}

namespace fs = std::filesystem;

// The names of validators say what may stand here.
const std::string choices_mark = "choose: ";
const std::string shipped_mark = "a shipped game";

struct ShippedFile {
    std::string name;  // tic-tac-toe
    std::string id;    // gdl/tic-tac-toe
    std::string file;
};

// Where a name stands for several games, the first kind is meant.
std::vector<ShippedFile> shipped_files() {
    std::vector<ShippedFile> found;
    const fs::path folder = shipped("games");
    for (const char* kind : {"gdl", "quantified", "strategic", "stochastic", "planning", "graphs"}) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(folder / kind, none)) {
            const fs::path& path = entry.path();
            const std::string ending = path.extension();
            const bool beside = path.stem().extension() == ".hints" || path.stem().extension() == ".facts";
            const bool game =
                ending == ".kif" || ending == ".mzn" || ending == ".dot" || (ending == ".json" && !beside);
            if (game) found.push_back({path.stem(), kind + ("/" + path.stem().string()), path});
        }
    }
    return found;
}

std::string find_shipped_game(std::string& name) {
    std::error_code ignored;
    const bool has_ending = !fs::path(name).extension().empty();
    if (has_ending || fs::exists(name, ignored)) return "";
    std::vector<std::string> names;
    for (const ShippedFile& game : shipped_files()) {
        if (game.name == name || game.id == name) {
            name = game.file;
            return "";
        }
        names.push_back(game.name);
    }
    if (name.find('/') != std::string::npos) return "";  // a file that is not there
    return fmt::format(
        "there is no file and no shipped game {}; {}zermelo games lists those that are shipped", name,
        did_you_mean(name, names));
}

}  // namespace

CLI::Validator one_of(std::vector<std::string> names) {
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    const std::string mark = choices_mark + fmt::format("{}", fmt::join(names, " "));
    return {[names = std::move(names), all](std::string& text) -> std::string {
                if (std::ranges::find(names, text) != names.end()) return "";
                return fmt::format("there is no {}; {}choose from {}", text, did_you_mean(text, names), all);
            },
            "", mark};
}

CLI::Validator suggesting(const std::vector<std::string>& names) {
    return {[](std::string&) { return std::string(); }, "",
            choices_mark + fmt::format("{}", fmt::join(names, " "))};
}

std::vector<std::string> player_names() {
    std::vector<std::string> names;
    for (const play::PlayerDescription& player : play::describe_players()) names.push_back(player.name);
    return names;
}

std::vector<std::string> shipped_names() {
    std::vector<std::string> names;
    for (const ShippedFile& game : shipped_files()) names.push_back(game.name);
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::vector<std::string> suggestions(const CLI::Option& given) {
    auto& option = const_cast<CLI::Option&>(given);  // CLI11 shows validators only of what may change
    std::vector<std::string> found;
    try {
        for (int i = 0;; ++i) {
            const std::string& name = option.get_validator(i)->get_name();
            if (name == shipped_mark) found = shipped_names();
            if (!name.starts_with(choices_mark)) continue;
            std::istringstream words(name.substr(choices_mark.size()));
            for (std::string word; words >> word;) found.push_back(word);
        }
    } catch (const CLI::OptionNotFound&) {
        return found;  // there are no more
    }
}

CLI::Validator shipped_game() { return {find_shipped_game, "", shipped_mark}; }

CLI::Validator game_in_gdl() {
    return {[](std::string& file) -> std::string {
                const Language language = language_of(file);
                const bool other = language != Language::gdl && language != Language::unknown;
                return other ? fmt::format("{} is no game in GDL; zermelo solve takes it", file) : "";
            },
            ""};
}

CLI::Validator number_between(NumberKind kind, double low, double high, bool low_allowed) {
    const std::string help = std::isfinite(high) ? number_text(low) + " to " + number_text(high)
                             : low_allowed       ? number_text(low) + " or more"
                                                 : "more than " + number_text(low);
    const std::string noun = kind == NumberKind::whole ? "a whole number" : "a number";
    const std::string range =
        noun + (std::isfinite(high) ? " from " + number_text(low) + " to " + number_text(high)
                : low_allowed       ? ", " + number_text(low) + " or more"
                                    : " greater than " + number_text(low));
    const auto refuse = [=](std::string& text) -> std::string {
        double number = 0;
        const bool fits =
            read_number(text, number) && (kind == NumberKind::any || number == std::floor(number));
        if (!fits)
            return fmt::format("{} is not {}; give {}", text.empty() ? "an empty text" : text, noun, range);
        if (number < low || (number == low && !low_allowed))
            return fmt::format("{} is too small; give {}", text, range);
        if (number > high) return fmt::format("{} is too large; give {}", text, range);
        return "";
    };
    return {refuse, help};
}

}  // namespace zermelo::cli
