// Pictures and other results of `show`: to a file, drawn by Graphviz where its name asks for it.

#pragma once

#include <string>

namespace zermelo::cli {

// .svg, .png and .pdf, which Graphviz draws from DOT.
[[nodiscard]] bool is_drawing(const std::string& file);

// Runs the program `dot`; throws Error when it is missing or fails. `file` says by its ending what comes out.
[[nodiscard]] std::string drawn(const std::string& dot, const std::string& file);

// Throws Error where it cannot be written.
void write_whole(const std::string& file, const std::string& contents);

}  // namespace zermelo::cli
