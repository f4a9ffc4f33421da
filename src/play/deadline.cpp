#include "play/deadline.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace zermelo::play {

namespace {

constexpr double half_life = 10;  // seconds

struct Pauses {
    std::mutex mutex;
    double longest = 0;
    Deadline::Clock::time_point when;

    [[nodiscard]] double faded(Deadline::Clock::time_point now) const {
        const double since = std::chrono::duration<double>(now - when).count();
        return longest * std::exp2(-std::max(0.0, since) / half_life);
    }
};

Pauses& pauses() {
    static Pauses all;
    return all;
}

}  // namespace

thread_local Deadline::Clock::time_point Deadline::last_poll_{};

double Deadline::longest_pause() {
    Pauses& all = pauses();
    const std::lock_guard lock(all.mutex);
    return all.faded(Clock::now());
}

void Deadline::note_pause(double seconds) {
    Pauses& all = pauses();
    const std::lock_guard lock(all.mutex);
    const auto now = Clock::now();
    all.longest = std::max(all.faded(now), seconds);
    all.when = now;
}

}  // namespace zermelo::play
