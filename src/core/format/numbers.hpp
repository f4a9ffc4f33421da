// Numbers as a person writes them: a number that is a whole text, and amounts of memory such as 64M.

#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace zermelo {

// The number that the text is, from its first to its last character; nothing where it is none, does not fit
// the type, or is not finite.
template <class Number>
[[nodiscard]] std::optional<Number> read_number(std::string_view text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc() || stop != end) return std::nullopt;
    if constexpr (std::floating_point<Number>) {
        if (!std::isfinite(number)) return std::nullopt;
    }
    return number;
}

// Bytes: 1000, 64K, 64M, 1.5G, in powers of 1024. A number without a letter is bytes. Nothing where the text
// is no such amount, or one that a word of 64 bits cannot hold.
[[nodiscard]] std::optional<std::uint64_t> read_size(std::string_view text);

}  // namespace zermelo
