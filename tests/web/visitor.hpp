// A server of the page on a port of its own, and requests to it as bytes, of good and of bad clients.

#pragma once

#include "net/raw.hpp"
#include "web/server.hpp"

namespace zermelo::web {

inline const std::string games_folder = std::string(ZERMELO_SOURCE_DIR) + "/games";

struct Visit {
    std::string method = "GET";
    std::string target = "/";
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
    std::string host = "localhost";

    [[nodiscard]] std::string text() const {
        std::string all = method + " " + target + " HTTP/1.1\r\n";
        if (!host.empty()) all += "Host: " + host + "\r\n";
        for (const auto& [name, value] : headers) all += name + ": " + value + "\r\n";
        if (method != "GET" && method != "HEAD")
            all += "Content-Length: " + std::to_string(body.size()) + "\r\n";
        return all + "\r\n" + body;
    }
};

[[nodiscard]] inline Visit post(const std::string& target, const std::string& body) {
    return {"POST", target, {{"Content-Type", "application/json"}}, body};
}
[[nodiscard]] inline Visit post(const std::string& target, const json& body) {
    return post(target, body.dump());
}

class Visited {
public:
    explicit Visited(Options options = {}) : server_(with_games(std::move(options))) {}

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

    [[nodiscard]] std::string raw(const std::string& bytes) const {
        net::RawClient client(port());
        client.send(bytes);
        return client.read_all();
    }
    [[nodiscard]] std::string answer(const Visit& visit) const { return raw(visit.text()); }
    [[nodiscard]] int status(const Visit& visit) const { return net::status_of(answer(visit)); }
    [[nodiscard]] json ask(const Visit& visit) const { return json::parse(net::body_of(answer(visit))); }
    [[nodiscard]] json get(const std::string& target) const { return ask({.target = target}); }

private:
    static Options with_games(Options options) {
        if (options.games.empty()) options.games = games_folder;
        return options;
    }

    Server server_;
};

// The value of a header of an answer; empty where there is none.
[[nodiscard]] inline std::string header(const std::string& answer, const std::string& name) {
    const std::string head = answer.substr(0, answer.find("\r\n\r\n"));
    const std::size_t found = head.find("\r\n" + name + ": ");
    if (found == std::string::npos) return "";
    const std::size_t begin = found + name.size() + 4;
    return head.substr(begin, head.find("\r\n", begin) - begin);
}

}  // namespace zermelo::web
