// Session: one connection, from the first byte of the request until the client has read its answer.
//
// Its state says what is under way: reading the request, waiting for the answer, writing it, streaming it, or
// lingering, which gives the client time to read and to close.

#pragma once

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/head.hpp"
#include "net/server/growing_body.hpp"
#include "net/server/listener.hpp"

namespace zermelo::net {

inline constexpr std::size_t body_piece = std::size_t{64} << 10;  // bytes to read at once

// Calls `sent`, if it is there, and lets nothing out that it throws: nobody else may suffer from it.
void tell(const std::function<void(bool)>& sent, bool whether);

// It lives as long as something is under way for it.
class Server::Listener::Session : public std::enable_shared_from_this<Session> {
public:
    Session(Listener& listener, tcp::socket socket, bool counted)
        : listener_(listener), socket_(std::move(socket)), timer_(listener.io_), counted_(counted) {
        listener_.sessions_.insert(this);
        if (counted_) listener_.active_++;
    }
    ~Session() {
        close();
        tell(sent_, false);
        listener_.sessions_.erase(this);
        if (listener_.stopping_ && listener_.sessions_.empty()) listener_.moment_.cancel();
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void start();
    void refuse(int status, const std::string& text);
    void answer(Response response, std::function<void(bool)> sent);
    void send_pieces();
    void end_stream(std::string rest);
    void stop();
    void close();
    [[nodiscard]] std::size_t buffered() const { return buffered_; }

private:
    enum class State { reading, waiting, writing, streaming, lingering, closed };

    void give_time(Clock::time_point until);
    void on_time();
    void read_head();
    void on_head();
    void allow_body();
    void read_body();
    void on_body(Failure failure);
    void hand_over();
    void watch();
    void write(Response response, std::function<void(bool)> sent);
    void write_last(std::string head, std::string body);
    void on_written(bool whole);
    void stream(Response response, std::function<void(bool)> sent);
    void send_piece(std::string head, std::string piece);
    template <class Done>
    void put(std::string head, std::string body, Done done);
    void drain();
    void on_drained(Failure failure, std::size_t count);
    void count_body();
    void drop_body();
    void leave();

    Listener& listener_;
    tcp::socket socket_;
    asio::steady_timer timer_;
    const Clock::time_point accepted_ = Clock::now();
    State state_ = State::reading;
    bool request_whole_ = false;
    unsigned version_ = 10;    // of the request, once it is known
    bool head_alone_ = false;  // is all of the answer that the client wants
    Head head_;
    boost::beast::flat_buffer buffer_{2 * body_piece};
    std::optional<boost::beast::http::request_parser<GrowingBody>> parser_;
    std::size_t buffered_ = 0;  // what the budget of all knows of this body
    bool counted_;              // among the active
    std::string peer_;
    std::shared_ptr<std::atomic<bool>> gone_;  // once the request is whole
    bool draining_ = false;
    std::size_t discarded_ = 0;
    std::string answer_head_;
    std::string answer_body_;
    std::function<void(bool)> sent_;
    // Of a stream: where its pieces come from, whether some are on their way, and what was left at its end.
    std::weak_ptr<PendingStream> pending_;
    bool sending_ = false;
    std::optional<std::string> rest_;
};

}  // namespace zermelo::net
