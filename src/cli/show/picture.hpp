// Pictures, drawn by Graphviz where the name of their file asks for it.

#pragma once

#include <string>

namespace zermelo::cli {

// .svg, .png and .pdf, which Graphviz draws from DOT.
[[nodiscard]] bool is_drawing(const std::string& file);

// Runs the program `dot`; throws Error when it is missing or fails. `file` says by its ending what comes out.
[[nodiscard]] std::string drawn(const std::string& dot, const std::string& file);

}  // namespace zermelo::cli
