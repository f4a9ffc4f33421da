#include "core/limits.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>

#include "core/clock.hpp"

namespace zermelo {

namespace {

std::atomic<bool> interrupted{false};
std::atomic<std::int64_t> interrupted_at{0};  // milliseconds
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<std::int64_t>::is_always_lock_free,
              "the signal handler may only touch lock-free state");

thread_local const std::atomic<bool>* cancelled = nullptr;
thread_local int ignoring_interrupts = 0;

// A signal may arrive twice, once for the process and once for its group: within this time it is one request
// (milliseconds).
constexpr std::int64_t same_request = 500;

void on_interrupt(int signal) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const std::int64_t milliseconds = now.tv_sec * 1000 + now.tv_nsec / 1'000'000;
    if (!interrupted.exchange(true)) {
        interrupted_at = milliseconds;
    } else if (milliseconds - interrupted_at > same_request) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

thread_local const Limits* limits_of_thread = nullptr;

// Reading the resident size costs some microseconds.
constexpr auto between_memory_checks = std::chrono::milliseconds(1);

bool take_one(std::atomic<std::uint64_t>& left) {
    std::uint64_t before = left;
    while (before > 0 && !left.compare_exchange_weak(before, before - 1)) {
    }
    return before > 0;
}

}  // namespace

const char* describe(Stop stop) {
    switch (stop) {
        case Stop::none:
            return "finished";
        case Stop::time:
            return "time limit reached";
        case Stop::memory:
            return "memory limit reached";
        case Stop::interrupted:
            return "interrupted";
    }
    return "";
}

Limits::Limits(std::optional<double> seconds, std::optional<std::size_t> bytes) : memory_(bytes) {
    if (seconds) {
        deadline_ = Clock::now() + clock_duration(*seconds);
    }
}

// Threads may share limits: what is kept of earlier answers is read and written atomically.
Stop Limits::reached() const {
    constexpr auto relaxed = std::memory_order_relaxed;
    const std::atomic_ref kept(stop_);
    if (const Stop before = kept.load(relaxed); before != Stop::none) return before;
    const auto ask = [&] {
        if (interrupted.load(relaxed) && ignoring_interrupts == 0) return Stop::interrupted;
        if (cancelled != nullptr && cancelled->load(relaxed)) return Stop::interrupted;
        if (questions_left_ && !take_one(*questions_left_)) return Stop::time;
        if (!deadline_ && !memory_) return Stop::none;
        const auto now = Clock::now();
        if (deadline_ && now >= *deadline_) return Stop::time;
        if (const std::atomic_ref next(next_memory_check_); memory_ && now >= next.load(relaxed)) {
            next.store(now + between_memory_checks, relaxed);
            if (resident_bytes() > *memory_) return Stop::memory;
        }
        return Stop::none;
    };
    const Stop stop = ask();
    if (stop != Stop::none) kept.store(stop, relaxed);
    return stop;
}

Limits Limits::after_questions(std::uint64_t questions) {
    Limits limits;
    limits.questions_left_ = std::make_shared<std::atomic<std::uint64_t>>(questions);
    return limits;
}

bool Limits::allow(std::size_t bytes) const { return !memory_ || resident_bytes() + bytes <= *memory_; }

LimitScope::LimitScope(const Limits& limits) : before_(limits_of_thread) { limits_of_thread = &limits; }

LimitScope::~LimitScope() { limits_of_thread = before_; }

std::optional<std::size_t> memory_of_scope() {
    return limits_of_thread != nullptr ? limits_of_thread->memory() : std::nullopt;
}

void stay_within_limits(const char* during, std::size_t more_bytes) {
    if (limits_of_thread == nullptr) return;
    const Limits& limits = *limits_of_thread;
    if (const Stop stop = limits.reached(); stop != Stop::none)
        throw LimitReached(stop, during, "raise the limit");
    if (more_bytes > 0 && !limits.allow(more_bytes))
        throw LimitReached(Stop::memory, during, "raise the limit");
}

Cancellable::Cancellable(const std::atomic<bool>* flag) : before_(cancelled) { cancelled = flag; }

Cancellable::~Cancellable() { cancelled = before_; }

const std::atomic<bool>* Cancellable::flag() { return cancelled; }

IgnoreInterrupts::IgnoreInterrupts() { ++ignoring_interrupts; }

IgnoreInterrupts::~IgnoreInterrupts() { --ignoring_interrupts; }

void catch_interrupts() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

std::size_t resident_bytes() {
    std::size_t total = 0;
    std::size_t resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%zu %zu", &total, &resident) != 2) resident = 0;
        std::fclose(file);
    }
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace zermelo
