#include "web/api/include_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/error.hpp"
#include "web/http/router.hpp"

namespace zermelo::web {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

// Behind blanks and comments.
std::size_t next_token(const std::string& text, std::size_t at) {
    const auto behind = [&](const char* end, std::size_t from) {
        const std::size_t found = text.find(end, from);
        return found == std::string::npos ? text.size() : found + std::string_view(end).size();
    };
    while (at < text.size()) {
        if (is_blank(text[at])) {
            ++at;
        } else if (text[at] == '%') {
            at = behind("\n", at);
        } else if (text.compare(at, 2, "/*") == 0) {
            at = behind("*/", at + 2);
        } else {
            break;
        }
    }
    return at;
}

bool is_plain_name(const std::string& name) {
    constexpr std::string_view extension = ".mzn";
    if (!name.ends_with(extension) || name.size() == extension.size()) return false;
    const std::string stem = name.substr(0, name.size() - extension.size());
    return std::ranges::all_of(stem, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

bool is_identifier(const std::string& name) {
    return !name.empty() && is_letter(name.front()) &&
           std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c); });
}

// How long the word, the string or the sign is that the text begins with; 0 where values have none such.
std::size_t literal(std::string_view text) {
    if (is_letter(text.front())) {
        std::size_t end = 0;
        while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
        const std::string_view word = text.substr(0, end);
        return word == "true" || word == "false" ? end : 0;
    }
    if (text.front() == '"') {
        const std::size_t end = text.find_first_of("\"\\\n", 1);
        return end != std::string_view::npos && text[end] == '"' ? end + 1 : 0;
    }
    return is_digit(text.front()) || std::string_view(" \n-.,|[]{}").find(text.front()) != text.npos ? 1 : 0;
}

Place place_of(const std::string& text, std::size_t at, const std::string& title) {
    const std::string before = text.substr(0, at);
    const auto line = 1 + std::ranges::count(before, '\n');
    const std::size_t start = before.rfind('\n') + 1;  // 0 where there is none
    return {title, static_cast<int>(line), static_cast<int>(at - start) + 1};
}

}  // namespace

void require_plain_includes(const std::string& text, const std::string& title) {
    constexpr std::string_view keyword = "include";
    for (std::size_t at = text.find(keyword); at != std::string::npos; at = text.find(keyword, at + 1)) {
        if (at > 0 && is_letter(text[at - 1])) continue;
        const std::size_t begin = next_token(text, at + keyword.size());
        if (begin == text.size() || text[begin] != '"') continue;
        const std::size_t end = std::min(text.find('"', begin + 1), text.size());
        const std::string name = text.substr(begin + 1, end - begin - 1);
        if (!is_plain_name(name))
            throw Error(
                place_of(text, at, title), fmt::format("\"{}\" cannot be included here", name),
                "include only library files of MiniZinc or Zermelo by name, for example \"zermelo.mzn\"");
    }
}

void require_plain(const std::string& definition) {
    const std::size_t equals = std::min(definition.find('='), definition.size());
    const std::string name = definition.substr(0, equals);
    const auto refuse = [&](const std::string& why) {
        throw Refusal(422, fmt::format("the parameter {}: {}", name.substr(0, 40), why));
    };
    if (!is_identifier(name)) refuse("the name is not an identifier");
    const std::string_view value =
        std::string_view(definition).substr(std::min(equals + 1, definition.size()));
    if (std::ranges::all_of(value, is_blank)) refuse("a value is missing");
    for (std::size_t at = 0; at < value.size();) {
        const std::size_t length = literal(value.substr(at));
        if (length == 0)
            refuse("write a number, true, false, a text in quotation marks, or an array or a set of these");
        at += length;
    }
}

}  // namespace zermelo::web
