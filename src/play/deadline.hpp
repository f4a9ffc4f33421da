// Deadline: until when a player may think. Every loop of a player polls it, so a move is never late; Ctrl-C
// ends thinking too. One copy a thread.
//
// Between two polls hardly any time passes, unless the machine is busy with something else. The longest such
// pauses of the last seconds tell how much must be left on the clock.

#pragma once

#include <chrono>
#include <optional>

#include "core/limits.hpp"

namespace zermelo::play {

class Deadline {
public:
    using Clock = zermelo::Clock;

    Deadline() = default;  // only Ctrl-C
    explicit Deadline(Clock::time_point until) : until_(until) {}
    [[nodiscard]] static Deadline in(double seconds) { return Deadline(Clock::now() + duration(seconds)); }

    [[nodiscard]] bool set() const { return until_.has_value(); }
    [[nodiscard]] bool passed() const {
        if (interrupt_.reached() != Stop::none) return true;
        if (!until_) return false;
        const auto now = Clock::now();
        if (watched_ && now - last_poll_ > short_pause && last_poll_ != Clock::time_point{})
            note_pause(std::chrono::duration<double>(now - last_poll_).count());
        last_poll_ = now;
        return now >= *until_;
    }
    // The longest pause between polls lately, in seconds; half of it after some seconds without one.
    [[nodiscard]] static double longest_pause();
    // This thread starts to poll; and has finished, perhaps after the deadline.
    static void begin_polling() { last_poll_ = Clock::now(); }
    void end_polling() const {
        if (until_ && Clock::now() > *until_) note_pause(-left());
    }
    // Seconds, if it is set; an hour otherwise.
    [[nodiscard]] double left() const {
        return until_ ? std::chrono::duration<double>(*until_ - Clock::now()).count() : 3600.0;
    }
    // The same deadline, so many seconds earlier.
    [[nodiscard]] Deadline less(double seconds) const {
        return ending(until_.value_or(Clock::time_point{}), -seconds);
    }
    // After this part of the time that is left.
    [[nodiscard]] Deadline part(double share) const { return ending(Clock::now(), left() * share); }
    // The same one, but pauses do not matter: nobody waits for an answer.
    [[nodiscard]] Deadline unwatched() const {
        Deadline same = *this;
        same.watched_ = false;
        return same;
    }

private:
    [[nodiscard]] static Clock::duration duration(double seconds) {
        return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    [[nodiscard]] Deadline ending(Clock::time_point from, double seconds) const {
        Deadline other;
        if (until_) other.until_ = from + duration(seconds);
        other.watched_ = watched_;
        return other;
    }

    static constexpr auto short_pause = std::chrono::milliseconds(1);
    static void note_pause(double seconds);

    static thread_local Clock::time_point last_poll_;
    std::optional<Clock::time_point> until_;
    bool watched_ = true;
    Limits interrupt_;
};

}  // namespace zermelo::play
