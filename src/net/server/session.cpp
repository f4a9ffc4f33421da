#include "net/server/session.hpp"

#include <fmt/format.h>
#include <netinet/tcp.h>

#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>

#include "net/server/response_head.hpp"
#include "net/server/response_sender.hpp"

namespace zermelo::net {

namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr auto linger = std::chrono::seconds(2);  // for a client to read its answer and to close
constexpr std::size_t most_lingering = 256;
constexpr std::size_t head_piece = 2048;  // bytes to read at once

// Of the wire, in seconds, as the system has measured it.
double round_trip(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    return 1e-6 * info.tcpi_rtt;
}

std::string text_of(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    return address.to_string();
}

}  // namespace

void tell(const std::function<void(bool)>& sent, bool whether) {
    if (!sent) return;
    try {
        sent(whether);
    } catch (...) {
    }
}

void Server::Listener::Session::start() {
    Failure failure;
    socket_.set_option(tcp::no_delay(true), failure);
    const auto peer = socket_.remote_endpoint(failure);
    if (!failure) peer_ = text_of(peer.address());
    give_time(accepted_ + in_seconds(listener_.options_.read_timeout));
    read_head();
}

void Server::Listener::Session::give_time(Clock::time_point until) {
    timer_.expires_at(until);
    timer_.async_wait([self = shared_from_this()](Failure failure) {
        // It may have been set anew when it had already run out.
        if (!failure && self->timer_.expiry() <= Clock::now()) self->on_time();
    });
}

void Server::Listener::Session::on_time() {
    switch (state_) {
        case State::reading:
            refuse(408, "the request did not arrive in time");
            break;
        case State::writing:
        case State::lingering:
            close();
            break;
        case State::streaming:
            if (sending_) close();
            break;
        case State::waiting:
        case State::closed:
            break;
    }
}

void Server::Listener::Session::read_head() {
    socket_.async_read_some(buffer_.prepare(head_piece),
                            [self = shared_from_this()](Failure failure, std::size_t count) {
                                if (self->state_ != State::reading) return;
                                if (failure == asio::error::eof && !self->head_.text().empty())
                                    return self->refuse(400, "the request ends early");
                                if (failure) return self->close();
                                self->buffer_.commit(count);
                                self->on_head();
                            });
}

void Server::Listener::Session::on_head() {
    const auto data = buffer_.data();
    buffer_.consume(head_.take({static_cast<const char*>(data.data()), data.size()}));
    switch (head_.state()) {
        case Head::State::partial:
            return read_head();
        case Head::State::too_large:
            return refuse(431, "the head of the request is too large");
        case Head::State::malformed:
            return refuse(400, "this is not an HTTP request");
        case Head::State::whole:
            break;
    }
    parser_.emplace();
    parser_->header_limit(2 * Head::most);
    parser_->body_limit(listener_.options_.most_body);
    parser_->eager(false);
    Failure failure;
    parser_->put(asio::buffer(head_.text()), failure);
    if (!failure || failure == http::error::body_limit) version_ = parser_->get().version();
    if (failure == http::error::body_limit) return refuse(413, "the request is too large");
    if (failure || !parser_->is_header_done()) return refuse(400, "this is not an HTTP request");
    head_ = {};
    if (parser_->is_done()) return hand_over();
    parser_->eager(true);
    buffer_.reserve(body_piece);
    if (buffer_.size() == 0 && version_ > 10 &&
        beast::iequals(parser_->get()[http::field::expect], "100-continue"))
        return allow_body();
    read_body();
}

// Some clients ask whether they may send a body before they do.
void Server::Listener::Session::allow_body() {
    static const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
    asio::async_write(socket_, asio::buffer(go_on),
                      [self = shared_from_this()](Failure failure, std::size_t) {
                          if (self->state_ != State::reading) return;
                          if (failure) return self->close();
                          self->read_body();
                      });
}

void Server::Listener::Session::read_body() {
    http::async_read_some(
        socket_, buffer_, *parser_,
        [self = shared_from_this()](Failure failure, std::size_t) { self->on_body(failure); });
}

void Server::Listener::Session::on_body(Failure failure) {
    if (state_ != State::reading) return;
    if (failure == http::error::body_limit) return refuse(413, "the request is too large");
    if (failure == boost::system::errc::not_enough_memory) return refuse(503, "there is no memory left");
    static const Failure no_http = http::make_error_code(http::error::bad_method);
    if (failure && failure.category() == no_http.category())
        return refuse(400, "the body of the request is malformed, or ends early");
    if (failure) return close();
    count_body();
    if (state_ != State::reading) return;
    if (parser_->is_done()) return hand_over();
    read_body();
}

void Server::Listener::Session::count_body() {
    const std::size_t size = parser_->get().body().size();
    listener_.buffered_ += size - buffered_;
    buffered_ = size;
    listener_.keep_within_budget();
}

void Server::Listener::Session::drop_body() {
    listener_.buffered_ -= buffered_;
    buffered_ = 0;
    if (parser_) parser_->get().body() = {};
}

void Server::Listener::Session::hand_over() {
    state_ = State::waiting;
    request_whole_ = true;
    timer_.cancel();

    Request request;
    auto& message = parser_->get();
    request.method = std::string(message.method_string());
    head_alone_ = request.method == "HEAD";
    request.target = std::string(message.target());
    for (const auto& field : message) request.headers.emplace_back(field.name_string(), field.value());
    request.body = std::move(message.body());
    request.accepted = accepted_;
    request.peer = peer_;
    request.round_trip = round_trip(socket_.native_handle());
    request.gone = gone_ = std::make_shared<std::atomic<bool>>(false);
    drop_body();
    parser_.reset();
    watch();
    drain();

    const auto responder = std::make_shared<Responder>(listener_.dispatcher_, weak_from_this());
    try {
        listener_.handler_(std::move(request),
                           [responder](Response response, std::function<void(bool)> sent) {
                               if (responder->take()) responder->send(std::move(response), std::move(sent));
                           });
    } catch (...) {
        if (responder->take()) answer(plain(500, "the server failed to handle this request"), nullptr);
    }
}

// Notices a reset, even where bytes of the client lie unread.
void Server::Listener::Session::watch() {
    socket_.async_wait(tcp::socket::wait_error, [self = shared_from_this()](Failure) {
        if (self->state_ == State::waiting || self->state_ == State::streaming) self->close();
    });
}

void Server::Listener::Session::answer(Response response, std::function<void(bool)> sent) {
    if (state_ != State::waiting) return tell(sent, false);
    if (!response.stream) return write(std::move(response), std::move(sent));
    if (!*gone_) return stream(std::move(response), std::move(sent));
    close();
    tell(sent, false);
}

void Server::Listener::Session::refuse(int status, const std::string& text) {
    Failure ignored;
    socket_.cancel(ignored);
    drop_body();
    write(plain(status, text), nullptr);
}

void Server::Listener::Session::write(Response response, std::function<void(bool)> sent) {
    sent_ = std::move(sent);
    std::string head = head_of(response, version_);
    if (head_alone_) response.body.clear();
    write_last(std::move(head), std::move(response.body));
}

void Server::Listener::Session::write_last(std::string head, std::string body) {
    state_ = State::writing;
    put(std::move(head), std::move(body),
        [this](Failure failure) { on_written(!failure && state_ == State::writing); });
}

template <class Done>
void Server::Listener::Session::put(std::string head, std::string body, Done done) {
    answer_head_ = std::move(head);
    answer_body_ = std::move(body);
    give_time(Clock::now() + in_seconds(listener_.options_.write_timeout));
    const std::array<asio::const_buffer, 2> parts{asio::buffer(answer_head_), asio::buffer(answer_body_)};
    asio::async_write(socket_, parts,
                      [self = shared_from_this(), done](Failure failure, std::size_t) { done(failure); });
}

void Server::Listener::Session::stream(Response response, std::function<void(bool)> sent) {
    state_ = State::streaming;
    sent_ = std::move(sent);
    auto pending = std::make_shared<PendingStream>(listener_.dispatcher_, weak_from_this(), gone_);
    pending_ = pending;
    send_piece(head_of(response, version_), std::move(response.body));
    try {
        response.stream(std::move(pending));
    } catch (...) {  // whoever threw has let go of the stream, which ends it
    }
}

void Server::Listener::Session::send_piece(std::string head, std::string piece) {
    if (knows_chunks(version_) && !piece.empty()) {
        head += fmt::format("{:x}\r\n", piece.size());
        piece += "\r\n";
    }
    sending_ = true;
    put(std::move(head), std::move(piece), [this](Failure failure) {
        sending_ = false;
        if (failure) return close();
        if (state_ != State::streaming) return;
        timer_.cancel();
        send_pieces();
    });
}

// One after another; at the end of the stream also its end.
void Server::Listener::Session::send_pieces() {
    if (state_ != State::streaming || sending_) return;
    std::string piece;
    if (rest_) {
        piece = std::exchange(*rest_, {});
    } else if (const auto pending = pending_.lock()) {
        piece = pending->take();
    }
    if (!piece.empty()) {
        send_piece({}, std::move(piece));
    } else if (rest_) {
        write_last(knows_chunks(version_) ? "0\r\n\r\n" : "", {});
    } else {
        answer_body_ = {};
    }
}

void Server::Listener::Session::end_stream(std::string rest) {
    rest_ = std::move(rest);
    send_pieces();
}

// The connection stays for a short time: to close it with bytes unread would reset it, and the client might
// lose its answer.
void Server::Listener::Session::on_written(bool whole) {
    leave();
    answer_body_ = {};
    if (whole && listener_.lingering_ < most_lingering) {
        state_ = State::lingering;
        listener_.lingering_++;
        Failure ignored;
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
        give_time(Clock::now() + linger);
        if (!draining_) drain();
        if (listener_.stopping_) stop();
    } else {
        close();
    }
    tell(std::exchange(sent_, nullptr), whole);
}

// Reads what nobody wants, to see where it ends.
void Server::Listener::Session::drain() {
    draining_ = true;
    socket_.async_read_some(asio::buffer(listener_.discarded_),
                            [self = shared_from_this()](Failure failure, std::size_t count) {
                                self->draining_ = false;
                                self->on_drained(failure, count);
                            });
}

// A client that has finished sending may still wait for its answer, though not for a stream.
void Server::Listener::Session::on_drained(Failure failure, std::size_t count) {
    const bool answering = state_ == State::waiting || state_ == State::writing;
    if (failure == asio::error::eof && answering) {
        *gone_ = true;
    } else if (failure) {
        close();
    } else if (state_ == State::lingering || (discarded_ += count) < most_discarded) {
        drain();
    }
}

void Server::Listener::Session::stop() {
    if (gone_) *gone_ = true;
    const bool answer_is_safe = state_ == State::lingering && request_whole_;
    const bool endless = state_ == State::streaming && !rest_;
    if (state_ == State::reading || state_ == State::waiting || endless || answer_is_safe) close();
}

void Server::Listener::Session::close() {
    if (state_ == State::closed) return;
    if (state_ == State::lingering) {
        listener_.lingering_--;
    } else if (gone_) {
        *gone_ = true;
    }
    state_ = State::closed;
    leave();
    drop_body();
    Failure ignored;
    socket_.close(ignored);
    timer_.cancel();
}

void Server::Listener::Session::leave() {
    if (counted_) listener_.active_--;
    counted_ = false;
}

}  // namespace zermelo::net
