// Many players and analyses at once, some of whom leave before the end, on a real server.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "net/client.hpp"
#include "net/raw.hpp"
#include "web/server.hpp"

namespace zermelo::web {
namespace {

constexpr std::size_t clients = 50;

class Load : public testing::Test {
protected:
    static Options options() {
        Options result;
        result.games = std::string(ZERMELO_SOURCE_DIR) + "/games";
        result.requests_per_second = 10'000;
        return result;
    }

    [[nodiscard]] json status() {
        const auto begun = net::Clock::now();
        const net::Reply reply =
            net::request({.host = "127.0.0.1", .port = server_.port(), .path = "/api/status"}, std::nullopt);
        const std::chrono::duration<double> seconds = net::Clock::now() - begun;
        EXPECT_EQ(reply.kind, net::Reply::Kind::answered) << reply.problem;
        EXPECT_EQ(reply.response.status, 200);
        slowest_ = std::max(slowest_, seconds.count());
        ++asked_;
        return json::parse(reply.response.body);
    }

    // Half of the clients play, half of them analyse, games of all kinds.
    [[nodiscard]] std::string question(std::size_t number, double seconds) const {
        static const std::vector<std::pair<const char*, const char*>> games = {
            {"gdl/connect-four", "yellow"}, {"gdl/othello", "black"}, {"gdl/breakthrough", "white"},
            {"gdl/dice-race", "alice"},     {"gdl/hex", "red"},
        };
        static const std::vector<const char*> players = {"zermelo", "grave", "uct", "alpha-beta"};
        const auto& [game, role] = games[number / 2 % games.size()];
        json body = {{"game", {{"id", game}}},
                     {"steps", json::array()},
                     {"player", players[number / 2 % players.size()]},
                     {"seconds", seconds}};
        const bool thinks = number % 2 == 0;
        if (thinks) body["role"] = role;
        const std::string text = body.dump();
        return std::string("POST ") + (thinks ? "/api/think" : "/api/analyse") +
               " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_.port()) +
               "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(text.size()) +
               "\r\n\r\n" + text;
    }

    // Asks for the status until all is over.
    template <class Condition>
    void watch_until(Condition condition) {
        while (!condition()) {
            const json now = status();
            most_memory_ = std::max<std::size_t>(most_memory_, now["memory"]);
            most_running_ = std::max<std::size_t>(most_running_, now["running"]);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }

    void TearDown() override {
        std::printf("%zu times the status, answered within %.3f s; %zu at work at once, %zu MB\n", asked_,
                    slowest_, most_running_, most_memory_ >> 20);
        EXPECT_LT(most_memory_, options().memory);
        EXPECT_LT(slowest_, 10);
    }

    Server server_{options()};
    double slowest_ = 0;
    std::size_t asked_ = 0;
    std::size_t most_memory_ = 0;
    std::size_t most_running_ = 0;
};

TEST_F(Load, FiftyPlayersAndAnalysesAreAllAnswered) {
    std::vector<std::string> answers(clients);
    std::atomic<std::size_t> finished = 0;
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < clients; ++i) {
        threads.emplace_back([&, i] {
            net::RawClient client(server_.port());
            EXPECT_TRUE(client.send(question(i, 2)));
            // Who comes in odd pairs leaves after the first news.
            answers[i] = i % 4 < 2 ? client.read_all() : client.read_until("event: ");
            ++finished;
        });
    }
    watch_until([&] { return finished == clients; });
    for (std::size_t i = 0; i < clients; ++i) {
        EXPECT_EQ(net::status_of(answers[i]), 200) << answers[i];
        if (i % 4 >= 2) continue;
        const char* last = i % 2 == 0 ? "event: move" : "event: end";
        EXPECT_NE(answers[i].find(last), std::string::npos) << i << ": " << answers[i];
    }
}

TEST_F(Load, WorkWhoseClientHasGoneEnds) {
    std::vector<net::RawClient> all(clients);
    for (std::size_t i = 0; i < clients; ++i) {
        all[i].connect(server_.port());
        EXPECT_TRUE(all[i].send(question(i, 300)));
    }
    const auto until = net::Clock::now() + std::chrono::seconds(4);
    watch_until([&] { return net::Clock::now() > until; });
    EXPECT_GE(status()["running"], clients / 2);
    all.clear();
    const auto gone = net::Clock::now();
    watch_until(
        [&] { return status()["running"] == 0 || net::Clock::now() - gone > std::chrono::minutes(1); });
    const std::chrono::duration<double> seconds = net::Clock::now() - gone;
    EXPECT_EQ(status()["running"], 0);
    std::printf("all work had ended %.2f s after its clients had gone\n", seconds.count());
}

}  // namespace
}  // namespace zermelo::web
