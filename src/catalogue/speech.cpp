#include "catalogue/speech.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <regex>

#include "catalogue/recognise.hpp"

namespace zermelo::catalogue {

namespace {

using nlohmann::json;

// Null where there is nothing at the end of the path.
const json& found_at(const json& object, std::initializer_list<std::string> path) {
    static const json nothing;
    const json* at = &object;
    for (const std::string& key : path) {
        if (!at->is_object() || !at->contains(key)) return nothing;
        at = &(*at)[key];
    }
    return *at;
}

// A name and its arguments, each as it is written.
std::vector<std::string> parts_of(const std::string& term) {
    if (!term.starts_with("(") || !term.ends_with(")")) return {term};
    std::vector<std::string> parts = terms_in(term.substr(1, term.size() - 2));
    if (parts.empty()) parts.emplace_back();
    return parts;
}

std::optional<std::string> letter_of(const std::string& number) {
    constexpr std::size_t longest = 2;  // digits
    if (number.empty() || number.size() > longest ||
        number.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    const int at = std::stoi(number);
    if (at < 1 || at > 26) return std::nullopt;
    return std::string(1, static_cast<char>('a' + at - 1));
}

}  // namespace

json hints_beside(const std::string& game) {
    std::ifstream file(std::filesystem::path(game).replace_extension(".hints.json"));
    json hints = json::parse(file, nullptr, false);
    return hints.is_object() ? hints : json::object();
}

Speech::Speech(json hints, std::string language) : hints_(std::move(hints)), language_(std::move(language)) {}

std::string Speech::say(const std::string& move) const {
    const std::vector<std::string> parts = parts_of(move);
    const std::string pattern = in_language(found_at(hints_, {"moves", parts.front()}));
    if (pattern.empty()) return move;
    static const std::regex place(R"(\{(\d{1,3})(:a)?\})");
    std::string said;
    std::size_t done = 0;
    for (std::sregex_iterator at(pattern.begin(), pattern.end(), place), end; at != end; ++at) {
        const auto from = static_cast<std::size_t>(at->position());
        const auto number = static_cast<std::size_t>(std::stoi((*at)[1]));
        said += pattern.substr(done, from - done);
        said += number >= 1 && number < parts.size() ? argument(parts[number], (*at)[2].matched) : at->str();
        done = from + static_cast<std::size_t>(at->length());
    }
    return said + pattern.substr(done);
}

std::string Speech::argument(const std::string& term, bool as_letter) const {
    const bool atom = !term.starts_with("(");
    if (atom && as_letter) {
        if (const auto letter = letter_of(term)) return *letter;
    }
    std::string said;
    if (atom) said = in_language(found_at(hints_, {"pieces", term, "title"}));
    if (atom && said.empty()) said = in_language(found_at(hints_, {"roles", term, "title"}));
    if (!said.empty()) return said;
    said = atom ? term : term.substr(1, term.size() - 2);
    std::ranges::replace(said, '_', ' ');
    return said;
}

// Text, or texts by language; empty where it is neither.
std::string Speech::in_language(const json& words) const {
    if (words.is_string()) return words.get<std::string>();
    for (const std::string& language : {language_, std::string("en")}) {
        const json& found = found_at(words, {language});
        if (found.is_string()) return found.get<std::string>();
    }
    return "";
}

}  // namespace zermelo::catalogue
