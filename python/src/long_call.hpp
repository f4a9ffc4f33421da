// Long calls: work that may take long runs in a thread of its own without the interpreter's lock, while the caller's
// thread waits, lets other Python threads run, shows progress, and obeys Ctrl-C.
//
// Python handles signals in its main thread only. When a handler raises there, as Ctrl-C does, the work is cancelled
// (core/limits.hpp), waited for, and the exception goes on. A call inside a call, as a player in Python makes, is
// cancelled with the outer one.

#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "module.hpp"
#include "zermelo/solve.hpp"

namespace zermelo::python {

// An object that works without the lock of the interpreter can be used by one thread at a time. To be made and destroyed
// with the lock.
class InUse {
public:
    explicit InUse(bool& flag) : flag_(flag) {
        if (flag) throw Error("it is at work in another thread", "use one for each thread");
        flag = true;
    }
    ~InUse() { flag_ = false; }
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;

private:
    bool& flag_;
};

// What work says of itself, passed on to the thread that waits. A callable (text, work), or None.
class ProgressReport {
public:
    explicit ProgressReport(py::object listener) : listener_(std::move(listener)) {}

    [[nodiscard]] bool wanted() const { return !listener_.is_none(); }
    void say(std::string text, std::uint64_t work);  // from any thread
    void pass_on();                                  // with the lock of the interpreter

private:
    py::object listener_;
    std::mutex mutex_;
    std::optional<std::pair<std::string, std::uint64_t>> latest_;
};

// Throws what the work throws.
void run_long(const std::function<void()>& work, ProgressReport* progress = nullptr);

template <class Work>
auto long_call(Work work, ProgressReport* progress = nullptr) {
    std::optional<decltype(work())> result;
    run_long([&] { result.emplace(work()); }, progress);
    return std::move(*result);
}

// Seconds from now and bytes, where they are given. Throws Error where one is not positive.
[[nodiscard]] Limits limits_of(std::optional<double> seconds, std::optional<std::size_t> memory);

}  // namespace zermelo::python
