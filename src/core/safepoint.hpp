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
    explicit Safepoint(unsigned members) : members_(members) {}

    // Nobody may be there.
    void expect(unsigned members) { members_ = members; }
    // To be called often by everybody.
    void check_in() {
        if (pause_.load(std::memory_order_relaxed)) wait_out();
    }
    // Runs `work` while everybody else waits in check_in.
    template <class Work>
    void alone(Work work) {
        std::unique_lock lock(mutex_);
        stand_still(lock);
        pause_ = true;
        const Resume resume{*this};
        changed_.wait(lock, [this] { return waiting_ + 1 == members_; });
        work();
    }
    void leave() {
        const std::lock_guard lock(mutex_);
        --members_;
        changed_.notify_all();
    }

private:
    struct Resume {
        Safepoint& meeting;
        ~Resume() {
            meeting.pause_ = false;
            meeting.changed_.notify_all();
        }
    };
    void wait_out() {
        std::unique_lock lock(mutex_);
        stand_still(lock);
    }
    void stand_still(std::unique_lock<std::mutex>& lock) {
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return !pause_; });
        --waiting_;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> pause_ = false;
    unsigned members_;
    unsigned waiting_ = 0;
};

}  // namespace zermelo
