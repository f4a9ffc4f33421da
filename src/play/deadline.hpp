// Deadline: until when a player may think. Every loop of a player asks it, so a move is never late; Ctrl-C
// ends thinking too. One copy a thread.

#pragma once

#include <chrono>
#include <optional>

#include "core/limits.hpp"

namespace zermelo::play {

class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    Deadline() = default;  // only Ctrl-C
    explicit Deadline(Clock::time_point until) : until_(until) {}
    [[nodiscard]] static Deadline in(double seconds) { return Deadline(Clock::now() + duration(seconds)); }

    [[nodiscard]] bool set() const { return until_.has_value(); }
    [[nodiscard]] bool passed() const {
        return (until_ && Clock::now() >= *until_) || interrupt_.reached() != Stop::none;
    }
    // Seconds, if it is set; an hour otherwise.
    [[nodiscard]] double left() const {
        return until_ ? std::chrono::duration<double>(*until_ - Clock::now()).count() : 3600.0;
    }
    // The same deadline, so many seconds earlier.
    [[nodiscard]] Deadline less(double seconds) const {
        return until_ ? Deadline(*until_ - duration(seconds)) : Deadline();
    }
    // After this part of the time that is left.
    [[nodiscard]] Deadline part(double share) const { return until_ ? in(left() * share) : Deadline(); }

private:
    [[nodiscard]] static Clock::duration duration(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    std::optional<Clock::time_point> until_;
    Limits interrupt_;
};

}  // namespace zermelo::play
