#include "core/format/text.hpp"

#include <fmt/format.h>

namespace zermelo {

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

std::string count_text(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string plural(const std::string& number, const std::string& noun) {
    return number + " " + noun + (number == "1" ? "" : "s");
}

}  // namespace zermelo
