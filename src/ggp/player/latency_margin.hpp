// Latency margin: how long before the end of a clock an answer has to leave, measured.
//
// The manager's clock runs while its request travels to us and our answer back. What we can measure is the
// round trip time of the connection, and the delay from an answer's being due to its being sent, on a machine
// that may be busy. The margin is a fixed part, twice the round trip, and twice the longest recent delay,
// with exponential decay.

#pragma once

#include <algorithm>
#include <mutex>

namespace zermelo::ggp {

class LatencyMargin {
public:
    // Seconds before the end of a clock of so many seconds.
    [[nodiscard]] double margin(double clock, double round_trip) const {
        const std::lock_guard lock(mutex_);
        return std::min(least + 2 * round_trip + 2 * longest_, most_share * clock);
    }
    // An answer left so many seconds after it was due.
    void left(double seconds_late) {
        const std::lock_guard lock(mutex_);
        longest_ = std::max(seconds_late, kept * longest_);
    }

private:
    static constexpr double least = 0.12;  // seconds
    static constexpr double most_share = 0.3;
    static constexpr double kept = 0.95;  // of the longest delay, at every answer

    mutable std::mutex mutex_;
    double longest_ = 0.005;
};

}  // namespace zermelo::ggp
