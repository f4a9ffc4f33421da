// Status line and header fields of an answer (RFC 9112).

#pragma once

#include <string>

#include "net/http.hpp"

namespace zermelo::net {

// Who speaks HTTP/1.0 reads a stream until the connection ends.
[[nodiscard]] bool knows_chunks(unsigned version);

[[nodiscard]] std::string head_of(const Response& response, unsigned version);

}  // namespace zermelo::net
