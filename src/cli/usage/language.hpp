// The language of the person: English, or French where the environment asks for it (LC_ALL, LC_MESSAGES, LANG).

#pragma once

#include <string>

#include "language/sentences.hpp"

namespace zermelo::cli {

using language::in_french;
using language::Tongue;

// Read from the environment once.
[[nodiscard]] Tongue tongue();

// In the language of the person.
[[nodiscard]] std::string spoken(const std::string& text);
// A cell of a table: words, or a number.
[[nodiscard]] std::string spoken_cell(const std::string& text);

}  // namespace zermelo::cli
