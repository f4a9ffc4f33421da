// What --help, `zermelo help` and the pages for man(1) print, in the language of the person.

#pragma once

#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}

namespace zermelo::cli {

// Lays help out as CLI11 does, with its words and ours translated.
[[nodiscard]] std::shared_ptr<CLI::FormatterBase> spoken_formatter();

// What a subcommand or an option does; the default in brackets at its end is translated by itself.
[[nodiscard]] std::string spoken_description(const std::string& text);
// Examples, line by line.
[[nodiscard]] std::string spoken_lines(const std::string& text);

}  // namespace zermelo::cli
