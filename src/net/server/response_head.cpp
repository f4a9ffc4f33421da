#include "net/server/response_head.hpp"

#include <fmt/format.h>

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>

#include "net/head.hpp"

namespace zermelo::net {

namespace beast = boost::beast;
namespace http = boost::beast::http;

bool knows_chunks(unsigned version) { return version > 10; }

std::string head_of(const Response& response, unsigned version) {
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(response.status)));
    std::string head = fmt::format("HTTP/{}.{} {} {}\r\n", version / 10, version % 10, response.status,
                                   std::string(reason.data(), reason.size()));
    if (!response.type.empty()) head += fmt::format("Content-Type: {}\r\n", one_line(response.type));
    for (const auto& [name, value] : response.headers) {
        if (beast::iequals(name, "Connection") || beast::iequals(name, "Content-Length") ||
            beast::iequals(name, "Transfer-Encoding"))
            continue;
        head += fmt::format("{}: {}\r\n", one_line(name), one_line(value));
    }
    if (!response.stream && response.status != 304) {  // where it would be that of what is not sent again
        head += fmt::format("Content-Length: {}\r\n", response.body.size());
    } else if (response.stream && knows_chunks(version)) {
        head += "Transfer-Encoding: chunked\r\n";
    }
    return head + "Connection: close\r\n\r\n";
}

}  // namespace zermelo::net
