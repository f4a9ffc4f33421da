// What the keywords of GDL (Love et al. 2008) and GDL-II (Thielscher 2010) mean, as an editor shows it.

#pragma once

#include <span>
#include <string_view>

namespace zermelo::lsp {

struct GdlWord {
    std::string_view name;
    std::string_view form;
    std::string_view meaning;
};

[[nodiscard]] std::span<const GdlWord> gdl_words();
// Null where the word is no keyword; upper and lower case are the same.
[[nodiscard]] const GdlWord* gdl_word(std::string_view name);

}  // namespace zermelo::lsp
