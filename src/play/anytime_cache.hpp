// AnytimeCache: something about a game that is found once, by the first who asks, and shared by all.
//
// How good it becomes depends on the time that there was, so it is made anew for somebody who has much more
// time. What is interrupted is not kept; what was handed out stays where it is. Any number of threads may
// ask.

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

    // What there is; or make(seconds), with at most `most_seconds` where there is a deadline, and infinity
    // where there is none. `otherwise` while somebody else is at it and the deadline comes, or where it is
    // interrupted.
    template <class Make>
    [[nodiscard]] const T& get(const Deadline& deadline, double most_seconds, const T& otherwise, Make make) {
        constexpr double much_more = 4;
        std::unique_lock lock(mutex_, std::defer_lock);
        const T* before = latest_;
        if (!deadline.set()) {
            lock.lock();
        } else {
            // Who has something already does not wait for something better.
            const double patience = before != nullptr ? 0 : std::max(0.0, deadline.left());
            if (!lock.try_lock_for(std::chrono::duration<double>(patience)))
                return before != nullptr ? *before : otherwise;
        }
        const double seconds = deadline.set() ? std::min(most_seconds, std::max(0.0, deadline.left()))
                                              : std::numeric_limits<double>::infinity();
        if (all_.empty() || seconds > much_more * seconds_) {
            Attempt attempt = make(seconds);
            Deadline::begin_asking();  // that was no pause
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
