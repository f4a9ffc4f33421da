// The nearest name to a misspelt one, by the edit distance of Damerau (1964): letters left out, added, changed,
// or two neighbours swapped.

#pragma once

#include <optional>
#include <span>
#include <string>

namespace zermelo {

// No part of a word is edited twice (optimal string alignment). Upper and lower case are the same.
[[nodiscard]] std::size_t edit_distance(const std::string& a, const std::string& b);

// The first of the nearest names; none where all differ in more than a third of the letters.
[[nodiscard]] std::optional<std::string> nearest(const std::string& word, std::span<const std::string> names);

// "did you mean uct? ", or nothing: the beginning of a remedy.
[[nodiscard]] std::string did_you_mean(const std::string& word, std::span<const std::string> names);

}  // namespace zermelo
