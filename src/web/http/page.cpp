#include "web/http/page.hpp"

#include <fmt/format.h>

#include <boost/beast/zlib/inflate_stream.hpp>
#include <stdexcept>

#include "web/http/assets.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t gzip_head = 10;  // as embed.mjs writes it: no names, no comments
constexpr std::size_t gzip_tail = 8;

std::string inflate(std::string_view gzip) {
    namespace zlib = boost::beast::zlib;
    if (gzip.size() < gzip_head + gzip_tail || gzip[3] != 0) throw std::runtime_error("a file is damaged");
    const auto byte = [&](std::size_t from_end) {
        return static_cast<std::size_t>(static_cast<unsigned char>(gzip[gzip.size() - from_end]));
    };
    std::string plain(byte(4) | byte(3) << 8 | byte(2) << 16 | byte(1) << 24, '\0');
    char nothing = 0;
    zlib::z_params step;
    step.next_in = gzip.data() + gzip_head;
    step.avail_in = gzip.size() - gzip_head - gzip_tail;
    step.next_out = plain.empty() ? &nothing : plain.data();
    step.avail_out = plain.size();
    boost::system::error_code failure;
    zlib::inflate_stream().write(step, zlib::Flush::finish, failure);
    if (step.total_out != plain.size()) throw std::runtime_error("a file is damaged");
    return plain;
}

const Asset* find(const std::string& path) {
    const std::string wanted = path == "/" ? "/index.html" : path;
    for (const Asset& asset : assets()) {
        if (asset.path == wanted) return &asset;
    }
    return nullptr;
}

// Whether gzip is among what the client takes, and not with weight 0.
bool takes_gzip(const net::Request& request) {
    const std::string accepted = request.header("Accept-Encoding");
    for (std::size_t begin = 0; begin < accepted.size();) {
        const std::size_t end = std::min(accepted.find(',', begin), accepted.size());
        std::string coding = accepted.substr(begin, end - begin);
        std::erase(coding, ' ');
        if (coding == "gzip" ||
            (coding.starts_with("gzip;q=") && coding.find_first_of("123456789", 7) != std::string::npos))
            return true;
        begin = end + 1;
    }
    return false;
}

net::Response missing() {
    return {.status = 404,
            .body = assets().empty() ? "this program was built without its page; the API is below /api/\n"
                                     : "this page does not exist\n"};
}

}  // namespace

net::Response page_response(const net::Request& request) {
    if (request.method != "GET" && request.method != "HEAD")
        return {.status = 405, .body = "the page is read-only\n", .headers = {{"Allow", "GET, HEAD"}}};
    const Asset* asset = find(request.target.substr(0, request.target.find('?')));
    if (asset == nullptr) return missing();

    const std::string tag = fmt::format("W/\"{}\"", asset->tag);
    const bool lasting = asset->path.starts_with("/assets/");
    net::Response response{
        .type = std::string(asset->type),
        .headers = {{"Cache-Control", lasting ? "public, max-age=31536000, immutable" : "no-cache"},
                    {"ETag", tag},
                    {"Vary", "Accept-Encoding"}}};
    if (request.header("If-None-Match").find(tag) != std::string::npos) {
        response.status = 304;
    } else if (takes_gzip(request)) {
        response.headers.emplace_back("Content-Encoding", "gzip");
        response.body = asset->gzip;
    } else {
        response.body = inflate(asset->gzip);
    }
    return response;
}

}  // namespace zermelo::web
