// A state as text for a terminal, a relation a line, and relations that look like a board as one.

#pragma once

#include <string>
#include <vector>

namespace zermelo::gdl {

// Facts such as (cell 2 3 x): a relation with two numbers and a thing in all its facts, and no place named twice.
[[nodiscard]] std::string board(const std::vector<std::string>& facts);

}  // namespace zermelo::gdl
