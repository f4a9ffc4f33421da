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
thread_local int last_words = 0;

// Programs that stop others may send the same signal to a process and to its group: that is still one
// request.
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

// Reading the resident size costs a system call, so it is done once in so many questions.
constexpr std::uint32_t questions_per_memory_check = 256;

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

Stop Limits::reached() const {
    if (stop_ != Stop::none) return stop_;
    if (interrupted.load(std::memory_order_relaxed) && last_words == 0) return stop_ = Stop::interrupted;
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) return stop_ = Stop::interrupted;
    if (deadline_ && Clock::now() >= *deadline_) return stop_ = Stop::time;
    if (memory_ && asked_++ % questions_per_memory_check == 0 && resident_bytes() > *memory_) {
        return stop_ = Stop::memory;
    }
    return Stop::none;
}

Cancellable::Cancellable(const std::atomic<bool>* flag) : before_(cancelled) { cancelled = flag; }

Cancellable::~Cancellable() { cancelled = before_; }

const std::atomic<bool>* Cancellable::flag() { return cancelled; }

IgnoreInterrupts::IgnoreInterrupts() { ++last_words; }

IgnoreInterrupts::~IgnoreInterrupts() { --last_words; }

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
