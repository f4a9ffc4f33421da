// HTTP/1.1 messages (RFC 9112), as far as a program that talks to programs needs them.

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/clock.hpp"

namespace zermelo::net {

using Clock = std::chrono::steady_clock;
[[nodiscard]] inline Clock::duration in_seconds(double seconds) {  // some years at most
    return clock_duration(std::clamp(seconds, 0.0, 1e8));
}

struct Request {
    std::string method;
    std::string target;  // as it was sent, with its percent signs
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string peer;            // the client's address
    Clock::time_point accepted;  // when the connection came in
    double round_trip = 0;       // of the wire, in seconds, as the system measured it; 0 where it did not
    // Set once the client has closed its side or the connection has failed, so that an answer may not be
    // read; and when the server stops. Null where the request did not come over a server.
    std::shared_ptr<std::atomic<bool>> gone = {};

    // The value of a header, whatever the case of its name; empty where there is none.
    [[nodiscard]] std::string header(const std::string& name) const;
};

// An answer in pieces, for as long as the client listens. Any thread may write; when the last owner lets go
// of it, the answer ends.
class Stream {
public:
    virtual ~Stream() = default;
    // False where the client has gone, or leaves too much unread: then nothing more is sent.
    virtual bool write(std::string piece) = 0;
};

struct Response {
    int status = 200;
    std::string body = {};
    std::string type = "text/plain; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers = {};
    // Where it is set, the body is only the first piece, and this is called on the server's thread with the
    // way to write the others; not at all where the client has gone.
    std::function<void(std::shared_ptr<Stream>)> stream = {};
};

// http://host[:port][/path]; the port is 80 where none is given.
struct Url {
    std::string host;
    std::uint16_t port = 80;
    std::string path = "/";
    [[nodiscard]] std::string text() const;
};
[[nodiscard]] Url read_url(const std::string& text);  // throws Error

// %20 and the like; a plus stays one. What is no escape stays as it is.
[[nodiscard]] std::string unescape(const std::string& text);

}  // namespace zermelo::net
