#include "long_call.hpp"

#include <condition_variable>
#include <thread>

#include "player.hpp"

namespace zermelo::python {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);  // at signals and progress

// A thread with the work.
class Worker {
public:
    explicit Worker(const std::function<void()>& work)
        : outer_(Cancellable::flag()), thread_([this, &work] { run(work); }) {}
    ~Worker() { thread_.join(); }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // True when the work has ended.
    [[nodiscard]] bool wait() {
        std::unique_lock lock(mutex_);
        if (outer_ != nullptr && outer_->load()) cancelled_ = true;
        return ended_.wait_for(lock, between_looks, [this] { return over_; });
    }
    // With the lock of the interpreter.
    void cancel() {
        cancelled_ = true;
        InPython::interrupt(&cancelled_);
    }
    [[nodiscard]] const std::exception_ptr& failure() const { return failure_; }  // when it has ended

private:
    void run(const std::function<void()>& work) {
        const Cancellable scope(cancelled_);
        try {
            work();
        } catch (...) {
            failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        over_ = true;
        ended_.notify_all();
    }

    const std::atomic<bool>* outer_;
    std::atomic<bool> cancelled_ = false;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable ended_;
    bool over_ = false;
    std::thread thread_;
};

}  // namespace

void ProgressReport::say(std::string text, std::uint64_t work) {
    const std::lock_guard lock(mutex_);
    latest_.emplace(std::move(text), work);
}

void ProgressReport::pass_on() {
    std::optional<std::pair<std::string, std::uint64_t>> latest;
    {
        const std::lock_guard lock(mutex_);
        latest.swap(latest_);
    }
    if (latest && wanted()) listener_(latest->first, latest->second);
}

void run_long(const std::function<void()>& work, ProgressReport* progress) {
    std::exception_ptr raised;  // by a signal handler, or by what listens to progress
    std::exception_ptr failure;
    {
        const py::gil_scoped_release release;
        Worker worker(work);
        while (!worker.wait()) {
            const py::gil_scoped_acquire acquire;
            try {
                if (PyErr_CheckSignals() != 0) throw py::error_already_set();
                if (progress != nullptr && !raised) progress->pass_on();
            } catch (...) {
                if (!raised) raised = std::current_exception();
                worker.cancel();
            }
        }
        failure = worker.failure();
    }
    if (raised) std::rethrow_exception(raised);
    if (failure) std::rethrow_exception(failure);
}

Limits limits_of(std::optional<double> seconds, std::optional<std::size_t> memory) {
    if (seconds && !(*seconds > 0)) throw Error("the time limit is not positive", "give seconds, or None");
    if (memory && *memory == 0) throw Error("the memory limit is not positive", "give bytes, or None");
    return Limits(seconds, memory);
}

}  // namespace zermelo::python
