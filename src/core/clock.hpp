// Wall-clock time, by the clock that is never set: how long something has taken, in seconds.

#pragma once

#include <chrono>

namespace zermelo {

[[nodiscard]] inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

[[nodiscard]] inline std::chrono::steady_clock::duration clock_duration(double seconds) {
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
}

}  // namespace zermelo
