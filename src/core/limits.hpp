// Resource limits and cooperative cancellation. Every loop that can be long asks `limits.reached()`.
//
// Work ends early for one of three reasons: a deadline, a memory budget for the whole process, or Ctrl-C.
// Besides, a thread can be given a flag that cancels its work. The answer is sticky, so that all levels of a
// recursion unwind for the same reason. A Limits belongs to one thread.
//
// Whoever makes a large allocation asks first whether the budget allows it. Loops of set-up that are not handed
// limits obey those of the innermost LimitScope of their thread.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace zermelo {

enum class Stop { none, time, memory, interrupted };

[[nodiscard]] const char* describe(Stop stop);

class Limits {
public:
    Limits() = default;  // only Ctrl-C ends the work

    // `seconds` from now; `bytes` of resident memory for the process.
    Limits(std::optional<double> seconds, std::optional<std::size_t> bytes);

    // The time is over when it and its copies have been asked so often: for tests.
    [[nodiscard]] static Limits after_questions(std::uint64_t questions);

    [[nodiscard]] Stop reached() const;
    [[nodiscard]] std::optional<std::size_t> memory() const { return memory_; }
    // Whether the process may use so many bytes more than it does now.
    [[nodiscard]] bool allow(std::size_t bytes) const;

private:
    std::optional<Clock::time_point> deadline_;
    std::optional<std::size_t> memory_;
    std::shared_ptr<std::atomic<std::uint64_t>> questions_left_;  // null: any number
    mutable Stop stop_ = Stop::none;
    mutable Clock::time_point next_memory_check_;
};

// While it lives, stay_within_limits() of this thread obeys these limits, which must outlive it.
class LimitScope {
public:
    explicit LimitScope(const Limits& limits);
    ~LimitScope();
    LimitScope(const LimitScope&) = delete;
    LimitScope& operator=(const LimitScope&) = delete;

private:
    const Limits* before_;
};

// The memory budget of the innermost LimitScope, for threads that work for this one.
[[nodiscard]] std::optional<std::size_t> memory_of_scope();

// For loops of set-up, and before large allocations: throws LimitReached where the limits of the innermost LimitScope are
// reached, or so many bytes more are too many. Without a scope it asks nothing. `during` is a phrase, "while …".
void stay_within_limits(const char* during, std::size_t more_bytes = 0);

// Before `more` elements are added: a large array asks before it grows.
template <class Vector>
void ask_to_grow(const Vector& vector, const char* during, std::size_t more = 1) {
    constexpr std::size_t large = std::size_t{1} << 20;
    const std::size_t bytes = vector.capacity() * sizeof(typename Vector::value_type);
    if (vector.size() + more <= vector.capacity() || bytes < large) return;
    stay_within_limits(during, 2 * bytes);
}

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
