// The clock of limits, deadlines and measurements: wall-clock time, by the clock that is never set, or, once a program asks
// for it, the CPU time of this process. The latter is for programs that compute on one thread and wait for nobody: other
// work of the machine then takes no time from them.

#pragma once

#include <atomic>
#include <chrono>
#include <ctime>

namespace zermelo {

class Clock {
public:
    using duration = std::chrono::steady_clock::duration;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::steady_clock::time_point;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() {
        return counts_cpu_time_.load(std::memory_order_relaxed) ? cpu_time()
                                                                : std::chrono::steady_clock::now();
    }

    // From now on in the whole process, until told otherwise; earlier points of time mean nothing any more.
    static void count_cpu_time(bool on) { counts_cpu_time_.store(on, std::memory_order_relaxed); }

private:
    [[nodiscard]] static time_point cpu_time() {
        timespec spent{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
        // An hour ahead, so that every point is later than the default one.
        return time_point(std::chrono::hours(1) + std::chrono::seconds(spent.tv_sec) +
                          std::chrono::nanoseconds(spent.tv_nsec));
    }

    static inline std::atomic<bool> counts_cpu_time_ = false;
};

[[nodiscard]] inline double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

[[nodiscard]] inline Clock::duration clock_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace zermelo
