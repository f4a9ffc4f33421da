// HTTP server: event-driven, for many clients at once, none of which can harm the others.
//
// One thread reads and writes for all connections, so a client that sends a byte a second, or never, costs a
// little memory and no thread. Each connection carries one request and is closed after the answer: GGP
// managers read until then. A request that is too large, too slow or no HTTP gets the fitting status and is
// closed; so is a connection when there are too many already.
//
// The handler is called on that thread and must return at once; its answer may come later, from any thread.
// An answer may also be a stream: it goes on while the client listens and its writer holds it. A client that
// leaves 1 MB of it unread is cut off. A client that has finished sending still gets an answer, but no
// stream.

#pragma once

#include <functional>
#include <memory>

#include "net/http.hpp"

namespace zermelo::net {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;                              // 0: any that is free
    std::size_t most_body = std::size_t{64} << 20;       // bytes; 413 beyond
    std::size_t most_buffered = std::size_t{256} << 20;  // of all bodies that are being read together; 503
    std::size_t most_connections = 1024;                 // 503 beyond
    double read_timeout = 30;   // seconds for a request to arrive as a whole; 408 then
    double write_timeout = 30;  // seconds for an answer to leave, or what a stream has to send at a time
};

class Server {
public:
    // What to do with a request. To be called once; later calls, and calls after the server was stopped, do
    // nothing. `sent` is called when the answer has left, on the server's thread, with whether it has as a
    // whole; it has not where the client has gone. A request that is dropped without an answer gets status
    // 500.
    using Respond = std::function<void(Response response, std::function<void(bool sent)> sent)>;
    using Handler = std::function<void(Request request, Respond respond)>;

    // Listens from here on. Throws Error where the address cannot be used.
    Server(const ServerOptions& options, Handler handler);
    // Stops: no more requests, and streams end; answers that are being written get a moment. Not on the
    // server's own thread.
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::size_t connections() const;  // that have no answer yet

private:
    class Listener;
    std::unique_ptr<Listener> listener_;
};

}  // namespace zermelo::net
