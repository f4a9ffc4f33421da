#include "catalogue/text_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace zermelo::catalogue {

namespace {

nlohmann::json read_hints(const std::string& rules) {
    std::ifstream file(std::filesystem::path(rules).replace_extension(".hints.json"));
    auto hints = nlohmann::json::parse(file, nullptr, false);
    return hints.is_object() ? hints : nlohmann::json::object();
}

std::string initials(const std::string& thing) {
    if (thing.size() <= 2) return thing;
    std::string letters;
    std::istringstream words(thing);
    for (std::string word; words >> word;) letters += word.front();
    return letters;
}

std::string without_trailing_blanks(const std::string& line) {
    return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

}  // namespace

TextBoard::TextBoard(const gdl::Game& game) : hints_(read_hints(game.description().file)) {
    for (const gdl::TermId role : game.machine().network().roles) roles_.push_back(game.text(role));
    try {
        recognise(game);
    } catch (const nlohmann::json::exception&) {
        hints_ = nlohmann::json::object();  // of another form than ours: they say nothing
        letters_.clear();
        recognise(game);
    }
    tell_apart();
}

void TextBoard::recognise(const gdl::Game& game) {
    grids_ = recognise_boards(game, hints_);
    for (const gdl::TermId fluent : game.machine().network().fluents) {
        const auto fact = words_of(game.text(fluent));
        for (const BoardGrid& grid : grids_) {
            for (const BoardLayer& layer : grid.layers) {
                if (layer.holds(fact) && !is_empty(layer.thing(fact)))
                    letters_.emplace(layer.thing(fact), "");
            }
        }
    }
}

void TextBoard::tell_apart() {
    std::set<std::string> used;
    const bool short_ones = std::ranges::all_of(
        letters_, [&](const auto& thing) { return used.insert(initials(thing.first)).second; });
    for (auto& [thing, letters] : letters_) letters = short_ones ? initials(thing) : thing;
}

bool TextBoard::is_empty(const std::string& thing) const {
    const auto pieces = hints_.find("pieces");
    if (pieces != hints_.end() && pieces->contains(thing)) return (*pieces)[thing].is_null();
    const std::set<std::string> nothing = {"b", "blank", "empty", "none", "nothing", "clear"};
    return nothing.contains(thing) && std::ranges::find(roles_, thing) == roles_.end();
}

// The main layer comes first: others only show where it has nothing.
TextBoard::Places TextBoard::lying(const BoardGrid& grid, const std::vector<std::string>& facts) const {
    Places things;
    for (const BoardLayer& layer : grid.layers) {
        for (const std::string& text : facts) {
            const auto fact = words_of(text);
            if (layer.holds(fact) && !is_empty(layer.thing(fact)))
                things.try_emplace(layer.place(fact), layer.thing(fact));
        }
    }
    return things;
}

std::string TextBoard::draw(const std::vector<std::string>& facts) const {
    std::string text;
    for (const BoardGrid& grid : grids_) text += draw(grid, lying(grid, facts));
    std::map<std::string, std::string> others;  // by relation
    for (const std::string& fact : facts) {
        const auto words = words_of(fact);
        const bool on_a_board = std::ranges::any_of(grids_, [&](const BoardGrid& grid) {
            return std::ranges::any_of(grid.layers,
                                       [&](const BoardLayer& layer) { return layer.holds(words); });
        });
        if (on_a_board) continue;
        std::string& line = others[words.size() > 1 ? words.front() : ""];
        line += (line.empty() ? "" : " ") + fact;
    }
    for (const auto& [relation, line] : others) text += line + '\n';
    return text;
}

std::string TextBoard::draw(const BoardGrid& grid, const Places& things) const {
    std::size_t width = 1;
    for (const std::string& column : grid.columns) width = std::max(width, column.size());
    for (const auto& [place, thing] : things) width = std::max(width, letters_.at(thing).size());
    std::size_t margin = 1;
    for (const std::string& row : grid.rows) margin = std::max(margin, row.size());

    std::vector<std::string> rows = grid.rows;
    if (grid.up) std::ranges::reverse(rows);
    const auto indent = [&](std::size_t row) {
        const std::size_t steps = grid.lean > 0 ? row : grid.lean < 0 ? rows.size() - 1 - row : 0;
        return std::string(steps * ((width + 2) / 2), ' ');
    };
    std::string header = std::string(margin + 1, ' ') + indent(0);
    for (const std::string& column : grid.columns) header += fmt::format(" {:<{}} ", column, width);
    std::string text = without_trailing_blanks(header);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = fmt::format("{:<{}} {}", rows[r], margin, indent(r));
        for (const std::string& column : grid.columns) {
            const std::string place = column + "," + rows[r];
            const auto thing = things.find(place);
            const std::string& letters = thing == things.end() ? (grid.places.contains(place) ? "." : " ")
                                                               : letters_.at(thing->second);
            line += fmt::format(" {:<{}} ", letters, width);
        }
        text += without_trailing_blanks(line);
    }
    return text;
}

}  // namespace zermelo::catalogue
