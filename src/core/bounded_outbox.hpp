// Bounded outbox: results that a search wants to share with other processes, at a rate that it can afford.
//
// A result is worth sharing when enough work went into it. The threshold adapts: it doubles when the outbox
// is full before it was emptied, and halves when it was emptied almost unused. Every function may be called
// by any thread.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace zermelo {

template <class T>
class BoundedOutbox {
public:
    BoundedOutbox(std::uint64_t least_work, std::size_t most) : least_(least_work), most_(most) {}

    // Nothing is worth sharing before somebody reads the outbox.
    void enable(bool wanted) { threshold_ = wanted ? least_ : nothing; }
    [[nodiscard]] bool accepts(std::uint64_t work) const {
        return work >= threshold_.load(std::memory_order_relaxed);
    }
    void push(const T& result) {
        const std::lock_guard lock(mutex_);
        if (results_.size() == most_) return;
        results_.push_back(result);
        if (results_.size() == most_) threshold_ = threshold_ * 2;
    }
    // Empties the outbox.
    [[nodiscard]] std::vector<T> take() {
        const std::lock_guard lock(mutex_);
        if (results_.size() < most_ / 4 && threshold_ > least_ && threshold_ != nothing)
            threshold_ = threshold_ / 2;
        return std::exchange(results_, {});
    }
    template <class Visit>
    void each(const Visit& visit) {
        const std::lock_guard lock(mutex_);
        for (T& result : results_) visit(result);
    }

private:
    static constexpr std::uint64_t nothing = ~std::uint64_t{0};
    const std::uint64_t least_;
    const std::size_t most_;
    std::atomic<std::uint64_t> threshold_ = nothing;
    std::mutex mutex_;
    std::vector<T> results_;
};

}  // namespace zermelo
