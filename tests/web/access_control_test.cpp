#include "web/http/access_control.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace zermelo::web {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;
using namespace std::chrono_literals;

constexpr const char* right_token = "the right token";

net::Request request(const Headers& headers, const std::string& method = "GET") {
    net::Request asked;
    asked.method = method;
    asked.target = "/api/status";
    asked.headers = headers;
    asked.peer = "127.0.0.1";
    return asked;
}

int status(const std::optional<net::Response>& refused) { return refused ? refused->status : 200; }

int host_status(AccessControl& guard, const std::string& host) {
    return status(guard.refuse(request({{"Host", host}}), net::Clock::now()));
}

AccessControl local() { return AccessControl({.address = "127.0.0.1"}); }
AccessControl open_to_all() {
    return AccessControl({.address = "0.0.0.0", .hosts = {"Games.example.org"}, .token = right_token});
}

TEST(AccessControl, OthersNeedAToken) {
    EXPECT_NO_THROW(local());
    EXPECT_NO_THROW(AccessControl({.address = "::1"}));
    EXPECT_NO_THROW(AccessControl({.address = "localhost"}));
    EXPECT_NO_THROW(open_to_all());
    EXPECT_THROW(AccessControl({.address = "0.0.0.0"}), Error);
    EXPECT_THROW(AccessControl({.address = "::"}), Error);
    EXPECT_THROW(AccessControl({.address = "192.168.1.2"}), Error);
    EXPECT_THROW(AccessControl({.address = "0.0.0.0", .token = "short"}), Error);
}

TEST(AccessControl, AnswersToItsOwnNamesOnly) {
    AccessControl here = local();
    for (const char* host : {"127.0.0.1:8080", "localhost", "LocalHost:9000", "[::1]:8080", "127.0.0.1"})
        EXPECT_EQ(host_status(here, host), 200) << host;
    for (const char* host : {"evil.example.org", "evil.example.org:8080", "localhost.evil.org", "192.168.1.2",
                             "127.0.0.1.evil.org", "0.0.0.0"})
        EXPECT_EQ(host_status(here, host), 421) << host;
    for (const char* host : {"", "[::1", "a/b", "user@localhost"})
        EXPECT_EQ(host_status(here, host), 400) << host;

    AccessControl everywhere = open_to_all();
    for (const char* host :
         {"games.example.org", "games.example.org:80", "192.168.1.2:8080", "[2001:db8::1]"})
        EXPECT_EQ(host_status(everywhere, host), 200) << host;
    EXPECT_EQ(host_status(everywhere, "other.example.org"), 421);
}

TEST(AccessControl, OneHostIsNamed) {
    AccessControl guard = local();
    EXPECT_EQ(status(guard.refuse(request({}), {})), 400);
    EXPECT_EQ(status(guard.refuse(request({{"Host", "localhost"}, {"host", "localhost"}}), {})), 400);
}

TEST(AccessControl, OnlyThePageItselfMayAsk) {
    const AccessControl guard = local();
    const auto from = [&](Headers more) {
        more.emplace_back("Host", "localhost:8080");
        return status(guard.refuse_call(request(more)));
    };
    EXPECT_EQ(from({}), 200);
    EXPECT_EQ(from({{"Origin", "http://localhost:8080"}, {"Sec-Fetch-Site", "same-origin"}}), 200);
    EXPECT_EQ(from({{"Origin", "https://localhost:8080"}}), 200);  // behind somebody who speaks TLS
    EXPECT_EQ(from({{"Sec-Fetch-Site", "none"}}), 200);
    EXPECT_EQ(from({{"Origin", "http://evil.example.org"}}), 403);
    EXPECT_EQ(from({{"Origin", "http://localhost:3000"}}), 403);
    EXPECT_EQ(from({{"Origin", "null"}}), 403);
    EXPECT_EQ(from({{"Sec-Fetch-Site", "cross-site"}}), 403);
    EXPECT_EQ(from({{"Sec-Fetch-Site", "same-site"}}), 403);
}

TEST(AccessControl, AsksForItsToken) {
    const AccessControl guard = open_to_all();
    const auto with = [&](const std::string& authorization) {
        return guard.refuse_call(request({{"Host", "games.example.org"}, {"Authorization", authorization}}));
    };
    EXPECT_EQ(status(with(std::string("Bearer ") + right_token)), 200);
    EXPECT_EQ(status(with(std::string("bearer ") + right_token)), 200);
    for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer the wrong token", "Bearer the right toke",
                              "Bearer the right tokenn", "Basic the right token", "the right token"}) {
        const auto refused = with(wrong);
        ASSERT_EQ(status(refused), 401) << wrong;
        EXPECT_EQ(refused->headers, (Headers{{"WWW-Authenticate", "Bearer"}}));
    }
}

TEST(AccessControl, PostsAreJson) {
    const AccessControl guard = local();
    const auto type = [&](const std::string& text) {
        return status(guard.refuse_call(request({{"Host", "localhost"}, {"Content-Type", text}}, "POST")));
    };
    EXPECT_EQ(type("application/json"), 200);
    EXPECT_EQ(type("Application/JSON; charset=utf-8"), 200);
    for (const char* text : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                             "application/json-patch", "text/plain; application/json"})
        EXPECT_EQ(type(text), 415) << text;
}

TEST(AccessControl, AnAddressMayNotAskTooOften) {
    AccessControl guard({.address = "0.0.0.0", .token = right_token, .requests_per_second = 10});
    auto now = net::Clock::now();
    const auto ask = [&](const std::string& peer) {
        net::Request asked = request({{"Host", "127.0.0.1"}});
        asked.peer = peer;
        return status(guard.refuse(asked, now));
    };
    int allowed = 0;
    while (allowed < 1000 && ask("10.0.0.1") == 200) ++allowed;
    EXPECT_EQ(allowed, 40);  // what was saved up
    EXPECT_EQ(ask("10.0.0.2"), 200);
    now += 100ms;
    EXPECT_EQ(ask("10.0.0.1"), 200);
    EXPECT_EQ(ask("10.0.0.1"), 429);
    now += 1h;
    EXPECT_EQ(ask("10.0.0.1"), 200);
}

TEST(AccessControl, AHouseholdIsOneAddress) {
    AccessControl guard({.address = "::", .token = right_token, .requests_per_second = 1});
    const auto ask = [&](const std::string& peer) {
        net::Request asked = request({{"Host", "[::1]"}});
        asked.peer = peer;
        return status(guard.refuse(asked, net::Clock::time_point{}));
    };
    for (const char* peer : {"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"})
        EXPECT_EQ(ask(peer), 200);
    EXPECT_EQ(ask("2001:db8::5"), 429);
    EXPECT_EQ(ask("2001:db8:0:1::5"), 200);
}

TEST(AccessControl, ForgetsAddressesThatNoLongerAsk) {
    AccessControl guard({.address = "0.0.0.0", .token = right_token});
    auto now = net::Clock::time_point{};
    for (int i = 0; i < 100'000; ++i) {
        net::Request asked = request({{"Host", "127.0.0.1"}});
        asked.peer = std::to_string(i);
        now += 1ms;
        ASSERT_EQ(status(guard.refuse(asked, now)), 200);
        ASSERT_LE(guard.known_addresses(), 10'000U);
    }
}

}  // namespace
}  // namespace zermelo::web
