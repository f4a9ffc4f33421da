// Dispatcher: hands work from any thread to the server's thread. It is shut before the server goes, and
// answers keep it alive.

#pragma once

#include <mutex>

#include "net/server/asio.hpp"

namespace zermelo::net {

class Dispatcher {
public:
    explicit Dispatcher(asio::io_context& io) : io_(&io) {}

    // False where it is shut.
    template <class Work>
    bool post(Work work) {
        const std::lock_guard lock(mutex_);
        if (io_ != nullptr) asio::post(*io_, std::move(work));
        return io_ != nullptr;
    }
    void shut() {
        const std::lock_guard lock(mutex_);
        io_ = nullptr;
    }

private:
    std::mutex mutex_;
    asio::io_context* io_;
};

}  // namespace zermelo::net
