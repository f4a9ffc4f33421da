// What the words of the MiniZinc dialect of quantifiers mean: read from the library that the compiler reads, so that
// there is one place where it is said.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace zermelo::lsp {

struct MiniZincWord {
    std::string name;
    std::vector<std::string> forms;  // some(int: level, var int: x, set of int: D)
    std::string meaning;
};

// The predicates, functions and annotations of zermelo.mzn that are meant for modellers; none where the library is
// not installed.
[[nodiscard]] const std::vector<MiniZincWord>& minizinc_words();
[[nodiscard]] std::vector<MiniZincWord> read_minizinc_words(std::string_view library);

[[nodiscard]] bool is_minizinc_keyword(std::string_view word);
[[nodiscard]] const std::vector<std::string>& minizinc_keywords();

}  // namespace zermelo::lsp
