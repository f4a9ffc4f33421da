#include "language/sentences.hpp"

#include <cctype>
#include <utility>
#include <vector>

namespace zermelo::language {

namespace {

constexpr std::string_view narrow_blank = "\u202f";

// 1,000,000 with blanks between the groups.
std::string number_in_french(std::string_view number) {
    std::string text;
    for (std::size_t i = 0; i < number.size(); ++i) {
        const bool group = number[i] == ',' && i + 1 < number.size() &&
                           std::isdigit(static_cast<unsigned char>(number[i + 1])) != 0;
        if (group) {
            text += narrow_blank;
        } else {
            text += number[i] == '.' ? ',' : number[i];
        }
    }
    return text;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789,.-") == std::string_view::npos;
}

// What stands in the gaps of the pattern, from `at` on; nothing where the pattern does not fit. The shortest texts that
// fit are taken.
bool fits(std::string_view pattern, std::string_view text, std::vector<std::pair<char, std::string>>& gaps) {
    const std::size_t open = pattern.find('{');
    const std::string_view plain = pattern.substr(0, open);
    if (!text.starts_with(plain)) return false;
    if (open == std::string_view::npos) return text.size() == plain.size();
    text.remove_prefix(plain.size());
    const std::size_t close = pattern.find('}', open);
    const char kind = close == open + 1 ? ' ' : pattern[open + 1];
    const std::string_view rest = pattern.substr(close + 1);
    const std::size_t next = rest.find('{');
    // If a gap that takes any text comes next, it would take what a longer gap here takes more.
    const bool only_chance = next != std::string_view::npos && rest[next + 1] != 'n';
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const std::string_view gap = text.substr(0, length);
        if (kind == 'n' && !is_number(gap)) continue;
        if (!text.substr(length).starts_with(rest.substr(0, next))) continue;
        gaps.emplace_back(kind, gap);
        if (fits(rest, text.substr(length), gaps)) return true;
        gaps.pop_back();
        if (only_chance) return false;
    }
    return false;
}

// Of the pattern, without its gaps.
std::size_t own_letters(std::string_view pattern) {
    std::size_t count = 0;
    bool inside = false;
    for (const char c : pattern) {
        if (c == '{') inside = true;
        count += inside ? 0 : 1;
        if (c == '}') inside = false;
    }
    return count;
}

std::string filled(std::string_view french, const std::vector<std::pair<char, std::string>>& gaps) {
    std::string text;
    for (std::size_t at = 0; at < french.size();) {
        const bool gap = french[at] == '{' && at + 2 < french.size() && french[at + 2] == '}';
        if (!gap) {
            text += french[at++];
            continue;
        }
        const auto number = static_cast<std::size_t>(french[at + 1] - '1');
        at += 3;
        if (number >= gaps.size()) continue;
        const auto& [kind, value] = gaps[number];
        text += kind == 't' ? in_french(value) : kind == 'n' ? number_in_french(value) : value;
    }
    return text;
}

}  // namespace

std::string in_french(const std::string& text) {
    constexpr std::size_t longest = 2000;  // a sentence that somebody wrote; not a file
    if (text.empty() || text.size() > longest) return text;
    // A verdict — and how it was found.
    constexpr std::string_view dash = " — ";
    if (const std::size_t at = text.find(dash); at != std::string::npos)
        return in_french(text.substr(0, at)) + std::string(dash) + in_french(text.substr(at + dash.size()));
    std::string best = text;
    std::size_t most = 0;
    for (const auto& sentences :
         {french_mistakes(), french_rules(), french_models(), french_graphs(), french_verdicts(),
          french_reports(), french_page(), french_editor(), french_commands(), french_options()}) {
        for (const Sentence& sentence : sentences) {
            std::vector<std::pair<char, std::string>> gaps;
            const std::size_t letters = own_letters(sentence.english);
            if (letters <= most || !fits(sentence.english, text, gaps)) continue;
            most = letters;
            best = filled(sentence.french, gaps);
        }
    }
    return best;
}

std::string cell_in_french(const std::string& text) {
    return is_number(text) ? number_in_french(text) : in_french(text);
}

std::string in_tongue(Tongue tongue, const std::string& text) {
    return tongue == Tongue::french ? in_french(text) : text;
}

const char* between_sentences(Tongue tongue) { return tongue == Tongue::french ? "\u00a0; " : "; "; }

}  // namespace zermelo::language
