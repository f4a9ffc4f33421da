#include "language/sentences.hpp"

#include <algorithm>
#include <array>
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

// Whether le, la, de, ne and que lose their vowel before this word: it begins with a vowel, or with an h that is not
// sounded. The sounded ones are most that begin with ha, and a few more. A single letter is a name, and is spelt.
bool takes_elision(std::string_view word) {
    constexpr std::array<std::string_view, 17> vowels = {"a", "e", "i", "o", "u", "à", "â", "æ", "é",
                                                         "è", "ê", "ë", "î", "ï", "ô", "œ", "û"};
    constexpr std::array<std::string_view, 3> mute = {"hab", "harm", "haleine"};
    constexpr std::array<std::string_view, 8> sounded = {"ha",   "hex",    "huit", "héros",
                                                         "hors", "hockey", "onze", "oui"};
    std::string lower(word);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto begins = [&](std::string_view with) { return lower.starts_with(with); };
    if (word.size() < 2 || word[1] == ' ') return false;
    if (std::ranges::any_of(mute, begins)) return true;
    if (std::ranges::any_of(sounded, begins)) return false;
    return begins("h") || std::ranges::any_of(vowels, begins);
}

// Puts the word after what is said: « plan de » and « alice » make « plan d'alice ».
void append(std::string& text, const std::string& word) {
    static constexpr std::array<std::string_view, 5> short_words = {"le", "la", "de", "ne", "que"};
    const auto ends_in = [&](std::string_view short_word) {
        const std::size_t size = short_word.size() + 1;
        return text.size() >= size && text.back() == ' ' &&
               text.compare(text.size() - size, size - 1, short_word) == 0 &&
               (text.size() == size || text[text.size() - size - 1] == ' ');
    };
    if (takes_elision(word) && std::ranges::any_of(short_words, ends_in)) {
        text.resize(text.size() - 2);
        text += '\'';
    }
    text += word;
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
        append(text, kind == 't' ? in_french(value) : kind == 'n' ? number_in_french(value) : value);
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
