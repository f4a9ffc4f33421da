#include "web/http/access_control.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>

#include "core/error.hpp"
#include "web/http/router.hpp"

namespace zermelo::web {

namespace {

constexpr std::size_t shortest_token = 8;
constexpr double burst_seconds = 4;         // how much of its share an address may save up
constexpr double loopback_generosity = 20;  // where no other machine can connect
constexpr std::size_t most_buckets = 10'000;

std::string lower(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

bool is_address(const std::string& host) {
    std::array<unsigned char, 16> bytes{};
    return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

// A host as a request names it, without its port and brackets; nothing where it is none.
std::optional<std::string> host_name(const std::string& field) {
    const std::string text = lower(field);
    const std::size_t end = text.starts_with('[') ? text.find(']') : text.find(':');
    if (text.starts_with('[')) {
        if (end == std::string::npos) return std::nullopt;
        return text.substr(1, end - 1);
    }
    if (text.empty() || text.find_first_of("/@ ") != std::string::npos) return std::nullopt;
    return text.substr(0, end);
}

// Of IPv6 a household has at least 2^64 addresses: they count as one.
std::string neighbourhood(const std::string& peer) {
    in6_addr address{};
    if (inet_pton(AF_INET6, peer.c_str(), &address) != 1) return peer;
    return std::string(reinterpret_cast<const char*>(&address), 8);
}

// As long for a wrong token as for the right one.
bool same_secret(const std::string& one, const std::string& other) {
    unsigned char difference = one.size() == other.size() ? 0 : 1;
    for (std::size_t i = 0; i < one.size(); ++i) {
        difference |= static_cast<unsigned char>(one[i] ^ other[i % other.size()]);
    }
    return difference == 0;
}

}  // namespace

bool is_loopback(const std::string& address) {
    if (address == "localhost" || address == "::1") return true;
    in_addr four{};
    return inet_pton(AF_INET, address.c_str(), &four) == 1 && ntohl(four.s_addr) >> 24 == 127;
}

AccessControl::AccessControl(const Options& options) : options_(options) {
    if (options_.token.empty() && !is_loopback(options_.address)) {
        throw Error(fmt::format("anyone who can reach {} could use this program", options_.address),
                    "give a token, or listen on 127.0.0.1");
    }
    if (!options_.token.empty() && options_.token.size() < shortest_token) {
        throw Error("the token is easy to guess",
                    fmt::format("give one of {} characters or more", shortest_token));
    }
    if (options_.token.empty()) options_.requests_per_second *= loopback_generosity;
    for (std::string& host : options_.hosts) host = lower(host);
}

std::optional<net::Response> AccessControl::refuse(const net::Request& request, net::Clock::time_point now) {
    if (!take_permit(neighbourhood(request.peer), now)) {
        auto response = refusal(request, 429, "too many requests from your address; ask less often");
        response.headers.emplace_back("Retry-After", "1");
        return response;
    }
    const auto hosts = std::count_if(request.headers.begin(), request.headers.end(),
                                     [](const auto& header) { return lower(header.first) == "host"; });
    const auto host = host_name(request.header("Host"));
    if (hosts != 1 || !host) return refusal(request, 400, "the request must name one host");
    if (!knows_host(*host)) {
        return refusal(
            request, 421,
            "this server does not have the name " + *host + "; give it that name where it is started");
    }
    return std::nullopt;
}

bool AccessControl::knows_host(const std::string& host) const {
    // An address, unlike a name, cannot be made to point here by anybody else.
    if (is_any(options_.address) && is_address(host)) return true;
    return is_loopback(host) || host == options_.address ||
           std::find(options_.hosts.begin(), options_.hosts.end(), host) != options_.hosts.end();
}

std::optional<net::Response> AccessControl::refuse_call(const net::Request& request) const {
    const std::string site = request.header("Sec-Fetch-Site");
    if (!site.empty() && site != "same-origin" && site != "none")
        return refusal(request, 403, "only the page of this server may send requests");
    const std::string origin = lower(request.header("Origin"));
    const std::string host = lower(request.header("Host"));
    if (!origin.empty() && origin != "http://" + host && origin != "https://" + host)
        return refusal(request, 403, "only the page of this server may send requests");

    if (!has_token(request)) {
        auto response =
            refusal(request, 401, "this server requires a token; open the address that it printed");
        response.headers.emplace_back("WWW-Authenticate", "Bearer");
        return response;
    }
    if (request.method == "POST") {
        const std::string type = lower(request.header("Content-Type"));
        if (type.substr(0, type.find_first_of("; ")) != "application/json")
            return refusal(request, 415, "the body must be application/json");
    }
    return std::nullopt;
}

bool AccessControl::has_token(const net::Request& request) const {
    if (options_.token.empty()) return true;
    const std::string header = request.header("Authorization");
    constexpr std::size_t scheme = std::string_view("Bearer ").size();
    return lower(header.substr(0, scheme)) == "bearer " && same_secret(header.substr(scheme), options_.token);
}

// A token bucket for each address: it fills by so many permits a second, and each request takes one.
bool AccessControl::take_permit(const std::string& peer, net::Clock::time_point now) {
    if (buckets_.size() >= most_buckets && !buckets_.contains(peer)) forget_addresses(now);
    const double most = burst_seconds * options_.requests_per_second;
    auto [found, is_new] = buckets_.try_emplace(peer, Bucket{most, now});
    Bucket& bucket = found->second;
    const double seconds = std::chrono::duration<double>(now - bucket.filled).count();
    bucket.permits = std::min(most, bucket.permits + seconds * options_.requests_per_second);
    bucket.filled = now;
    if (bucket.permits < 1) return false;
    bucket.permits -= 1;
    return true;
}

void AccessControl::forget_addresses(net::Clock::time_point now) {
    std::erase_if(buckets_, [&](const auto& entry) {
        return std::chrono::duration<double>(now - entry.second.filled).count() >= burst_seconds;
    });
    if (buckets_.size() >= most_buckets) buckets_.clear();  // too many to tell them apart
}

}  // namespace zermelo::web
