// The two ways in which answers come from other threads to their session: as a whole, and as a stream.

#pragma once

#include <atomic>
#include <mutex>
#include <utility>

#include "net/server/session.hpp"

namespace zermelo::net {

inline constexpr std::size_t most_unread = std::size_t{1} << 20;  // bytes of a stream that wait to leave

[[nodiscard]] inline Response plain(int status, const std::string& text) {
    return {.status = status, .body = text + "\n"};
}

// The right to answer one request, once.
class Server::Listener::Responder {
public:
    Responder(std::shared_ptr<Dispatcher> dispatcher, std::weak_ptr<Session> session)
        : dispatcher_(std::move(dispatcher)), session_(std::move(session)) {}
    ~Responder() {
        if (take()) send(plain(500, "the request was not answered"), nullptr);
    }
    Responder(const Responder&) = delete;
    Responder& operator=(const Responder&) = delete;

    [[nodiscard]] bool take() { return !taken_.exchange(true); }
    void send(Response response, std::function<void(bool)> sent) {
        dispatcher_->post(
            [session = session_, response = std::move(response), sent = std::move(sent)]() mutable {
                if (const auto alive = session.lock()) {
                    alive->answer(std::move(response), std::move(sent));
                } else {
                    tell(sent, false);
                }
            });
    }

private:
    std::shared_ptr<Dispatcher> dispatcher_;
    std::weak_ptr<Session> session_;
    std::atomic<bool> taken_{false};
};

// What the writers of a stream have said and the server has not taken yet. The writers own it.
class Server::Listener::PendingStream : public Stream {
public:
    PendingStream(std::shared_ptr<Dispatcher> dispatcher, std::weak_ptr<Session> session,
                  std::shared_ptr<std::atomic<bool>> gone)
        : dispatcher_(std::move(dispatcher)), session_(std::move(session)), gone_(std::move(gone)) {}
    ~PendingStream() override {
        post([rest = std::move(said_)](Session& session) mutable { session.end_stream(std::move(rest)); });
    }
    PendingStream(const PendingStream&) = delete;
    PendingStream& operator=(const PendingStream&) = delete;

    bool write(std::string piece) override {
        const std::lock_guard lock(mutex_);
        if (*gone_) return false;
        if (said_.size() + taken_ > most_unread) {
            *gone_ = true;
            post([](Session& session) { session.close(); });
            return false;
        }
        said_ += piece;
        if (said_.empty() || announced_) return true;
        announced_ = post([](Session& session) { session.send_pieces(); });
        return announced_;
    }

    // All that was said since the last time. What was taken then has left.
    [[nodiscard]] std::string take() {
        const std::lock_guard lock(mutex_);
        announced_ = false;
        taken_ = said_.size();
        return std::exchange(said_, {});
    }

private:
    template <class Work>
    bool post(Work work) {
        return dispatcher_->post([session = session_, work = std::move(work)]() mutable {
            if (const auto alive = session.lock()) work(*alive);
        });
    }

    std::shared_ptr<Dispatcher> dispatcher_;
    std::weak_ptr<Session> session_;
    std::shared_ptr<std::atomic<bool>> gone_;
    std::mutex mutex_;
    std::string said_;
    std::size_t taken_ = 0;  // bytes
    bool announced_ = false;
};

}  // namespace zermelo::net
