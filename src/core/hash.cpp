#include "core/hash.hpp"

#include <fmt/format.h>

#include <charconv>

namespace zermelo {

std::string hex(const Hash128& hash) { return fmt::format("{:016x}{:016x}", hash.high, hash.low); }

std::optional<Hash128> read_hex(std::string_view digits) {
    constexpr std::size_t digits_a_word = 16;
    if (digits.size() != 2 * digits_a_word) return std::nullopt;
    const auto read = [&](std::size_t from, std::uint64_t& word) {
        const char* end = digits.data() + from + digits_a_word;
        return std::from_chars(digits.data() + from, end, word, 16).ptr == end;
    };
    Hash128 hash;
    if (!read(0, hash.high) || !read(digits_a_word, hash.low)) return std::nullopt;
    return hash;
}

}  // namespace zermelo
