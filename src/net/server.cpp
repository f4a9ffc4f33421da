#include "net/server.hpp"

// GCC's thread sanitizer does not know fences and warns of them; locks order all that we share.
#if defined(__SANITIZE_THREAD__)
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/status.hpp>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <unordered_set>

#include "core/error.hpp"
#include "net/head.hpp"

namespace zermelo::net {

namespace {

// Of the wire, in seconds, as the system has measured it.
double round_trip(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
    return 1e-6 * info.tcpi_rtt;
}

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failure = boost::system::error_code;

constexpr auto accept_pause = std::chrono::milliseconds(50);  // where the system has no more sockets
constexpr auto linger = std::chrono::seconds(2);              // for a client to read its answer and to close
constexpr auto last_moment = std::chrono::seconds(1);         // for answers when the server stops
constexpr std::size_t most_lingering = 256;
constexpr std::size_t head_piece = 2048;  // bytes to read at once
constexpr std::size_t body_piece = std::size_t{64} << 10;
constexpr std::size_t most_waste = body_piece;             // bytes after a request, of which we take note
constexpr std::size_t most_unread = std::size_t{1} << 20;  // bytes of a stream that wait to leave

// A body that takes memory only for what has really come, whatever length was announced.
struct GrowingBody {
    using value_type = std::string;

    class reader {
    public:
        template <bool is_request, class Fields>
        reader(http::header<is_request, Fields>&, value_type& body) : body_(body) {}
        void init(const boost::optional<std::uint64_t>&, Failure& failure) { failure = {}; }
        template <class Buffers>
        std::size_t put(const Buffers& buffers, Failure& failure) {
            failure = {};
            std::size_t count = 0;
            try {
                for (const asio::const_buffer piece : beast::buffers_range_ref(buffers)) {
                    body_.append(static_cast<const char*>(piece.data()), piece.size());
                    count += piece.size();
                }
            } catch (const std::bad_alloc&) {
                failure = make_error_code(boost::system::errc::not_enough_memory);
            }
            return count;
        }
        void finish(Failure& failure) { failure = {}; }

    private:
        value_type& body_;
    };
};

// The way from any thread to the server's. It is shut before the server goes, and answers keep it alive.
class Gate {
public:
    explicit Gate(asio::io_context& io) : io_(&io) {}

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

void tell(const std::function<void(bool)>& sent, bool whether) {
    if (!sent) return;
    try {
        sent(whether);
    } catch (...) {  // nobody else may suffer from it
    }
}

std::string text_of(const asio::ip::address& address) {
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        return asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()).to_string();
    return address.to_string();
}

Response plain(int status, const std::string& text) { return {.status = status, .body = text + "\n"}; }

// Who speaks HTTP/1.0 reads a stream until the connection ends.
bool knows_chunks(unsigned version) { return version > 10; }

std::string head_of(const Response& response, unsigned version) {
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
    std::string head = fmt::format("HTTP/{}.{} {} {}\r\n", version / 10, version % 10, response.status,
                                   std::string(reason.data(), reason.size()));
    if (!response.type.empty()) head += fmt::format("Content-Type: {}\r\n", one_line(response.type));
    for (const auto& [name, value] : response.headers) {
        if (beast::iequals(name, "Connection") || beast::iequals(name, "Content-Length") ||
            beast::iequals(name, "Transfer-Encoding"))
            continue;
        head += fmt::format("{}: {}\r\n", one_line(name), one_line(value));
    }
    if (!response.stream && response.status != 304) {  // where it would be that of what is not sent again
        head += fmt::format("Content-Length: {}\r\n", response.body.size());
    } else if (response.stream && knows_chunks(version)) {
        head += "Transfer-Encoding: chunked\r\n";
    }
    return head + "Connection: close\r\n\r\n";
}

}  // namespace

class Server::Listener {
public:
    Listener(const ServerOptions& options, Handler handler);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::size_t connections() const { return active_; }

private:
    class Session;
    class Ticket;
    class Pipe;

    void listen();
    void accept();
    void open(tcp::socket socket);
    void stop();
    void run();
    void keep_within_budget();
    [[nodiscard]] std::vector<std::shared_ptr<Session>> sessions() const;

    const ServerOptions options_;
    const Handler handler_;
    std::uint16_t port_ = 0;
    // All that follows belongs to the server's thread, but for the count of connections.
    std::unordered_set<Session*> sessions_;
    std::atomic<std::size_t> active_{0};  // without those that have got their answer
    std::size_t lingering_ = 0;
    std::size_t buffered_ = 0;
    bool stopping_ = false;
    std::array<char, body_piece> waste_;  // where bytes go that nobody wants
    asio::io_context io_{1};
    std::shared_ptr<Gate> gate_ = std::make_shared<Gate>(io_);
    tcp::acceptor acceptor_{io_};
    asio::steady_timer pause_{io_};
    asio::steady_timer moment_{io_};
    std::thread thread_;
};

// One connection. It lives as long as something is under way for it.
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
    beast::flat_buffer buffer_{2 * body_piece};
    std::optional<http::request_parser<GrowingBody>> parser_;
    std::size_t buffered_ = 0;  // what the budget of all knows of this body
    bool counted_;              // among the active
    std::string peer_;
    std::shared_ptr<std::atomic<bool>> gone_;  // once the request is whole
    bool draining_ = false;
    std::size_t wasted_ = 0;
    std::string answer_head_;
    std::string answer_body_;
    std::function<void(bool)> sent_;
    // Of a stream: where its pieces come from, whether some are on their way, and what was left at its end.
    std::weak_ptr<Pipe> pipe_;
    bool sending_ = false;
    std::optional<std::string> rest_;
};

// The right to answer one request, once.
class Server::Listener::Ticket {
public:
    Ticket(std::shared_ptr<Gate> gate, std::weak_ptr<Session> session)
        : gate_(std::move(gate)), session_(std::move(session)) {}
    ~Ticket() {
        if (take()) send(plain(500, "the request was not answered"), nullptr);
    }
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    [[nodiscard]] bool take() { return !taken_.exchange(true); }
    void send(Response response, std::function<void(bool)> sent) {
        gate_->post([session = session_, response = std::move(response), sent = std::move(sent)]() mutable {
            if (const auto alive = session.lock()) {
                alive->answer(std::move(response), std::move(sent));
            } else {
                tell(sent, false);
            }
        });
    }

private:
    std::shared_ptr<Gate> gate_;
    std::weak_ptr<Session> session_;
    std::atomic<bool> taken_{false};
};

// What the writers of a stream have said and the server has not taken yet. The writers own it.
class Server::Listener::Pipe : public Stream {
public:
    Pipe(std::shared_ptr<Gate> gate, std::weak_ptr<Session> session, std::shared_ptr<std::atomic<bool>> gone)
        : gate_(std::move(gate)), session_(std::move(session)), gone_(std::move(gone)) {}
    ~Pipe() override {
        post([rest = std::move(said_)](Session& session) mutable { session.end_stream(std::move(rest)); });
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

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
        return gate_->post([session = session_, work = std::move(work)]() mutable {
            if (const auto alive = session.lock()) work(*alive);
        });
    }

    std::shared_ptr<Gate> gate_;
    std::weak_ptr<Session> session_;
    std::shared_ptr<std::atomic<bool>> gone_;
    std::mutex mutex_;
    std::string said_;
    std::size_t taken_ = 0;  // bytes
    bool announced_ = false;
};

// Sessions.

void Server::Listener::Session::start() {
    Failure failure;
    socket_.set_option(tcp::no_delay(true), failure);
    const auto peer = socket_.remote_endpoint(failure);
    if (!failure) peer_ = text_of(peer.address());
    give_time(accepted_ + in_seconds(listener_.options_.patience));
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
            return refuse(400, "this is no HTTP request");
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
    if (failure || !parser_->is_header_done()) return refuse(400, "this is no HTTP request");
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

    const auto ticket = std::make_shared<Ticket>(listener_.gate_, weak_from_this());
    try {
        listener_.handler_(std::move(request), [ticket](Response response, std::function<void(bool)> sent) {
            if (ticket->take()) ticket->send(std::move(response), std::move(sent));
        });
    } catch (...) {
        if (ticket->take()) answer(plain(500, "the server failed at this request"), nullptr);
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
    give_time(Clock::now() + in_seconds(listener_.options_.write_patience));
    const std::array<asio::const_buffer, 2> parts{asio::buffer(answer_head_), asio::buffer(answer_body_)};
    asio::async_write(socket_, parts,
                      [self = shared_from_this(), done](Failure failure, std::size_t) { done(failure); });
}

void Server::Listener::Session::stream(Response response, std::function<void(bool)> sent) {
    state_ = State::streaming;
    sent_ = std::move(sent);
    auto pipe = std::make_shared<Pipe>(listener_.gate_, weak_from_this(), gone_);
    pipe_ = pipe;
    send_piece(head_of(response, version_), std::move(response.body));
    try {
        response.stream(std::move(pipe));
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
    } else if (const auto pipe = pipe_.lock()) {
        piece = pipe->take();
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
    socket_.async_read_some(asio::buffer(listener_.waste_),
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
    } else if (state_ == State::lingering || (wasted_ += count) < most_waste) {
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

// The server.

Server::Listener::Listener(const ServerOptions& options, Handler handler)
    : options_(options), handler_(std::move(handler)) {
    listen();
    accept();
    thread_ = std::thread([this] { run(); });
}

Server::Listener::~Listener() {
    gate_->shut();
    asio::post(io_, [this] { stop(); });
    thread_.join();
}

void Server::Listener::listen() {
    const auto check = [&](const Failure& failure) {
        if (!failure) return;
        throw Error(fmt::format("the server cannot use address {} with port {}: {}", options_.address,
                                options_.port, failure.message()),
                    "give an IP address of this machine and a port that is free, or port 0 for any");
    };
    Failure failure;
    const auto address =
        asio::ip::make_address(options_.address == "localhost" ? "127.0.0.1" : options_.address, failure);
    check(failure);
    const tcp::endpoint here(address, options_.port);
    acceptor_.open(here.protocol(), failure);
    check(failure);
    fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
    acceptor_.set_option(tcp::acceptor::reuse_address(true), failure);
    check(failure);
    acceptor_.bind(here, failure);
    check(failure);
    acceptor_.listen(asio::socket_base::max_listen_connections, failure);
    check(failure);
    port_ = acceptor_.local_endpoint(failure).port();
    check(failure);
}

void Server::Listener::accept() {
    acceptor_.async_accept([this](Failure failure, tcp::socket socket) {
        if (stopping_) return;
        if (failure && failure != asio::error::connection_aborted) {
            pause_.expires_after(accept_pause);
            pause_.async_wait([this](Failure) {
                if (!stopping_) accept();
            });
            return;
        }
        accept();
        if (!failure) open(std::move(socket));
    });
}

void Server::Listener::open(tcp::socket socket) {
    fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
    const bool full = active_ >= options_.most_connections;
    const auto session = std::make_shared<Session>(*this, std::move(socket), !full);
    if (full) {
        session->refuse(503, "there are too many connections");
    } else {
        session->start();
    }
}

// Where bodies together become too large, the largest goes: many small ones are not kept out by a few.
void Server::Listener::keep_within_budget() {
    while (buffered_ > options_.most_buffered) {
        const auto largest = std::max_element(
            sessions_.begin(), sessions_.end(),
            [](const Session* a, const Session* b) { return a->buffered() < b->buffered(); });
        (*largest)->refuse(503, "too much is being sent at once");
    }
}

std::vector<std::shared_ptr<Server::Listener::Session>> Server::Listener::sessions() const {
    std::vector<std::shared_ptr<Session>> all;
    for (Session* session : sessions_) all.push_back(session->shared_from_this());
    return all;
}

void Server::Listener::stop() {
    stopping_ = true;
    Failure ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    for (const auto& session : sessions()) session->stop();
    if (sessions_.empty()) return;
    moment_.expires_after(last_moment);
    moment_.async_wait([this](Failure failure) {
        if (failure) return;
        for (const auto& session : sessions()) session->close();
    });
}

void Server::Listener::run() {
    for (;;) {
        try {
            io_.run();
            return;
        } catch (...) {  // whatever it was, it ends one connection only
        }
    }
}

Server::Server(const ServerOptions& options, Handler handler)
    : listener_(std::make_unique<Listener>(options, std::move(handler))) {}

Server::~Server() = default;

std::uint16_t Server::port() const { return listener_->port(); }

std::size_t Server::connections() const { return listener_->connections(); }

}  // namespace zermelo::net
