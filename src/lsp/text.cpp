#include "lsp/text.hpp"

#include <algorithm>

namespace zermelo::lsp {

namespace {

// Bytes and units of UTF-16 of the character that begins here.
struct Character {
    std::size_t bytes;
    std::size_t units;
};
Character character_at(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t bytes = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return {std::min(bytes, text.size() - at), bytes == 4 ? 2U : 1U};
}

}  // namespace

Text::Text(std::string bytes) : bytes_(std::move(bytes)), starts_{0} {
    for (std::size_t at = 0; at < bytes_.size(); ++at) {
        if (bytes_[at] == '\n') starts_.push_back(at + 1);
    }
}

std::size_t Text::line_of(std::size_t offset) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) -
                                    starts_.begin()) -
           1;
}

Range Text::line(std::size_t number) const {
    const std::size_t begin = starts_[number];
    std::size_t end = number + 1 < starts_.size() ? starts_[number + 1] - 1 : bytes_.size();
    if (end > begin && bytes_[end - 1] == '\r') --end;
    return {begin, end};
}

Position Text::position(std::size_t offset) const {
    const std::size_t number = line_of(offset);
    Position found{number, 0};
    for (std::size_t at = starts_[number]; at < offset && at < bytes_.size();) {
        const Character character = character_at(bytes_, at);
        at += character.bytes;
        found.character += character.units;
    }
    return found;
}

std::size_t Text::offset(const Position& position) const {
    if (position.line >= starts_.size()) return bytes_.size();
    const Range whole = line(position.line);
    std::size_t at = whole.begin;
    for (std::size_t units = 0; at < whole.end && units < position.character;) {
        const Character character = character_at(bytes_, at);
        at += character.bytes;
        units += character.units;
    }
    return std::min(at, whole.end);
}

std::size_t Text::offset_of_place(int line_number, int column) const {
    if (line_number < 1) return 0;
    const auto number = static_cast<std::size_t>(line_number) - 1;
    if (number >= starts_.size()) return bytes_.size();
    const Range whole = line(number);
    return std::min(whole.begin + static_cast<std::size_t>(std::max(column, 1) - 1), whole.end);
}

}  // namespace zermelo::lsp
