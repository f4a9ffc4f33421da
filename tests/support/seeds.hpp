// How many random cases a test draws.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace zermelo {

// Sanitized code is ten to fifty times as slow, and what sanitizers look for shows in few cases already.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

// 1 … n, or a tenth of them under a sanitizer. The environment variable ZERMELO_SEEDS asks for so many times as many,
// for campaigns. Expect shares of what was drawn, not numbers.
inline std::vector<std::uint64_t> seeds(std::size_t n) {
    if (sanitized) n = std::max<std::size_t>(1, n / 10);
    if (const char* times = std::getenv("ZERMELO_SEEDS")) n *= std::strtoull(times, nullptr, 10);
    std::vector<std::uint64_t> all(n);
    for (std::size_t i = 0; i < n; ++i) all[i] = i + 1;
    return all;
}

}  // namespace zermelo
