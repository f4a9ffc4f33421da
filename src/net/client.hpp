// HTTP client: one request, with a deadline for everything.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "net/http.hpp"

namespace zermelo::net {

struct Reply {
    enum class Kind {
        answered,     // there is a response, whatever its status
        unreachable,  // no connection in time
        late,         // connected, but no whole answer in time
        broken,       // the other side closed without an answer, or it is no HTTP
        cancelled     // Ctrl-C
    };
    Kind kind = Kind::unreachable;
    Response response = {};
    double seconds = 0;        // from the call to the last byte of the answer
    std::string problem = {};  // a phrase, unless answered
};

struct ClientOptions {
    double connect_seconds = 5;
    double seconds = 30;  // for all of it
    std::size_t most_body = std::size_t{64} << 20;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string type = "text/plain";
};

// POST, or GET where the body is nothing. An answer without a length ends where the connection does. Blocks.
[[nodiscard]] Reply request(const Url& url, const std::optional<std::string>& body,
                            const ClientOptions& options = {});

}  // namespace zermelo::net
