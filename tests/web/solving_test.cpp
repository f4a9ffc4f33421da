#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "game/strategy/json.hpp"
#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {
namespace {

class Solving : public testing::Test {
protected:
    Solving() { add_solving(router, cache); }

    [[nodiscard]] json solve(const json& game, double seconds = 30) const {
        return asker.listen("/api/solve", {{"game", game}, {"seconds", seconds}}).last("solved");
    }
    [[nodiscard]] static std::string address(const json& strategy) {
        return "/api/strategies/" + strategy["id"].get<std::string>();
    }
    [[nodiscard]] json node(const json& strategy, std::size_t id) const {
        return asker.get(address(strategy) + "/nodes",
                         {{"from", std::to_string(id)}, {"most", "1"}})["nodes"][0];
    }

    Library library{ZERMELO_SOURCE_DIR "/games"};
    GameCache cache{library};
    Router router;
    Asker asker{router};
};

TEST_F(Solving, TicTacToeIsDrawnAndBothPlayersHaveValidStrategies) {
    const json solution = solve({{"id", "gdl/tic-tac-toe"}});
    EXPECT_EQ(solution["verdict"], "drawn");
    EXPECT_EQ(solution["stop"], "");
    EXPECT_EQ(solution["values"]["x"], 50);
    EXPECT_EQ(solution["best"].size(), 9);
    ASSERT_EQ(solution["strategies"].size(), 2);
    for (const json& strategy : solution["strategies"]) {
        EXPECT_TRUE(strategy["check"]["valid"]) << strategy["check"];
        EXPECT_EQ(strategy["promise"], 50);
        EXPECT_EQ(strategy["check"]["positions"], strategy["nodes"]);
        EXPECT_FALSE(strategy["truncated"]);
        EXPECT_EQ(asker.get(address(strategy)), strategy);
    }
}

TEST_F(Solving, AVerdictWhoseCheckFailsIsNone) {
    const json solution = solve({{"id", "quantified/nim-five-wrong-cut"}});
    EXPECT_EQ(solution["verdict"], "unknown");
    EXPECT_NE(solution["stop"].get<std::string>().find("the check of the strategy failed"),
              std::string::npos);
    EXPECT_TRUE(solution["strategies"].empty());
    EXPECT_TRUE(solution["best"].empty());
    EXPECT_TRUE(solution["values"].empty());
}

TEST_F(Solving, AStrategyIsFollowedMoveByMoveUntilItsOwnerDeviates) {
    const json strategy = solve({{"id", "gdl/tic-tac-toe"}})["strategies"][0];
    ASSERT_EQ(strategy["owner"], "x");
    const json root = node(strategy, strategy["root"]);
    ASSERT_EQ(root["kind"], "owner");
    ASSERT_EQ(root["edges"].size(), 1);
    const std::string first = root["edges"][0]["labels"][0];
    const json reply = node(strategy, root["edges"][0]["to"]);
    ASSERT_EQ(reply["kind"], "other");
    EXPECT_EQ(reply["label"], "o");
    EXPECT_EQ(reply["edges"].size(), 8);
    const std::string second = reply["edges"][3]["labels"][0];

    const auto follow = [&](const json& moves) {
        return asker.post(address(strategy) + "/follow", {{"moves", moves}})["path"];
    };
    EXPECT_EQ(follow(json::array()), json::array({0}));
    EXPECT_EQ(follow({first, second}), json::array({0, reply["id"], reply["edges"][3]["to"]}));
    EXPECT_EQ(follow({{{"x", first}, {"o", "wait"}}, {{"x", "wait"}, {"o", second}}}),
              follow({first, second}));
    const std::string other = first == "(mark 1 1)" ? "(mark 2 2)" : "(mark 1 1)";
    EXPECT_EQ(follow({other}), json::array({0}));
}

TEST_F(Solving, PositionsAreFoundByTheirFactsWithAWayThere) {
    const json strategy = solve({{"id", "gdl/tic-tac-toe"}})["strategies"][0];
    const json root = node(strategy, 0);
    const json reply = node(strategy, root["edges"][0]["to"]);
    const auto cell = [](const json& way, const std::string& who) {
        const std::string move = way["labels"][0];  // (mark 1 2)
        return json({"cell", move.substr(6, 1), move.substr(8, 1), who});
    };
    const json ours = cell(root["edges"][0], "x");
    const json theirs = cell(reply["edges"][5], "o");
    const auto text = [](const json& fact) {
        return fmt::format("{} {} {}", fact[1].get<std::string>(), fact[2].get<std::string>(),
                           fact[3].get<std::string>());
    };
    const json found =
        asker.get(address(strategy) + "/find",
                  {{"text", fmt::format("(Cell {}) CELL {}", text(ours), text(theirs))}, {"most", "5"}});
    ASSERT_GT(found["total"], 5);
    ASSERT_EQ(found["found"].size(), 5);
    for (const json& each : found["found"]) {
        EXPECT_EQ(each["path"].size(), each["depth"]);
        const json path = asker.post(address(strategy) + "/follow", {{"moves", each["path"]}})["path"];
        EXPECT_EQ(path.back(), each["id"]);
        const json facts = node(strategy, each["id"])["facts"];
        for (const json& fact : {ours, theirs})
            EXPECT_NE(std::find(facts.begin(), facts.end(), fact), facts.end()) << facts;
    }
    EXPECT_EQ(asker.get(address(strategy) + "/find", {{"text", "cell 9 9 x"}})["total"], 0);
}

TEST_F(Solving, NimIsWonAndItsStrategyEndsWithThePromise) {
    const json solution = solve({{"id", "gdl/nim"}});
    EXPECT_EQ(solution["verdict"], "won");
    const json strategy = solution["strategies"][0];
    const json nodes = asker.get(address(strategy) + "/nodes", {{"depth", "100"}, {"most", "2000"}})["nodes"];
    EXPECT_EQ(nodes.size(), strategy["nodes"]);
    std::size_t ends = 0;
    for (const json& each : nodes) {
        EXPECT_TRUE(each["kind"] != "owner" || each["edges"].size() == 1) << each;
        if (each["kind"] != "end") continue;
        ++ends;
        EXPECT_EQ(each["payoff"], 100);
    }
    EXPECT_GT(ends, 0);
}

TEST_F(Solving, AGraphIsSolvedWithItsNamesAsPositions) {
    const json solution = solve({{"id", "graphs/subtraction-13"}});
    EXPECT_EQ(solution["verdict"], "lost");
    const json strategy = solution["strategies"][0];
    EXPECT_EQ(strategy["owner"], "Bob");
    EXPECT_EQ(strategy["promise"], 100);
    EXPECT_TRUE(strategy["check"]["valid"]);
    EXPECT_EQ(node(strategy, 0)["facts"], json::array({"A13"}));
    EXPECT_EQ(asker.post(address(strategy) + "/follow", {{"moves", {"take 1", "take 3"}}})["path"].size(), 3);
}

TEST_F(Solving, FibonacciNimIsWonUnlessTheHeapIsAFibonacciNumber) {
    const json won = solve({{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "10"}}}});
    EXPECT_EQ(won["verdict"], "won");
    EXPECT_EQ(won["values"], json({{"∃", 100}, {"∀", 0}}));
    ASSERT_EQ(won["best"].size(), 1);
    EXPECT_TRUE(won["best"][0].get<std::string>().ends_with("= 2")) << won["best"];
    const json lost = solve({{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "8"}}}});
    EXPECT_EQ(lost["verdict"], "lost");
    EXPECT_EQ(lost["strategies"][0]["owner"], "∀");
    for (const json& solution : {won, lost}) EXPECT_TRUE(solution["strategies"][0]["check"]["valid"]);
}

TEST_F(Solving, AStochasticModelHasAPolicyWithChanceNodes) {
    const json solution = solve({{"id", "stochastic/example-1"}});
    EXPECT_NE(solution["verdict"], "unknown");
    ASSERT_EQ(solution["strategies"].size(), 1);
    const json strategy = solution["strategies"][0];
    EXPECT_TRUE(strategy["check"]["valid"]);
    const json nodes = asker.get(address(strategy) + "/nodes", {{"depth", "50"}})["nodes"];
    EXPECT_TRUE(std::ranges::any_of(nodes, [](const json& each) { return each["kind"] == "chance"; }));
}

TEST_F(Solving, TheFileOfAStrategyCanBeReadAgain) {
    const json strategy = solve({{"id", "gdl/tic-tac-toe"}})["strategies"][0];
    const net::Response file = asker.raw("GET", address(strategy) + "/file", {}, nullptr);
    EXPECT_EQ(file.status, 200);
    ASSERT_EQ(file.headers.size(), 1);
    EXPECT_TRUE(file.headers[0].second.starts_with("attachment"));
    const game::PlanText text = game::read_plan_json(file.body, "downloaded");
    ASSERT_EQ(text.plans.size(), 1);
    EXPECT_EQ(text.plans[0].owner, strategy["owner"]);
}

TEST_F(Solving, AGameWithDiceOrHiddenMovesHasExpectedValues) {
    EXPECT_NEAR(solve({{"id", "gdl/dice-race"}})["values"]["alice"].get<double>(), 67375.0 / 1152, 1e-9);
    EXPECT_NEAR(solve({{"id", "gdl/kuhn-poker"}})["values"]["first"].get<double>(), 50 - 25.0 / 18, 1e-9);
}

TEST_F(Solving, AGameInWhichManyMoveAtOnceIsRefused) {
    EXPECT_EQ(refused([&] { (void)solve({{"id", "gdl/battlebrushes"}}); }), 422);
}

TEST_F(Solving, WhatIsNotThereIsRefused) {
    EXPECT_EQ(refused([&] { (void)asker.get("/api/strategies/0123"); }), 404);
    EXPECT_EQ(refused([&] { (void)solve({{"id", "gdl/no-such-game"}}); }), 404);
    EXPECT_NE(refused([&] { (void)asker.listen("/api/solve", json::object()); }), 0);
    const json strategy = solve({{"id", "gdl/nim"}})["strategies"][0];
    EXPECT_EQ(refused([&] { (void)asker.get(address(strategy) + "/nodes", {{"from", "999999"}}); }), 400);
    EXPECT_EQ(refused([&] { (void)asker.get(address(strategy) + "/nodes", {{"most", "99999"}}); }), 400);
    EXPECT_EQ(refused([&] { (void)asker.get(address(strategy) + "/find"); }), 400);
    EXPECT_EQ(refused([&] { (void)asker.post(address(strategy) + "/follow", {{"moves", 3}}); }), 400);
}

TEST_F(Solving, ALimitThatIsReachedIsAnAnswer) {
    const json solution = solve({{"id", "gdl/othello"}}, 1);
    EXPECT_EQ(solution["verdict"], "unknown");
    EXPECT_EQ(solution["stop"], "time limit reached");
}

// The first sign of life is the last that anybody hears.
TEST_F(Solving, WorkEndsWhenNobodyListensAnyMore) {
    for (const json& game :
         {json{{"id", "gdl/connect-four"}}, json{{"id", "gdl/four-in-turn"}},
          json{{"id", "quantified/connect-four"}, {"parameters", {{"columns", "6"}, {"rows", "5"}}}}}) {
        std::atomic<bool> gone = false;
        Heard heard;
        auto heard_last = std::chrono::steady_clock::now();
        heard.react = [&](const Heard::Event&) {
            if (!gone) heard_last = std::chrono::steady_clock::now();
            gone = true;
        };
        const Cancellable scope(gone);
        const json body = {{"game", game}, {"seconds", 60}};
        EXPECT_NO_THROW(asker.stream("/api/solve", body, heard)) << game;
        const auto passed = std::chrono::steady_clock::now() - heard_last;
        EXPECT_LT(std::chrono::duration<double>(passed).count(), 5) << game;
        EXPECT_EQ(heard.last("solved")["stop"], "interrupted") << game;
    }
}

// The same where the connection says so by an exception, in the midst of the search.
TEST_F(Solving, AnExceptionOfTheListenerEndsTheWork) {
    Heard heard;
    heard.react = [](const Heard::Event&) { throw LimitReached(Stop::interrupted, "here", ""); };
    const json body = {
        {"game", {{"id", "quantified/connect-four"}, {"parameters", {{"columns", "6"}, {"rows", "5"}}}}},
        {"seconds", 60}};
    EXPECT_THROW(asker.stream("/api/solve", body, heard), LimitReached);
    EXPECT_EQ(heard.events.size(), 1);
}

TEST_F(Solving, AStrategyOfMoreThanAHundredThousandNodesOpensAtOnce) {
    const json solution = solve({{"id", "gdl/breakthrough-small"}}, 120);
    ASSERT_EQ(solution["strategies"].size(), 1) << solution;
    const json strategy = solution["strategies"][0];
    EXPECT_TRUE(strategy["check"]["valid"]) << strategy["check"];
    EXPECT_GT(strategy["nodes"], 100'000);
    const auto seconds = [&](const auto& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    json nodes;
    json found;
    RecordProperty("solved", fmt::format("{:.2f} s", solution["seconds"].get<double>()));
    const double opening = seconds([&] { nodes = asker.get(address(strategy) + "/nodes")["nodes"]; });
    const double finding = seconds([&] {
        found = asker.get(address(strategy) + "/find", {{"text", "cell 2 4 white"}});
    });
    RecordProperty("opened", fmt::format("{:.4f} s", opening));
    RecordProperty("found", fmt::format("{:.4f} s", finding));
    EXPECT_GT(nodes.size(), 1);
    EXPECT_GT(found["total"], 0);
    EXPECT_LT(opening, 1);
    EXPECT_LT(finding, 5);
}

}  // namespace
}  // namespace zermelo::web
