#include "ggp/player/write_behind.hpp"

#include <future>

namespace zermelo::ggp {

WriteBehind::WriteBehind() : thread_([this] { work(); }) {}

WriteBehind::~WriteBehind() {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    noted_.notify_all();
}

void WriteBehind::note(std::function<void()> what) {
    const std::lock_guard lock(mutex_);
    notes_.push_back(std::move(what));
    noted_.notify_one();
}

void WriteBehind::settle() {
    std::promise<void> done;
    note([&] { done.set_value(); });
    done.get_future().wait();
}

void WriteBehind::work() {
    while (true) {
        std::unique_lock lock(mutex_);
        noted_.wait(lock, [&] { return closing_ || !notes_.empty(); });
        if (notes_.empty()) return;
        const auto next = std::move(notes_.front());
        notes_.pop_front();
        lock.unlock();
        next();
    }
}

}  // namespace zermelo::ggp
