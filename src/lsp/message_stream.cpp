#include "lsp/message_stream.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/format/json_text.hpp"
#include "core/limits.hpp"

namespace zermelo::lsp {

namespace {

constexpr std::size_t longest_header = 4096;

// Of the line Content-Length; nothing where there is none.
std::optional<std::size_t> length_in(const std::string& header) {
    std::string lower = header;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::string_view name = "content-length:";
    const std::size_t at = lower.find(name);
    if (at == std::string::npos) return std::nullopt;
    return std::strtoull(lower.c_str() + at + name.size(), nullptr, 10);
}

}  // namespace

bool MessageStream::read_more() {
    std::array<char, 65536> bytes{};
    constexpr int milliseconds = 100;
    const Limits interrupts;
    while (true) {
        if (interrupts.reached() != Stop::none) return false;
        pollfd wanted{input_, POLLIN, 0};
        if (poll(&wanted, 1, milliseconds) <= 0) continue;
        const ssize_t count = ::read(input_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        buffer_.append(bytes.data(), static_cast<std::size_t>(count));
        return true;
    }
}

bool MessageStream::waiting() const {
    if (!buffer_.empty()) return true;
    pollfd wanted{input_, POLLIN, 0};
    return poll(&wanted, 1, 0) > 0;
}

std::optional<std::string> MessageStream::next() {
    std::size_t body = 0;
    while ((body = buffer_.find("\r\n\r\n")) == std::string::npos) {
        if (buffer_.size() > longest_header)
            throw Error("a message has no header", "speak the Language Server Protocol");
        if (!read_more()) return std::nullopt;
    }
    const auto length = length_in(buffer_.substr(0, body));
    if (!length) throw Error("a message has no Content-Length", "speak the Language Server Protocol");
    if (*length > largest)
        throw Error(fmt::format("a message of {} bytes is too long", *length), "open smaller files");
    body += 4;
    while (buffer_.size() < body + *length) {
        if (!read_more()) return std::nullopt;
    }
    std::string message = buffer_.substr(body, *length);
    buffer_.erase(0, body + *length);
    return message;
}

void MessageStream::send(const nlohmann::json& message) const {
    const std::string text = json_text(message);
    const std::string whole = fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
    for (std::size_t at = 0; at < whole.size();) {
        const ssize_t count = ::write(output_, whole.data() + at, whole.size() - at);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;  // nobody listens any more: reading will tell
        at += static_cast<std::size_t>(count);
    }
}

}  // namespace zermelo::lsp
