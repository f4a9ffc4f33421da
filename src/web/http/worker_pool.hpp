// Thread pool for the page's work, with a bounded number of threads and a bounded queue.
//
// Work whose client has gone is cancelled by its flag, which ends all limits of its thread (core/limits.hpp);
// if it is still queued, it is dropped.

#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace zermelo::web {

using Gone = std::shared_ptr<std::atomic<bool>>;

class WorkerPool {
public:
    WorkerPool(unsigned most_running, std::size_t most_waiting);
    ~WorkerPool();  // sets the flags of all work, and waits for it
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    // False where too many wait already. What the work throws is lost.
    [[nodiscard]] bool add(Gone gone, std::function<void()> work);

    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] std::size_t waiting() const;  // whose client is there still

private:
    struct Task {
        Gone gone;
        std::function<void()> work;
    };
    void serve();
    static void perform(Task& task);

    const unsigned most_running_;
    const std::size_t most_waiting_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> waiting_;
    std::multiset<Gone> running_;
    std::vector<std::thread> threads_;  // made as they are needed
    std::size_t idle_ = 0;
    bool stopping_ = false;
};

}  // namespace zermelo::web
