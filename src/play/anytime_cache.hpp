// Anytime cache: a result of an anytime computation (Dean and Boddy 1988), found by the first caller and
// shared by all.
//
// Its quality depends on the time there was, so it is computed anew for a caller that has much more time. An
// interrupted attempt is not kept; a result that was handed out stays at its address. Any number of threads
// may call it.

#pragma once

#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "play/deadline.hpp"

namespace zermelo::play {

template <class T>
class AnytimeCache {
public:
    struct Attempt {
        T result;
        bool complete;  // more time would not make it better
    };

    // The cached result; or make(seconds), with at most `most_seconds` where there is a deadline, and
    // infinity where there is none. `otherwise` if another thread is still computing at the deadline, or
    // where it is interrupted.
    template <class Make>
    [[nodiscard]] const T& get(const Deadline& deadline, double most_seconds, const T& otherwise, Make make) {
        constexpr double much_more = 4;
        std::unique_lock lock(mutex_, std::defer_lock);
        const T* before = latest_;
        if (!deadline.set()) {
            lock.lock();
        } else {
            // A caller that has a result already does not wait for a better one.
            const double wait = before != nullptr ? 0 : std::max(0.0, deadline.left());
            if (!lock.try_lock_for(std::chrono::duration<double>(wait)))
                return before != nullptr ? *before : otherwise;
        }
        const double seconds = deadline.set() ? std::min(most_seconds, std::max(0.0, deadline.left()))
                                              : std::numeric_limits<double>::infinity();
        if (all_.empty() || seconds > much_more * seconds_) {
            Attempt attempt = make(seconds);
            Deadline::begin_polling();  // that was no pause
            if (!attempt.complete && Limits().reached() != Stop::none)
                return before != nullptr ? *before : otherwise;
            seconds_ = attempt.complete ? std::numeric_limits<double>::infinity() : seconds;
            all_.push_back(std::make_unique<T>(std::move(attempt.result)));
            latest_ = all_.back().get();
        }
        return *all_.back();
    }

private:
    std::timed_mutex mutex_;
    double seconds_ = 0;  // that the last attempt had
    std::vector<std::unique_ptr<T>> all_;
    std::atomic<const T*> latest_ = nullptr;
};

}  // namespace zermelo::play
