// The sentences that people are told, in English and in French.
//
// Messages are made deep in libraries, as finished sentences in English; a catalogue by message identifiers, as gettext
// keeps it, would need a call at each of these places, and files to be installed and found. So the catalogue here holds
// sentences with gaps, and a sentence is translated where it is shown: by the entry whose English side fits it with the
// most letters of its own, with what stands in the gaps put into the French side. What no entry fits stays in English. A
// look takes a few microseconds, and is taken once a message.

#pragma once

#include <span>
#include <string>
#include <string_view>

namespace zermelo::language {

enum class Tongue { english, french };

// The gaps of an English side: {} for a text that stays, {t} for one that is translated itself, {n} for numbers, which
// are set in groups with blanks. {1}, {2}, … of the French side are what stood in the gaps, in their order.
struct Sentence {
    std::string_view english;
    std::string_view french;
};

[[nodiscard]] std::span<const Sentence> french_mistakes();
[[nodiscard]] std::span<const Sentence> french_rules();
[[nodiscard]] std::span<const Sentence> french_models();
[[nodiscard]] std::span<const Sentence> french_graphs();
[[nodiscard]] std::span<const Sentence> french_verdicts();
[[nodiscard]] std::span<const Sentence> french_reports();
[[nodiscard]] std::span<const Sentence> french_page();
[[nodiscard]] std::span<const Sentence> french_editor();
[[nodiscard]] std::span<const Sentence> french_commands();
[[nodiscard]] std::span<const Sentence> french_options();

// The text in French, or the text itself where no sentence fits.
[[nodiscard]] std::string in_french(const std::string& text);
// A cell of a table: words, or a number.
[[nodiscard]] std::string cell_in_french(const std::string& text);
[[nodiscard]] std::string in_tongue(Tongue tongue, const std::string& text);
// What is wrong; what to do.
[[nodiscard]] const char* between_sentences(Tongue tongue);

}  // namespace zermelo::language
