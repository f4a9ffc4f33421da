// Access control and rate limiting (token bucket) of the page's server.
//
// A foreign web page, open in the same browser, must not reach a server on this machine: so the name by which
// the server is called has to be one of its own (which prevents DNS rebinding), and a request has to come
// from the page itself (which prevents cross-site request forgery). Where other machines can connect, a token
// is required besides. Each address may send so many requests a second, and a few more in a burst.

#pragma once

#include <map>
#include <optional>

#include "net/http.hpp"

namespace zermelo::web {

[[nodiscard]] bool is_loopback(const std::string& address);  // of the names, localhost alone

class AccessControl {
public:
    struct Options {
        std::string address = {};             // where the server listens
        std::vector<std::string> hosts = {};  // further names of it
        std::string token = {};               // empty: none is asked for
        double requests_per_second = 50;
    };

    // Throws Error where others can connect and there is no token, or one that is easily guessed.
    explicit AccessControl(const Options& options);

    // The answer to a request that is refused, whatever it asks for: 400, 421 or 429.
    [[nodiscard]] std::optional<net::Response> refuse(const net::Request& request,
                                                      net::Clock::time_point now);
    // Of a request to the API besides: 401, 403 or 415.
    [[nodiscard]] std::optional<net::Response> refuse_call(const net::Request& request) const;

    [[nodiscard]] std::size_t known_addresses() const { return buckets_.size(); }

private:
    struct Bucket {
        double permits;
        net::Clock::time_point filled;
    };

    [[nodiscard]] bool knows_host(const std::string& host) const;
    [[nodiscard]] bool has_token(const net::Request& request) const;
    [[nodiscard]] bool take_permit(const std::string& peer, net::Clock::time_point now);
    void forget_addresses(net::Clock::time_point now);

    Options options_;
    std::map<std::string, Bucket> buckets_;  // by address of the client
};

}  // namespace zermelo::web
