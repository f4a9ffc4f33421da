#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {
namespace {

class Tournaments : public testing::Test {
protected:
    Tournaments() { add_tournaments(router, cache); }

    [[nodiscard]] static json small(const json& games) {
        return {{"games", games},
                {"players", {"random", "uct:playouts=200"}},
                {"form", "round robin"},
                {"rounds", 4},
                {"clock", 0.05}};
    }
    [[nodiscard]] int status(json body, const std::string& key, json value) const {
        body[key] = std::move(value);
        return refused([&] { (void)asker.listen("/api/tournaments", body); });
    }

    Library library{ZERMELO_SOURCE_DIR "/games"};
    GameCache cache{library};
    Router router;
    Asker asker{router};
    const json nim = json::array({{{"id", "gdl/nim"}}});
};

TEST_F(Tournaments, UctBeatsARandomPlayerAtNimAndTheTableFills) {
    const Heard heard = asker.listen("/api/tournaments", small(nim));
    const json start = heard.events.front().data;
    EXPECT_EQ(start["labels"], json({"random", "uct:playouts=200"}));
    EXPECT_EQ(start["scheduled"], 8);
    const json standings = heard.last("standings");
    EXPECT_EQ(standings["finished"], 8);
    ASSERT_EQ(standings["players"].size(), 2);
    const json best = standings["players"][0];
    EXPECT_EQ(best["player"], "uct:playouts=200");
    EXPECT_GT(best["score"], 0.5);
    EXPECT_LE(best["low"], best["score"]);
    EXPECT_GE(best["high"], best["score"]);
    EXPECT_GT(best["rating"], 0);
    EXPECT_EQ(best["wins"].get<int>() + best["draws"].get<int>() + best["losses"].get<int>(), 8);
    EXPECT_EQ(standings["games"][0][1], 8);
    EXPECT_TRUE(standings["errors"].empty());
    const json end = heard.last("end");
    EXPECT_EQ(end["stop"], "");
    EXPECT_EQ(json::parse(end["files"]["json"].get<std::string>())["plan"]["rounds"], 4);
    EXPECT_NE(end["files"]["csv"].get<std::string>().find("uct:playouts=200"), std::string::npos);
    EXPECT_TRUE(end["files"]["html"].get<std::string>().starts_with("<!DOCTYPE html>"));
}

TEST_F(Tournaments, NoPathOfThisMachineIsInAReport) {
    const Heard heard = asker.listen("/api/tournaments", small(nim));
    for (const auto& [ending, file] : heard.last("end")["files"].items())
        EXPECT_EQ(file.get<std::string>().find(ZERMELO_SOURCE_DIR), std::string::npos) << ending;
}

TEST_F(Tournaments, AGameThatWasPastedIsPlayedToo) {
    const json pasted = {{"kind", "gdl"}, {"text", library.find("gdl/subtraction")->text}};
    const Heard heard = asker.listen("/api/tournaments", small(json::array({pasted, pasted})));
    EXPECT_EQ(heard.last("standings")["finished"], 16);
    EXPECT_NE(heard.events.front().data["games"][0], heard.events.front().data["games"][1]);
}

TEST_F(Tournaments, WhatWouldBeTooMuchIsRefusedBeforeItBegins) {
    const json body = small(nim);
    EXPECT_EQ(status(body, "players", {"random", "http://127.0.0.1:9147"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "perfect:strategy=/etc/passwd"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "uct:threads=2"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "uct:memory=2G"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "uct:seconds=1000"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "uct:playouts=1000000000"}), 422);
    EXPECT_EQ(status(body, "players", {"random", "no-such-player"}), 422);
    EXPECT_EQ(status(body, "players", json::array()), 400);
    EXPECT_EQ(status(body, "players", std::vector<std::string>(9, "random")), 400);
    EXPECT_EQ(status(body, "players", {"random"}), 422);
    EXPECT_EQ(status(body, "games", json::array()), 400);
    EXPECT_EQ(status(body, "games", "gdl/nim"), 400);
    EXPECT_EQ(status(body, "rounds", 1001), 422);
    EXPECT_EQ(status(body, "rounds", 1e9), 400);
    EXPECT_EQ(status(body, "clock", 60), 400);
    EXPECT_EQ(status(body, "clock", 0), 400);
    EXPECT_EQ(status(body, "form", "knockout"), 400);
    EXPECT_NE(status(body, "games", json::array({{{"id", "graphs/cycle"}}})), 0);
}

// The page goes in the midst of a long thought.
TEST_F(Tournaments, EndsWhenItsPageHasGone) {
    std::atomic<bool> gone = false;
    const std::jthread visitor([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        gone = true;
    });
    const Cancellable scope(gone);
    Heard heard;
    json body = small(json::array({{{"id", "gdl/connect-four"}}}));
    body["players"] = {"uct", "grave"};
    body["clock"] = 10;
    const auto start = std::chrono::steady_clock::now();
    asker.stream("/api/tournaments", body, heard);
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 5);
    EXPECT_EQ(heard.last("end")["stop"], "interrupted");
}

}  // namespace
}  // namespace zermelo::web
