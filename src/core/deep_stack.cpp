#include "core/deep_stack.hpp"

#include <pthread.h>

#include <exception>
#include <system_error>

#include "core/limits.hpp"

namespace zermelo {

namespace {

// What one level of a recursion may take of the stack, generously.
constexpr std::size_t bytes_per_level = 4096;
constexpr std::size_t least_bytes = std::size_t{8} << 20;

struct Task {
    const std::function<void()>& work;
    const std::atomic<bool>* cancelled;
    std::exception_ptr problem;
};

void* run(void* argument) {
    auto& task = *static_cast<Task*>(argument);
    const Cancellable scope(task.cancelled);
    try {
        task.work();
    } catch (...) {
        task.problem = std::current_exception();
    }
    return nullptr;
}

}  // namespace

void with_deep_stack(std::size_t levels, const std::function<void()>& work) {
    Task task{work, Cancellable::flag(), nullptr};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, least_bytes + bytes_per_level * levels);
    pthread_t thread{};
    const int code = pthread_create(&thread, &attributes, run, &task);
    pthread_attr_destroy(&attributes);
    if (code != 0) throw std::system_error(code, std::generic_category(), "cannot start a thread");
    pthread_join(thread, nullptr);
    if (task.problem) std::rethrow_exception(task.problem);
}

}  // namespace zermelo
