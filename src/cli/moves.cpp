#include "cli/moves.hpp"

#include <array>

#include "cli/usage/language.hpp"

namespace zermelo::cli {

namespace {

constexpr std::array<std::pair<const char*, const char*>, 2> typed_signs = {{{"–", "-"}, {"×", "x"}}};

// The only one that is written so; nothing if there is none, or several.
std::optional<std::size_t> only_one(const std::vector<std::string>& moves, const std::string& text) {
    std::optional<std::size_t> found;
    for (std::size_t m = 0; m < moves.size(); ++m) {
        if (plain(moves[m]) != plain(text)) continue;
        if (found) return std::nullopt;
        found = m;
    }
    return found;
}

}  // namespace

std::string plain(const std::string& text) {
    std::istringstream words(text);
    std::string result;
    for (std::string word; words >> word;) {
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        for (const auto& [sign, typed] : typed_signs) {
            for (std::size_t at = 0; (at = word.find(sign, at)) != std::string::npos;)
                word.replace(at, std::string_view(sign).size(), typed);
        }
        result += (result.empty() ? "" : " ") + word;
    }
    return result;
}

catalogue::Speech speech_of(const std::string& file) {
    return {catalogue::hints_beside(file), tongue() == Tongue::french ? "fr" : "en"};
}

std::optional<std::size_t> find_move(const std::vector<std::string>& names, const std::string& text,
                                     const catalogue::Speech& speech) {
    const auto exact = std::ranges::find(names, text);
    if (exact != names.end()) return static_cast<std::size_t>(exact - names.begin());
    if (const auto named = only_one(names, text)) return named;
    std::vector<std::string> said;
    for (const std::string& name : names) said.push_back(speech.say(name));
    return only_one(said, text);
}

}  // namespace zermelo::cli
