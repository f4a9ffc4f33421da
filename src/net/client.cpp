#include "net/client.hpp"

// GCC's thread sanitizer does not know fences and warns of them; locks order all that we share.
#if defined(__SANITIZE_THREAD__)
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/clock.hpp"
#include "net/head.hpp"

namespace zermelo::net {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failure = boost::system::error_code;

constexpr auto tick = std::chrono::milliseconds(50);  // how often we look for Ctrl-C
constexpr std::size_t piece = std::size_t{16} << 10;  // bytes to read at once

// A name lookup on a thread of its own. It cannot be stopped, so it may outlive its request.
struct Lookup {
    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;
    std::vector<tcp::endpoint> found;
    std::string problem;
};

void look_up(const std::string& host, std::uint16_t port, Lookup& lookup) {
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const int failure = getaddrinfo(host.c_str(), nullptr, &wanted, &list);
    const std::lock_guard lock(lookup.mutex);
    if (failure != 0) lookup.problem = gai_strerror(failure);
    for (const addrinfo* one = list; one != nullptr; one = one->ai_next) {
        tcp::endpoint endpoint;
        if (one->ai_addrlen > endpoint.capacity()) continue;
        std::memcpy(endpoint.data(), one->ai_addr, one->ai_addrlen);
        endpoint.resize(one->ai_addrlen);
        endpoint.port(port);
        lookup.found.push_back(endpoint);
    }
    if (list != nullptr) freeaddrinfo(list);
    lookup.finished = true;
    lookup.changed.notify_all();
}

// One request and its answer.
class Exchange {
public:
    Exchange(const Url& url, const std::optional<std::string>& body, const ClientOptions& options);
    [[nodiscard]] Reply run();

private:
    using Parser = http::response_parser<http::string_body>;

    [[nodiscard]] bool find_host();
    void connect();
    void send();
    void read_head();
    void on_head();
    void read_body();
    void on_body(Failure failure);
    void answered();
    void end(Reply::Kind kind, std::string problem = {});
    [[nodiscard]] bool interrupted() const { return limits_.reached() != Stop::none; }

    const Url& url_;
    const std::optional<std::string>& body_;
    const ClientOptions& options_;
    const Clock::time_point start_ = Clock::now();
    const Clock::time_point end_ = start_ + in_seconds(options_.seconds);
    const Clock::time_point connect_end_ = std::min(end_, start_ + in_seconds(options_.connect_seconds));
    Limits limits_;
    bool connected_ = false;
    bool finished_ = false;
    Reply reply_;
    std::vector<tcp::endpoint> endpoints_;
    std::string request_head_;
    Head head_;
    beast::flat_buffer buffer_{8 * piece};
    std::optional<Parser> parser_;
    asio::io_context io_{1};
    tcp::socket socket_{io_};
};

Exchange::Exchange(const Url& url, const std::optional<std::string>& body, const ClientOptions& options)
    : url_(url), body_(body), options_(options) {
    const std::string path = url.path.empty() ? "/" : url.path;
    const std::string host = url.host.find(':') == std::string::npos ? url.host : "[" + url.host + "]";
    request_head_ = fmt::format("{} {} HTTP/1.0\r\nHost: {}:{}\r\n", body ? "POST" : "GET", one_line(path),
                                one_line(host), url.port);
    for (const auto& [name, value] : options.headers)
        request_head_ += fmt::format("{}: {}\r\n", one_line(name), one_line(value));
    if (body) {
        request_head_ +=
            fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", one_line(options.type), body->size());
    }
    request_head_ += "\r\n";
}

Reply Exchange::run() {
    if (find_host()) connect();
    while (!finished_) {
        const auto deadline = connected_ ? end_ : connect_end_;
        const auto now = Clock::now();
        if (interrupted()) {
            end(Reply::Kind::cancelled, "interrupted");
        } else if (now < deadline) {
            io_.run_until(std::min(deadline, now + tick));
        } else if (connected_) {
            end(Reply::Kind::late, fmt::format("no whole answer within {} s", options_.seconds));
        } else {
            end(Reply::Kind::unreachable, fmt::format("no connection within {} s",
                                                      std::min(options_.seconds, options_.connect_seconds)));
        }
    }
    return std::move(reply_);
}

void Exchange::end(Reply::Kind kind, std::string problem) {
    if (finished_) return;
    finished_ = true;
    reply_.kind = kind;
    reply_.problem = std::move(problem);
    reply_.seconds = seconds_since(start_);
    Failure ignored;
    socket_.close(ignored);
}

// Names are looked up on a thread of their own, for which we wait no longer than for anything else.
bool Exchange::find_host() {
    Failure failure;
    const auto address = asio::ip::make_address(url_.host, failure);
    if (!failure) {
        endpoints_.emplace_back(address, url_.port);
        return true;
    }
    const auto lookup = std::make_shared<Lookup>();
    try {
        std::thread([lookup, host = url_.host, port = url_.port] { look_up(host, port, *lookup); }).detach();
    } catch (const std::system_error& error) {
        end(Reply::Kind::unreachable, error.what());
        return false;
    }
    std::unique_lock lock(lookup->mutex);
    while (!lookup->finished && !interrupted() && Clock::now() < connect_end_)
        lookup->changed.wait_until(lock, std::min(connect_end_, Clock::now() + tick));
    if (!lookup->finished) return false;
    endpoints_ = lookup->found;
    if (!endpoints_.empty()) return true;
    end(Reply::Kind::unreachable, fmt::format("unknown host: {}", lookup->problem));
    return false;
}

void Exchange::connect() {
    asio::async_connect(socket_, endpoints_, [this](Failure failure, const tcp::endpoint&) {
        if (finished_) return;
        // A reset means that the host is there: without a listener the connection is refused.
        const bool met = failure == asio::error::connection_reset || failure == asio::error::broken_pipe;
        if (failure) return end(met ? Reply::Kind::broken : Reply::Kind::unreachable, failure.message());
        connected_ = true;
        fcntl(socket_.native_handle(), F_SETFD, FD_CLOEXEC);
        socket_.set_option(tcp::no_delay(true), failure);
        send();
        read_head();
    });
}

void Exchange::send() {
    const std::array<asio::const_buffer, 2> parts{asio::buffer(request_head_),
                                                  body_ ? asio::buffer(*body_) : asio::const_buffer()};
    // Whoever refuses a request may answer before it has been sent, so what we read decides.
    asio::async_write(socket_, parts, [](Failure, std::size_t) {});
}

void Exchange::read_head() {
    socket_.async_read_some(buffer_.prepare(piece), [this](Failure failure, std::size_t count) {
        if (finished_) return;
        if (failure == asio::error::eof) {
            return end(Reply::Kind::broken, head_.text().empty()
                                                ? "the connection was closed without an answer"
                                                : "the answer ends early");
        }
        if (failure) return end(Reply::Kind::broken, failure.message());
        buffer_.commit(count);
        on_head();
    });
}

void Exchange::on_head() {
    const auto data = buffer_.data();
    buffer_.consume(head_.take({static_cast<const char*>(data.data()), data.size()}));
    if (head_.state() == Head::State::partial) return read_head();
    if (head_.state() == Head::State::too_large)
        return end(Reply::Kind::broken, "the head of the answer is too large");
    if (head_.state() == Head::State::malformed) return end(Reply::Kind::broken, "the answer is not HTTP");

    // Some leave out the phrase behind the status, and its blank with it.
    std::string head = head_.text();
    const std::size_t line = head.find("\r\n");
    if (std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(line), ' ') == 1)
        head.insert(line, " ");
    parser_.emplace();
    parser_->header_limit(2 * Head::most);
    parser_->body_limit(options_.most_body);
    parser_->eager(false);
    Failure failure;
    parser_->put(asio::buffer(head), failure);
    if (failure) return on_body(failure);
    head_ = {};
    if (parser_->get().result_int() / 100 == 1) return on_head();  // the answer is still to come
    if (parser_->is_done()) return answered();
    parser_->eager(true);
    buffer_.reserve(piece);
    read_body();
}

void Exchange::read_body() {
    http::async_read(socket_, buffer_, *parser_, [this](Failure failure, std::size_t) { on_body(failure); });
}

void Exchange::on_body(Failure failure) {
    if (finished_) return;
    if (!failure) return answered();
    if (failure == http::error::body_limit) {
        return end(Reply::Kind::broken,
                   fmt::format("the answer is larger than {} bytes", options_.most_body));
    }
    if (failure == http::error::partial_message) return end(Reply::Kind::broken, "the answer ends early");
    // Where the end of the connection is the end of the answer, it may also be an abrupt one.
    if (failure == asio::error::connection_reset && parser_->need_eof() && !parser_->get().body().empty())
        return answered();
    static const Failure no_http = http::make_error_code(http::error::bad_method);
    if (failure.category() == no_http.category())
        return end(Reply::Kind::broken, fmt::format("the answer is not HTTP: {}", failure.message()));
    end(Reply::Kind::broken, failure.message());
}

void Exchange::answered() {
    auto& message = parser_->get();
    reply_.response.status = static_cast<int>(message.result_int());
    reply_.response.type = std::string(message[http::field::content_type]);
    for (const auto& field : message)
        reply_.response.headers.emplace_back(field.name_string(), field.value());
    reply_.response.body = std::move(message.body());
    end(Reply::Kind::answered);
}

}  // namespace

Reply request(const Url& url, const std::optional<std::string>& body, const ClientOptions& options) {
    return Exchange(url, body, options).run();
}

}  // namespace zermelo::net
