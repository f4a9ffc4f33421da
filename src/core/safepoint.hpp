// Safepoint: stop-the-world synchronisation, as in virtual machines with a garbage collector. Worker threads
// poll the safepoint; a thread that needs to be alone, for example to grow a shared table, waits until all
// others have stopped there.

#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace zermelo {

class Safepoint {
public:
    explicit Safepoint(unsigned threads) : threads_(threads) {}

    // Sets the number of threads; while none of them is running.
    void reset(unsigned threads) { threads_ = threads; }
    // To be called often by every thread.
    void poll() {
        if (pause_.load(std::memory_order_relaxed)) wait_for_resume();
    }
    // Runs `work` while all other threads wait in poll.
    template <class Work>
    void stop_the_world(Work work) {
        std::unique_lock lock(mutex_);
        block_while_paused(lock);
        pause_ = true;
        const Resume resume{*this};
        changed_.wait(lock, [this] { return waiting_ + 1 == threads_; });
        work();
    }
    // This thread polls no more.
    void leave() {
        const std::lock_guard lock(mutex_);
        --threads_;
        changed_.notify_all();
    }

private:
    struct Resume {
        Safepoint& safepoint;
        ~Resume() {
            safepoint.pause_ = false;
            safepoint.changed_.notify_all();
        }
    };
    void wait_for_resume() {
        std::unique_lock lock(mutex_);
        block_while_paused(lock);
    }
    void block_while_paused(std::unique_lock<std::mutex>& lock) {
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !pause_; });
        --waiting_;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> pause_ = false;
    unsigned threads_;
    unsigned waiting_ = 0;
};

}  // namespace zermelo
