// The language of the person: English, or French where the environment asks for it (LC_ALL, LC_MESSAGES, LANG).
//
// Messages are made deep in libraries, as finished sentences in English; a catalogue by message identifiers, as gettext
// keeps it, would need a call at each of these places, and files to be installed and found. So the catalogue here holds
// sentences with gaps, and a sentence is translated where it is printed: by the entry whose English side fits it with the
// most letters of its own, with what stands in the gaps put into the French side. What no entry fits stays in English. A look takes a few
// microseconds, and is taken once a message.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace zermelo::cli {

enum class Tongue { english, french };

// Read from the environment once.
[[nodiscard]] Tongue tongue();

// The gaps of an English side: {} for a text that stays, {t} for one that is translated itself, {n} for numbers, which
// are set in groups with blanks. {1}, {2}, … of the French side are what stood in the gaps, in their order.
struct Sentence {
    std::string_view english;
    std::string_view french;
};

[[nodiscard]] std::span<const Sentence> french_mistakes();
[[nodiscard]] std::span<const Sentence> french_verdicts();
[[nodiscard]] std::span<const Sentence> french_reports();
[[nodiscard]] std::span<const Sentence> french_commands();
[[nodiscard]] std::span<const Sentence> french_options();

// The text in French, or the text itself where no sentence fits.
[[nodiscard]] std::string in_french(const std::string& text);
// In the language of the person.
[[nodiscard]] std::string spoken(const std::string& text);
// A cell of a table: words, or a number.
[[nodiscard]] std::string spoken_cell(const std::string& text);

}  // namespace zermelo::cli
