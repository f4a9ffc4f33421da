// Lint (Johnson 1978): what the specification allows, but the author has hardly meant.
//
// Names that are used and never given, or given and never used; names that occur once and differ by one letter from
// another; roles without a legal move or a goal. From the text alone; nothing is grounded.

#pragma once

#include "gdl/syntax/check.hpp"

namespace zermelo::gdl {

// Warnings and notes, in the order of the text.
[[nodiscard]] std::vector<Finding> lint(const Description& game);

}  // namespace zermelo::gdl
