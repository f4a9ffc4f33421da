// Write-behind: what is noted is done later by a thread of its own, in the order of the notes.
//
// The disk may be slow, so nobody waits for it who has something to say.

#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace zermelo::ggp {

class WriteBehind {
public:
    WriteBehind();
    ~WriteBehind();  // once all notes are done
    WriteBehind(const WriteBehind&) = delete;
    WriteBehind& operator=(const WriteBehind&) = delete;

    void note(std::function<void()> what);
    void settle();  // until all notes so far are done

private:
    void work();

    std::mutex mutex_;
    std::deque<std::function<void()>> notes_;
    std::condition_variable noted_;
    bool closing_ = false;
    std::jthread thread_;
};

}  // namespace zermelo::ggp
