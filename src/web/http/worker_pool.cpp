#include "web/http/worker_pool.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "core/limits.hpp"
#include "core/memory.hpp"

namespace zermelo::web {

namespace {

// The server's own thread comes first, however many workers run.
constexpr std::size_t much_memory = std::size_t{128} << 20;

void lower_priority() { (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5); }

}  // namespace

WorkerPool::WorkerPool(unsigned most_running, std::size_t most_waiting)
    : most_running_(most_running), most_waiting_(most_waiting) {}

WorkerPool::~WorkerPool() {
    std::deque<Task> dropped;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const Gone& gone : running_) *gone = true;
        dropped.swap(waiting_);
        changed_.notify_all();
    }
    dropped.clear();
    for (std::thread& thread : threads_) thread.join();
}

bool WorkerPool::add(Gone gone, std::function<void()> work) {
    std::vector<Task> dropped;  // after the lock is gone
    const std::lock_guard lock(mutex_);
    const auto first_gone =
        std::stable_partition(waiting_.begin(), waiting_.end(), [](const Task& task) { return !*task.gone; });
    dropped.assign(std::move_iterator(first_gone), std::move_iterator(waiting_.end()));
    waiting_.erase(first_gone, waiting_.end());
    if (running_.size() + waiting_.size() >= most_running_ + most_waiting_) return false;
    waiting_.push_back({std::move(gone), std::move(work)});
    if (waiting_.size() > idle_ && threads_.size() < most_running_) {
        threads_.emplace_back([this] { serve(); });
    }
    changed_.notify_one();
    return true;
}

void WorkerPool::serve() {
    lower_priority();
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
        changed_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        --idle_;
        if (stopping_) return;
        Task task = std::move(waiting_.front());
        waiting_.pop_front();
        const auto here = running_.insert(task.gone);
        lock.unlock();
        perform(task);
        lock.lock();
        running_.erase(here);
        if (!running_.empty() || !waiting_.empty()) continue;
        lock.unlock();
        if (resident_bytes() > much_memory) return_freed_memory();
        lock.lock();
    }
}

// What the work holds goes with it, before it counts as done.
void WorkerPool::perform(Task& task) {
    try {
        const Cancellable cancellable(*task.gone);
        if (!*task.gone) task.work();
    } catch (...) {  // the work has reported its own errors
    }
    task.work = nullptr;
}

std::size_t WorkerPool::running() const {
    const std::lock_guard lock(mutex_);
    return running_.size();
}

std::size_t WorkerPool::waiting() const {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::count_if(waiting_.begin(), waiting_.end(), [](const Task& task) { return !*task.gone; }));
}

}  // namespace zermelo::web
