#include "core/format/numbers.hpp"

#include <limits>

namespace zermelo {

namespace {

// How many bits a letter shifts a number to the left.
int shift_of(char letter) {
    switch (letter) {
        case 'K':
            return 10;
        case 'M':
            return 20;
        case 'G':
            return 30;
        default:
            return 0;
    }
}

}  // namespace

std::optional<std::uint64_t> read_size(std::string_view text) {
    if (text.empty()) return std::nullopt;
    const int shift = shift_of(text.back());
    if (shift > 0) text.remove_suffix(1);
    if (const auto whole = read_number<std::uint64_t>(text)) {
        if (*whole > (std::numeric_limits<std::uint64_t>::max() >> shift)) return std::nullopt;
        return *whole << shift;
    }
    const auto number = read_number<double>(text);
    if (!number || *number < 0) return std::nullopt;
    const double bytes = std::ldexp(*number, shift);
    if (bytes >= 0x1p64) return std::nullopt;
    return static_cast<std::uint64_t>(bytes);
}

}  // namespace zermelo
