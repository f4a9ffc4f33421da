#include "solve/problem/model_view.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace zermelo {

namespace {

constexpr const char* dot = "·";

// Characters of a text in UTF-8.
std::vector<std::string> characters(const std::string& text) {
    std::vector<std::string> all;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0U) == 0x80U && !all.empty()) {
            all.back() += c;
        } else {
            all.emplace_back(1, c);
        }
    }
    return all;
}

// Words and the blanks between them.
std::vector<std::string> words_and_blanks(const std::string& line) {
    std::vector<std::string> all;
    for (const std::string& c : characters(line)) {
        const bool blank = c == " ";
        if (all.empty() || blank || all.back() == " ") {
            all.push_back(c);
        } else {
            all.back() += c;
        }
    }
    return all;
}

std::string common_part(const std::vector<std::vector<std::string>>& lines, bool letters) {
    std::string text;
    for (std::size_t i = 0; i < lines.front().size(); ++i) {
        const bool same =
            std::ranges::all_of(lines, [&](const auto& parts) { return parts[i] == lines.front()[i]; });
        if (same) {
            text += lines.front()[i];
            continue;
        }
        std::size_t width = 1;
        for (const auto& parts : lines) width = std::max(width, letters ? 1 : characters(parts[i]).size());
        for (std::size_t w = 0; w < width; ++w) text += dot;
    }
    return text;
}

bool same_sizes(const std::vector<std::vector<std::string>>& lines) {
    return std::ranges::all_of(lines,
                               [&](const auto& parts) { return parts.size() == lines.front().size(); });
}

bool is_whole_number(const std::string& word) {
    const std::size_t sign = word.starts_with('-') ? 1 : 0;
    return word.size() > sign && word.find_first_not_of("0123456789", sign) == std::string::npos;
}

// Only numbers differ, word by word.
bool differ_in_numbers(const std::vector<std::vector<std::string>>& lines) {
    if (!same_sizes(lines)) return false;
    for (std::size_t i = 0; i < lines.front().size(); ++i) {
        const auto same = [&](const auto& words) { return words[i] == lines.front()[i]; };
        if (!std::ranges::all_of(lines, same) &&
            !std::ranges::all_of(lines, [&](const auto& words) { return is_whole_number(words[i]); }))
            return false;
    }
    return true;
}

std::string common_line(const std::vector<std::string>& lines) {
    std::vector<std::vector<std::string>> words;
    std::vector<std::vector<std::string>> letters;
    for (const std::string& line : lines) {
        words.push_back(words_and_blanks(line));
        letters.push_back(characters(line));
    }
    if (differ_in_numbers(words)) return common_part(words, false);
    if (same_sizes(letters)) return common_part(letters, true);
    if (same_sizes(words)) return common_part(words, false);
    std::size_t same = 0;
    while (std::ranges::all_of(
        words, [&](const auto& line) { return same < line.size() && line[same] == words.front()[same]; }))
        ++same;
    std::string text;
    for (std::size_t i = 0; i < same; ++i) text += words.front()[i];
    return text + "…";
}

}  // namespace

std::string common_text(const std::vector<std::string>& texts) {
    std::vector<std::istringstream> streams;
    for (const std::string& text : texts) streams.emplace_back(text);
    std::string result;
    while (true) {
        std::vector<std::string> lines;
        for (std::istringstream& stream : streams) {
            std::string line;
            if (std::getline(stream, line)) lines.push_back(line);
        }
        if (lines.empty()) return result;
        if (lines.size() < texts.size()) return result + "…\n";
        result += common_line(lines) + "\n";
    }
}

// The moves that are still to be made get their smallest, their greatest, or their middle values.
std::vector<model::Value> ModelView::filled(const std::vector<model::Value>& played, int way) const {
    strategy::PartialAssignment moves(model_, structure_);
    std::size_t next = 0;
    for (const model::Block& block : structure_.prefix) {
        for (const model::VarId variable : block.variables) {
            const auto& domain = model_.domain(variable);
            const model::Value middle = domain.low() + (domain.high() - domain.low()) / 2;
            const model::Value standard = way == 0   ? domain.low()
                                          : way == 1 ? domain.high()
                                                     : (domain.contains(middle) ? middle : domain.low());
            moves.play(variable, next < played.size() ? played[next] : standard);
            ++next;
        }
    }
    std::vector<model::Value> values;
    for (std::size_t v = 0; v < model_.variables.size(); ++v)
        values.push_back(moves[static_cast<model::VarId>(v)].low);
    return values;
}

std::string ModelView::draw(const std::vector<model::Value>& played, const Limits& limits) const {
    if (!item_ || model_.strategic) return "";
    constexpr int ways = 3;
    std::vector<std::vector<model::Value>> assignments;
    for (int way = 0; way < ways; ++way) assignments.push_back(filled(played, way));
    try {
        const auto texts = item_->texts(model_, assignments, limits);
        return texts ? common_text(*texts) : "";
    } catch (const LimitReached& limit) {
        if (limit.stop() == Stop::interrupted) throw;
        return "";  // an output item may take for ever; the play goes on without it
    }
}

}  // namespace zermelo
