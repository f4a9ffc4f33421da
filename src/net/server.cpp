#include "net/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "net/server/listener.hpp"
#include "net/server/session.hpp"

namespace zermelo::net {

namespace {

constexpr auto accept_pause = std::chrono::milliseconds(50);  // where the system has no more sockets
constexpr auto last_moment = std::chrono::seconds(1);         // for answers when the server stops

}  // namespace

Server::Listener::Listener(const ServerOptions& options, Handler handler)
    : options_(options), handler_(std::move(handler)) {
    listen();
    accept();
    thread_ = std::thread([this] { run(); });
}

Server::Listener::~Listener() {
    dispatcher_->shut();
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
        (*largest)->refuse(503, "too many requests are being sent at once");
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
