// Numbers and nouns as people read them.

#pragma once

#include <cstdint>
#include <string>

namespace zermelo {

[[nodiscard]] std::string seconds_text(double seconds);                                // 0.03 s
[[nodiscard]] std::string count_text(std::uint64_t number);                            // 1,234,567
[[nodiscard]] std::string plural(const std::string& number, const std::string& noun);  // 1 node, 2 nodes

}  // namespace zermelo
