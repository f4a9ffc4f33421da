#include "ggp/player/request_queue.hpp"

namespace zermelo::ggp {

namespace {

constexpr std::size_t large_body = std::size_t{1} << 20;  // bytes
constexpr std::size_t small_readers = 4;

}  // namespace

bool RequestQueue::add(PlayerRequest& request) {
    Lane& lane = request.body.size() > large_body ? large_ : small_;
    const std::lock_guard lock(mutex_);
    if (lane.bytes + request.body.size() > most_bytes_) return false;
    lane.bytes += request.body.size();
    lane.waiting.push_back(std::move(request));
    lane.filled.notify_one();
    return true;
}

void RequestQueue::open(const std::function<void(const PlayerRequest&)>& read) {
    read_ = read;
    for (std::size_t i = 0; i < small_readers; ++i) threads_.emplace_back([this] { work(small_); });
    threads_.emplace_back([this] { work(large_); });
}

void RequestQueue::close() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (Lane* lane : {&small_, &large_}) lane->filled.notify_all();
    }
    threads_.clear();
}

void RequestQueue::work(Lane& lane) {
    while (true) {
        std::unique_lock lock(mutex_);
        lane.filled.wait(lock, [&] { return closing_ || !lane.waiting.empty(); });
        if (closing_) return;
        const PlayerRequest request = std::move(lane.waiting.front());
        lane.waiting.pop_front();
        lock.unlock();
        read_(request);
        lock.lock();
        lane.bytes -= request.body.size();
    }
}

}  // namespace zermelo::ggp
