// HTTP messages, as much of them as a program that speaks to programs needs.
//
// This room owns the network: a server, a client, addresses. It knows nothing of games.

#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace zermelo::net {

using Clock = std::chrono::steady_clock;
[[nodiscard]] inline Clock::duration in_seconds(double seconds) {  // some years at most
    return std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(std::clamp(seconds, 0.0, 1e8)));
}

struct Request {
    std::string method;
    std::string target;  // as it was sent, with its percent signs
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string peer;            // the address of who asks
    Clock::time_point accepted;  // when the connection came in
    double round_trip = 0;       // of the wire, in seconds, as the system measured it; 0 where it did not

    // The value of a header, whatever the case of its name; empty where there is none.
    [[nodiscard]] std::string header(const std::string& name) const;
};

struct Response {
    int status = 200;
    std::string body = {};
    std::string type = "text/plain; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers = {};
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
