// The listener behind Server: it accepts connections, and owns what all of them share.

#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <unordered_set>
#include <vector>

#include "net/server.hpp"
#include "net/server/dispatcher.hpp"

namespace zermelo::net {

// Bytes after a request of which we take note.
inline constexpr std::size_t most_discarded = std::size_t{64} << 10;

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
    class Responder;
    class PendingStream;

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
    std::array<char, most_discarded> discarded_;  // where bytes go that nobody wants
    asio::io_context io_{1};
    std::shared_ptr<Dispatcher> dispatcher_ = std::make_shared<Dispatcher>(io_);
    tcp::acceptor acceptor_{io_};
    asio::steady_timer pause_{io_};
    asio::steady_timer moment_{io_};
    std::thread thread_;
};

}  // namespace zermelo::net
