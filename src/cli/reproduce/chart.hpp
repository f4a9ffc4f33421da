// Figures of papers again: the columns of a table as curves over its rows, the vertical axis logarithmic.

#pragma once

#include "cli/reproduce/reproduce.hpp"

namespace zermelo::cli {

// A picture that needs nothing else. The titles of the rows are numbers, and the table has a figure's axes.
[[nodiscard]] std::string chart(const Reproduced& table);

}  // namespace zermelo::cli
