// Parser and printer of GDL in KIF syntax, as it is found in the wild: comments, any case, `or`, nested
// `and`, long and deeply nested files.

#pragma once

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

// Throws Error with line and column.
[[nodiscard]] Description parse(std::string_view text, const std::string& file);
[[nodiscard]] Description read(const std::string& file);

[[nodiscard]] std::string text(const Description& game, const Rule& rule);
[[nodiscard]] std::string text(const Symbols& symbols, const Term& term,
                               const std::vector<std::string>* variables = nullptr);
[[nodiscard]] std::string text(const Symbols& symbols, const Atom& atom,
                               const std::vector<std::string>* variables = nullptr);

// Pretty-prints the text; comments stay with their rules, and parsing the result gives the same rules.
[[nodiscard]] std::string format(std::string_view text, const std::string& file);

}  // namespace zermelo::gdl
