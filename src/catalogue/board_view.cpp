#include "catalogue/board_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::catalogue {

namespace {

// Columns on the screen: a byte that goes on a character takes none, nor does a variation selector.
std::size_t width_of(const std::string& text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) == 0x80U) continue;
        if (text.compare(i, 3, "\xEF\xB8\x8E") != 0 && text.compare(i, 3, "\xEF\xB8\x8F") != 0) ++width;
    }
    return width;
}
std::string padded(const std::string& text, std::size_t width) {
    const std::size_t used = width_of(text);
    return used >= width ? text : text + std::string(width - used, ' ');
}

// 38: ink, 48: paper.
std::string escape(int kind, const std::string& colour) {
    const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
    return fmt::format("\x1b[{};2;{};{};{}m", kind, part(1), part(3), part(5));
}
bool is_colour(const std::string& text) {
    return text.size() == 7 && text[0] == '#' &&
           text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos;
}

// Middle tones, on which light and dark pieces can be read.
constexpr const char* light_place = "#8f9a8a";
constexpr const char* dark_place = "#6f7b6c";
constexpr const char* marked_place = "#b59a45";
const std::map<std::string, std::string> colour_words = {
    {"white", "#f6f4ee"}, {"black", "#2b2b30"}, {"red", "#c8413a"},    {"yellow", "#eec343"},
    {"blue", "#3a6fc4"},  {"green", "#3f8f54"}, {"orange", "#dd8434"}, {"purple", "#8456b0"}};

std::string first_letter(const std::string& word) {
    std::size_t end = 1;
    while (end < word.size() && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80U) ++end;
    return word.substr(0, end);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words{""};
    for (const char c : text) {
        if (c == ' ') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    return words;
}

}  // namespace

BoardView::BoardView(const gdl::Game& game, nlohmann::json hints, bool colours)
    : colours_(colours), hints_(std::move(hints)) {
    for (const gdl::TermId role : game.machine().network().roles) roles_.push_back(game.text(role));
    try {
        recognise(game);
    } catch (const nlohmann::json::exception&) {
        hints_ = nlohmann::json::object();  // of another form than ours: they say nothing
        pieces_.clear();
        recognise(game);
    }
    tell_apart();
}

void BoardView::recognise(const gdl::Game& game) {
    grids_ = catalogue::recognise_boards(game, hints_);
    for (const gdl::TermId fluent : game.machine().network().fluents) {
        const auto fact = words_of(game.text(fluent));
        for (const BoardGrid& grid : grids_) {
            for (const BoardLayer& layer : grid.layers) {
                if (!layer.holds(fact) || is_empty(layer.thing(fact))) continue;
                pieces_.emplace(layer.thing(fact), look_up(layer.thing(fact)));
            }
        }
    }
}

bool BoardView::is_empty(const std::string& thing) const {
    const auto pieces = hints_.find("pieces");
    if (pieces != hints_.end() && pieces->contains(thing)) return (*pieces)[thing].is_null();
    const bool named_so = thing == "b" || thing == "blank" || thing == "empty" || thing == "none" ||
                          thing == "nothing" || thing == "clear";
    return named_so && std::ranges::find(roles_, thing) == roles_.end();
}

// As the hints say of the thing or of its words; otherwise by its name.
BoardView::Piece BoardView::look_up(const std::string& thing) const {
    Piece piece{"", thing, ""};
    const auto hints = hints_.value("pieces", nlohmann::json::object());
    bool drawn = false;
    const auto take = [&](const std::string& name) {
        if (!hints.contains(name) || !hints[name].is_object()) return;
        if (piece.colour.empty()) piece.colour = hints[name].value("colour", "");
        if (hints[name].contains("text")) {
            piece.text = hints[name].value("text", "");
            drawn = true;
        }
    };
    const auto words = split(thing);
    take(thing);
    if (!drawn) std::ranges::for_each(words, take);
    const auto roles = hints_.value("roles", nlohmann::json::object());
    for (const std::string& word : words) {
        if (piece.colour.empty() && roles.contains(word)) piece.colour = roles[word].value("colour", "");
        const auto named = colour_words.find(word);
        if (piece.colour.empty() && named != colour_words.end()) piece.colour = named->second;
    }
    if (!is_colour(piece.colour)) piece.colour.clear();
    if (drawn && piece.text.empty()) piece.text = piece.colour.empty() ? first_letter(thing) : "●";
    if (!drawn) piece.text = thing.size() <= 2 || words.size() > 1 ? thing : thing.substr(0, 2);
    return piece;
}

// Without colours a piece is drawn by its text where no other has the same, otherwise with its first letter before it,
// or alone where all look the same.
void BoardView::tell_apart() {
    const auto shared = [&](auto text_of) {
        std::map<std::string, int> times;
        for (const auto& [thing, piece] : pieces_) ++times[text_of(thing, piece)];
        return std::ranges::any_of(times, [](const auto& one) { return one.second > 1; });
    };
    const auto by_text = [](const std::string&, const Piece& piece) { return piece.text; };
    const auto by_letter = [](const std::string& thing, const Piece&) { return first_letter(thing); };
    const auto by_both = [](const std::string& thing, const Piece& piece) {
        return first_letter(thing) + piece.text;
    };
    const bool texts = shared(by_text);
    const bool letters = shared(by_letter);
    const bool both = shared(by_both);
    for (auto& [thing, piece] : pieces_)
        piece.letter = !texts     ? piece.text
                       : !letters ? by_letter(thing, piece)
                       : !both    ? by_both(thing, piece)
                                  : thing;
    if (!texts) return;
    // Texts that are shared need colours that are not.
    std::set<std::pair<std::string, std::string>> seen;
    const bool alike = std::ranges::any_of(
        pieces_, [&](const auto& one) { return !seen.emplace(one.second.text, one.second.colour).second; });
    if (!alike) return;
    for (auto& [thing, piece] : pieces_) piece.text = piece.letter;
}

BoardView::Places BoardView::lying(const BoardGrid& grid, const std::vector<std::string>& facts) const {
    Places things;
    for (const BoardLayer& layer :
         grid.layers) {  // the main one first: others only show where it has nothing
        for (const std::string& text : facts) {
            const auto fact = words_of(text);
            if (layer.holds(fact) && !is_empty(layer.thing(fact)))
                things.try_emplace(layer.place(fact), layer.thing(fact));
        }
    }
    return things;
}

std::string BoardView::draw(std::vector<std::string>& facts, const std::vector<std::string>& before) const {
    std::string result;
    const std::vector<std::string> all = facts;
    for (const BoardGrid& grid : grids_) {
        const Places old = lying(grid, before);
        result += draw(grid, lying(grid, all), before.empty() ? nullptr : &old);
        std::erase_if(facts, [&](const std::string& text) {
            const auto fact = words_of(text);
            return std::ranges::any_of(grid.layers,
                                       [&](const BoardLayer& layer) { return layer.holds(fact); });
        });
    }
    return result;
}

// Half of the points above and half below; of the stones on each their number and which they are.
std::string BoardView::draw_points(const BoardGrid& grid, const Places& now, const Places* before) const {
    const auto stones = [&](const Places& places, const std::string& column) {
        std::map<std::string, int> counted;
        for (const std::string& row : grid.rows) {
            if (const auto found = places.find(column + "," + row); found != places.end())
                ++counted[found->second];
        }
        std::string text;
        for (const auto& [thing, count] : counted) {
            const auto piece = pieces_.find(thing);
            text +=
                std::to_string(count) + (piece == pieces_.end() ? first_letter(thing) : piece->second.letter);
        }
        return text;
    };
    const std::size_t half = (grid.columns.size() + 1) / 2;
    std::vector<std::string> above(grid.columns.begin() + static_cast<std::ptrdiff_t>(half),
                                   grid.columns.end());
    std::vector<std::string> below(grid.columns.begin(),
                                   grid.columns.begin() + static_cast<std::ptrdiff_t>(half));
    std::ranges::reverse(below);
    const auto line = [&](const std::vector<std::string>& columns, bool numbers) {
        std::string text;
        for (const std::string& column : columns) {
            const std::string here = stones(now, column);
            const bool marked = !numbers && before != nullptr && here != stones(*before, column);
            const std::string word = numbers ? column : here.empty() ? "." : here;
            text += (marked ? "[" : " ") + padded(word + (marked ? "]" : ""), 4);
        }
        return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    };
    return line(above, true) + line(above, false) + "\n" + line(below, false) + line(below, true);
}

std::string BoardView::draw(const BoardGrid& grid, const Places& now, const Places* before) const {
    if (grid.points) return draw_points(grid, now, before);
    std::size_t width = 1;
    for (const auto& [place, thing] : now) {
        const auto piece = pieces_.find(thing);
        if (piece != pieces_.end())
            width = std::max(width, width_of(colours_ ? piece->second.text : piece->second.letter));
    }
    for (const std::string& column : grid.columns) width = std::max(width, column.size());
    std::size_t margin = 1;
    for (const std::string& row : grid.rows) margin = std::max(margin, row.size());

    std::vector<std::string> rows = grid.rows;
    if (grid.up) std::ranges::reverse(rows);
    const std::size_t half = (width + 2) / 2;
    const auto indent = [&](std::size_t row) {
        const std::size_t steps = grid.lean > 0 ? row : grid.lean < 0 ? rows.size() - 1 - row : 0;
        return std::string(steps * half, ' ');
    };
    std::string text = std::string(margin + 1, ' ') + indent(0);
    for (const std::string& column : grid.columns) text += " " + padded(column, width + 1);
    text = text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        std::string line = padded(rows[r], margin) + " " + indent(r);
        for (std::size_t c = 0; c < grid.columns.size(); ++c) {
            const std::string place = grid.columns[c] + "," + rows[r];
            const auto at = [&](const Places& places) {
                const auto found = places.find(place);
                return found == places.end() ? "" : found->second;
            };
            const bool marked = before != nullptr && at(now) != at(*before);
            line += cell(grid, place, now, marked, grid.chequered && (r + c) % 2 == 1, width);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string BoardView::cell(const BoardGrid& grid, const std::string& place, const Places& now, bool marked,
                            bool dark, std::size_t width) const {
    const auto thing = now.find(place);
    const auto piece = thing == now.end() ? pieces_.end() : pieces_.find(thing->second);
    const bool hole = !grid.places.contains(place) && thing == now.end();
    if (!colours_) {
        const std::string text = piece != pieces_.end() ? piece->second.letter : hole ? " " : ".";
        return (marked ? "[" : " ") + padded(text, width) + (marked ? "]" : " ");
    }
    if (hole) return std::string(width + 2, ' ');
    const std::string paper = escape(48, marked ? marked_place : dark ? dark_place : light_place);
    if (piece == pieces_.end()) return paper + " " + padded("·", width) + " \x1b[0m";
    const std::string& colour = piece->second.colour;
    const std::string ink = colour.empty() ? "" : escape(38, colour);
    return paper + "\x1b[1m" + ink + " " + padded(piece->second.text, width) + " \x1b[0m";
}

std::string listed(const std::vector<std::string>& facts) {
    std::map<std::string, std::string> lines;
    for (const std::string& fact : facts) {
        std::string& line = lines[fact.starts_with("(") ? words_of(fact).front() : ""];
        line += (line.empty() ? "" : " ") + fact;
    }
    std::string text;
    for (const auto& [relation, line] : lines) text += line + "\n";
    return text;
}

}  // namespace zermelo::catalogue
