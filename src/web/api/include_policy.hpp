// Include policy: what a MiniZinc text that a client sent may contain.
//
// MiniZinc reads files by `include` alone. A text may include what MiniZinc and Zermelo offer, by a plain
// name such as "zermelo.mzn"; a path is refused wherever the words stand, because only MiniZinc's lexer knows
// whether they stand in a comment or in a string.

#pragma once

#include <string>

namespace zermelo::web {

// Throws Error that names the place.
void require_plain_includes(const std::string& text, const std::string& title);

// name=value, where the name is an identifier and the value is made of numbers, true, false and strings, in
// sets and arrays perhaps. Throws Refusal 422.
void require_plain(const std::string& definition);

}  // namespace zermelo::web
