// Resource limits and cooperative cancellation. Every loop that can be long asks `limits.reached()`.
//
// Work ends early for one of three reasons: a deadline, a memory budget for the whole process, or Ctrl-C.
// Besides, a thread can be given a flag that cancels its work. The answer is sticky, so that all levels of a
// recursion unwind for the same reason. A Limits belongs to one thread.

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/error.hpp"

namespace zermelo {

enum class Stop { none, time, memory, interrupted };

[[nodiscard]] const char* describe(Stop stop);

class Limits {
public:
    Limits() = default;  // only Ctrl-C ends the work

    // `seconds` from now; `bytes` of resident memory for the process.
    Limits(std::optional<double> seconds, std::optional<std::size_t> bytes);

    [[nodiscard]] Stop reached() const;
    [[nodiscard]] std::optional<std::size_t> memory() const { return memory_; }

private:
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> deadline_;
    std::optional<std::size_t> memory_;
    mutable Stop stop_ = Stop::none;
    mutable std::uint32_t asked_ = 0;
};

// While it lives, all limits of this thread answer `interrupted` once the flag is set: for work whose result
// is no longer needed.
class Cancellable {
public:
    explicit Cancellable(const std::atomic<bool>& flag) : Cancellable(&flag) {}
    explicit Cancellable(const std::atomic<bool>* flag);  // null: nothing cancels it
    ~Cancellable();
    Cancellable(const Cancellable&) = delete;
    Cancellable& operator=(const Cancellable&) = delete;

    // The flag of this thread, to be passed on to a thread that works for it.
    [[nodiscard]] static const std::atomic<bool>* flag();

private:
    const std::atomic<bool>* before_;
};

// While it lives, Ctrl-C does not end the work of this thread: for reports and files that are still to be
// written.
class IgnoreInterrupts {
public:
    IgnoreInterrupts();
    ~IgnoreInterrupts();
    IgnoreInterrupts(const IgnoreInterrupts&) = delete;
    IgnoreInterrupts& operator=(const IgnoreInterrupts&) = delete;
};

// Thrown by work that has no partial answer to give when it has to stop.
class LimitReached : public Error {
public:
    LimitReached(Stop stop, const std::string& during, const std::string& remedy)
        : Error(std::string(describe(stop)) + " " + during, remedy), stop_(stop) {}
    [[nodiscard]] Stop stop() const { return stop_; }

private:
    Stop stop_;
};

// From now on Ctrl-C makes `reached()` answer `interrupted`; a second Ctrl-C ends the process at once.
void catch_interrupts();

[[nodiscard]] std::size_t resident_bytes();
[[nodiscard]] std::size_t peak_bytes();
[[nodiscard]] double cpu_seconds();

}  // namespace zermelo
