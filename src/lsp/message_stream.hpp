// Messages of the base protocol: a header with the length, an empty line, and JSON (JSON-RPC 2.0).

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace zermelo::lsp {

class MessageStream {
public:
    MessageStream(int input, int output) : input_(input), output_(output) {}

    // The text of the next message, waiting for it; nothing at the end of the input, or when the work is interrupted.
    // Throws Error about headers that are none, and messages of more than `largest` bytes.
    [[nodiscard]] std::optional<std::string> next();
    // Whether something of a message is there already.
    [[nodiscard]] bool waiting() const;
    void send(const nlohmann::json& message) const;

    static constexpr std::size_t largest = std::size_t{64} << 20;

private:
    bool read_more();  // false at the end

    int input_;
    int output_;
    std::string buffer_;
};

}  // namespace zermelo::lsp
