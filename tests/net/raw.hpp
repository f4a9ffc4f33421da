// Hand-written bytes over real sockets, for requests and answers that no library would send.

#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace zermelo::net {

// One end of a connection. Nothing here waits for ever.
class RawSocket {
public:
    RawSocket() = default;
    explicit RawSocket(int number) : number_(number) {}
    RawSocket(RawSocket&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    RawSocket& operator=(RawSocket&& other) noexcept {
        close();
        number_ = std::exchange(other.number_, -1);
        return *this;
    }
    ~RawSocket() { close(); }

    // Whether all of it could be sent.
    bool send(const std::string& text) {
        std::size_t done = 0;
        while (done < text.size()) {
            if (!ready(POLLOUT)) return false;
            const ssize_t count =
                ::send(number_, text.data() + done, text.size() - done, MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
            if (count > 0) done += static_cast<std::size_t>(count);
        }
        return true;
    }
    // Everything until the other side closes.
    [[nodiscard]] std::string read_all() {
        std::string text;
        while (read_some(text)) {
        }
        return text;
    }
    // At least until this has come.
    [[nodiscard]] std::string read_until(const std::string& end) {
        std::string text;
        while (text.find(end) == std::string::npos && read_some(text)) {
        }
        return text;
    }
    [[nodiscard]] std::string read_bytes(std::size_t count) {
        std::string text;
        while (text.size() < count && read_some(text)) {
        }
        return text;
    }
    void finish_sending() { shutdown(number_, SHUT_WR); }
    void close() {
        if (number_ >= 0) ::close(number_);
        number_ = -1;
    }
    // Closes so that the other side sees an error.
    void reset() {
        const linger now{1, 0};
        setsockopt(number_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        close();
    }

protected:
    static constexpr int patience = 20'000;  // milliseconds

    [[nodiscard]] bool ready(short what) const {
        pollfd one{number_, what, 0};
        return number_ >= 0 && poll(&one, 1, patience) > 0;
    }
    bool read_some(std::string& text) {
        char piece[65536];
        if (!ready(POLLIN)) return false;
        const ssize_t count = recv(number_, piece, sizeof piece, 0);
        if (count > 0) text.append(piece, static_cast<std::size_t>(count));
        return count > 0;
    }

    int number_ = -1;
};

[[nodiscard]] inline sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

class RawClient : public RawSocket {
public:
    RawClient() = default;
    explicit RawClient(std::uint16_t port) { connect(port); }

    void connect(std::uint16_t port) {
        close();
        number_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = loopback(port);
        if (::connect(number_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect to port " + std::to_string(port));
    }
};

// Accepts one connection after the other and does with each what it is told.
class RawServer {
public:
    explicit RawServer(std::function<void(RawSocket&)> deed) : deed_(std::move(deed)) {
        number_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        if (bind(number_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
            listen(number_, 64) != 0 ||
            getsockname(number_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            throw std::runtime_error("cannot listen");
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] {
            for (;;) {
                const int number = accept(number_, nullptr, nullptr);
                if (number < 0) return;
                RawSocket socket(number);
                deed_(socket);
            }
        });
    }
    ~RawServer() {
        shutdown(number_, SHUT_RDWR);
        thread_.join();
        close(number_);
    }
    RawServer(const RawServer&) = delete;
    RawServer& operator=(const RawServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    std::function<void(RawSocket&)> deed_;
    int number_ = -1;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

// The status of an answer, and its body; 0 and nothing where there is no answer.
[[nodiscard]] inline int status_of(const std::string& answer) {
    if (answer.rfind("HTTP/1.", 0) != 0 || answer.size() < 12) return 0;
    return std::stoi(answer.substr(9, 3));
}
[[nodiscard]] inline std::string body_of(const std::string& answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return end == std::string::npos ? "" : answer.substr(end + 4);
}

// A body in chunks, put together. Nothing where it does not end as it should.
[[nodiscard]] inline std::string joined(const std::string& chunks) {
    std::string text;
    for (std::size_t place = 0;;) {
        const std::size_t line = chunks.find("\r\n", place);
        if (line == std::string::npos) return "";
        const std::size_t size = std::stoul(chunks.substr(place, line - place), nullptr, 16);
        place = line + 2 + size + 2;
        if (place > chunks.size() || chunks.substr(place - 2, 2) != "\r\n") return "";
        if (size == 0) return place == chunks.size() ? text : "";
        text += chunks.substr(line + 2, size);
    }
}

// Waits until something is so, and says whether it has become so.
[[nodiscard]] inline bool becomes_true(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000; i++) {
        if (condition()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
}

}  // namespace zermelo::net
