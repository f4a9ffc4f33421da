#include "net/http.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/format/numbers.hpp"

namespace zermelo::net {

namespace {

constexpr const char* url_form = "write it as http://host:port/path";

char lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same_name(std::string_view one, std::string_view other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

std::optional<int> hex_digit(char letter) {
    const char small = lower(letter);
    if (small >= '0' && small <= '9') return small - '0';
    if (small >= 'a' && small <= 'f') return small - 'a' + 10;
    return std::nullopt;
}

[[noreturn]] void refuse(const std::string& text, const std::string& problem) {
    throw Error(fmt::format("the address '{}' {}", text, problem), url_form);
}

}  // namespace

std::string Request::header(const std::string& name) const {
    for (const auto& [key, value] : headers) {
        if (same_name(key, name)) return value;
    }
    return "";
}

std::string Url::text() const {
    const bool colons = host.find(':') != std::string::npos;  // an address of IPv6
    return fmt::format("http://{}{}{}", colons ? "[" + host + "]" : host,
                       port == 80 ? "" : fmt::format(":{}", port), path);
}

Url read_url(const std::string& text) {
    constexpr std::string_view scheme = "http://";
    const auto unprintable = [](char letter) {
        return static_cast<unsigned char>(letter) <= ' ' || letter == 0x7f;
    };
    if (std::any_of(text.begin(), text.end(), unprintable))
        refuse(text, "contains a blank or a control character");
    if (!same_name(text.substr(0, scheme.size()), scheme)) refuse(text, "does not begin with http://");
    std::string_view rest = std::string_view(text).substr(scheme.size());
    rest = rest.substr(0, rest.find('#'));

    Url url;
    const std::size_t path = rest.find_first_of("/?");
    if (path != std::string_view::npos) {
        url.path = rest[path] == '/' ? rest.substr(path) : "/" + std::string(rest.substr(path));
        rest = rest.substr(0, path);
    }
    if (rest.find('@') != std::string_view::npos) refuse(text, "has a user name, which is not supported");

    std::size_t end = rest.find(':');
    if (!rest.empty() && rest.front() == '[') {
        const std::size_t bracket = rest.find(']');
        if (bracket == std::string_view::npos) refuse(text, "has a bracket that is never closed");
        url.host = rest.substr(1, bracket - 1);
        end = bracket + 1;
    } else {
        url.host = rest.substr(0, end);
    }
    if (url.host.empty()) refuse(text, "names no host");
    if (end >= rest.size()) return url;
    if (rest[end] != ':') refuse(text, "has text after its bracket that is not a port");

    url.port = read_number<std::uint16_t>(rest.substr(end + 1)).value_or(0);
    if (url.port == 0) refuse(text, "has a port that is not a number from 1 to 65535");
    return url;
}

std::string unescape(const std::string& text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t at = 0; at < text.size(); at++) {
        if (text[at] == '%' && at + 2 < text.size()) {
            const auto high = hex_digit(text[at + 1]);
            const auto low = hex_digit(text[at + 2]);
            if (high && low) {
                plain += static_cast<char>(*high * 16 + *low);
                at += 2;
                continue;
            }
        }
        plain += text[at];
    }
    return plain;
}

}  // namespace zermelo::net
