#include <chrono>
#include <set>
#include <thread>

#include "core/deep_stack.hpp"
#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

const json tic_tac_toe = {{"id", "gdl/tic-tac-toe"}};

json marks(const std::vector<std::string>& cells) {
    json steps = json::array();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string mark = "(mark " + cells[i] + ")";
        steps.push_back({{i % 2 == 0 ? "x" : "o", mark}, {i % 2 == 0 ? "o" : "x", "wait"}});
    }
    return steps;
}

std::set<std::string> texts(const json& moves) {
    std::set<std::string> all;
    for (const json& move : moves) all.insert(move["text"]);
    return all;
}

TEST(Position, TicTacToeBeginsWithNineMovesAndAnEmptyBoard) {
    const json position =
        Implementation().ask("/api/position", {{"game", tic_tac_toe}, {"steps", json::array()}});
    EXPECT_EQ(position["roles"], json({"x", "o"}));
    EXPECT_EQ(position["chance"], json::array());
    EXPECT_EQ(position["turn"], json({"x"}));
    EXPECT_EQ(position["facts"].size(), 10U);
    EXPECT_EQ(position["facts"][0], json({"cell", "1", "1", "blank"}));
    EXPECT_EQ(position["legal"]["x"].size(), 9U);
    EXPECT_EQ(position["legal"]["x"][0], json({{"text", "(mark 1 1)"}, {"term", {"mark", "1", "1"}}}));
    EXPECT_EQ(position["legal"]["o"], json::array({{{"text", "wait"}, {"term", "wait"}}}));
    EXPECT_FALSE(position["over"]);
    EXPECT_FALSE(position["hidden"]);
    EXPECT_TRUE(position["goals"].is_null());
    EXPECT_TRUE(position["seen"].is_null());
}

TEST(Position, AllFactsThatCanEverHoldAreToldWhereAskedFor) {
    const json asked = {{"game", tic_tac_toe}, {"steps", json::array()}, {"fluents", true}};
    EXPECT_EQ(Implementation().ask("/api/position", asked)["fluents"].size(), 29U);
}

TEST(Position, AFinishedPlayHasGoalsAndNoMoves) {
    const json position = Implementation().ask(
        "/api/position", {{"game", tic_tac_toe}, {"steps", marks({"1 1", "2 1", "1 2", "2 2", "1 3"})}});
    EXPECT_TRUE(position["over"]);
    EXPECT_EQ(position["goals"], json({{"x", 100}, {"o", 0}}));
    EXPECT_EQ(position["turn"], json::array());
    EXPECT_EQ(position["legal"], json::object());
}

TEST(Position, APastedGameIsPlayedLikeAShippedOne) {
    const json game = {{"kind", "gdl"}, {"text", shipped_games().find("gdl/nim")->text}};
    EXPECT_EQ(Implementation().ask("/api/position", {{"game", game}, {"steps", json::array()}})["turn"],
              json({"alice"}));
}

TEST(Position, WhatCannotBeIsRefusedWithTheStep) {
    const Implementation desk;
    const auto refused = [&](const json& body) { return desk.refusal("/api/position", body); };
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", marks({"1 1", "1 1"})}}),
              std::pair(422, std::string("step 2: o cannot play '(mark 1 1)' here")));
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", {{{"x", "(mark 1 1)"}}}}}),
              std::pair(422, std::string("step 1: the move of o is missing")));
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", {{{"z", "wait"}}}}}),
              std::pair(422, std::string("step 1: there is no role 'z'")));
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", marks({"1 1", "2 1", "1 2", "2 2", "1 3", "3 3"})}}),
              std::pair(422, std::string("step 6: the play is over")));
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", "none"}}).first, 400);
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", {7}}}).first, 400);
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", {{{"x", 7}, {"o", "wait"}}}}}).first, 400);
    EXPECT_EQ(refused({{"game", {{"id", "stochastic/newsvendor"}}}, {"steps", json::array()}}).first, 422);
    EXPECT_EQ(refused({{"game", {{"id", "gdl/../../secret"}}}, {"steps", json::array()}}).first, 404);
    EXPECT_EQ(refused({{"game", tic_tac_toe}, {"steps", json::array()}, {"as", "z"}}).first, 422);
    EXPECT_EQ(refused({{"steps", json::array()}}).first, 400);
}

TEST(Position, AHiddenGameShowsARoleOnlyWhatItMayKnow) {
    const Implementation desk;
    const json dealt = {{{"first", "wait"}, {"second", "wait"}, {"random", "(deal jack king)"}}};
    const json body = {{"game", {{"id", "gdl/kuhn-poker"}}}, {"steps", dealt}};
    const json all = desk.ask("/api/position", body);
    EXPECT_TRUE(all["hidden"]);
    EXPECT_EQ(all["chance"], json({"random"}));
    EXPECT_EQ(all["legal"].size(), 3U);
    EXPECT_TRUE(all["seen"].is_null());

    json as_first = body;
    as_first["as"] = "first";
    const json mine = desk.ask("/api/position", as_first);
    EXPECT_EQ(mine["seen"], json::parse(R"([{"own": "wait", "percepts": [["card", "jack"]]}])"));
    EXPECT_EQ(mine["legal"].size(), 1U);
    EXPECT_EQ(texts(mine["legal"]["first"]), (std::set<std::string>{"bet", "check"}));
    EXPECT_LT(mine["facts"].size(), all["facts"].size());
    EXPECT_EQ(mine["facts"].dump().find("king"), std::string::npos);
    EXPECT_NE(mine["facts"].dump().find("jack"), std::string::npos);
}

TEST(Position, WhenAHiddenGameIsOverTheCardsAreOnTheTable) {
    const Implementation desk;
    json steps = {{{"first", "wait"}, {"second", "wait"}, {"random", "(deal jack king)"}},
                  {{"first", "check"}, {"second", "wait"}, {"random", "wait"}},
                  {{"first", "wait"}, {"second", "check"}, {"random", "wait"}}};
    const json position =
        desk.ask("/api/position", {{"game", {{"id", "gdl/kuhn-poker"}}}, {"steps", steps}, {"as", "first"}});
    EXPECT_TRUE(position["over"]);
    EXPECT_EQ(position["goals"], json({{"first", 25}, {"second", 75}}));
    EXPECT_NE(position["facts"].dump().find("king"), std::string::npos);
}

json analysed(const json& body) {
    const Implementation desk;
    for (const auto& [name, data] : desk.listen("/api/analyse", body).events) {
        if (name == "solved") return data;
    }
    return nullptr;
}

TEST(Analysis, ShowsHowToMixSimultaneousMoves) {
    const json solved =
        analysed({{"game", {{"id", "gdl/matching-pennies"}}}, {"steps", json::array()}, {"seconds", 10}});
    ASSERT_TRUE(solved.is_object());
    EXPECT_EQ(solved["values"], json({{"even", 50.0}, {"odd", 50.0}}));
    EXPECT_TRUE(solved["moves"].empty());
    ASSERT_EQ(solved["mixtures"].size(), 2U);
    for (const json& mixture : solved["mixtures"]) {
        for (const json& move : mixture["moves"]) {
            EXPECT_EQ(move["probability"], 0.5);
            EXPECT_EQ(move["value"], 50.0);
        }
    }
    EXPECT_EQ(solved["payoffs"], json::parse("[[100, 0], [0, 100]]"));
}

TEST(Analysis, TellsWhatEveryPairOfMovesPays) {
    const json solved = analysed(
        {{"game", {{"id", "gdl/rock-paper-scissors-once"}}}, {"steps", json::array()}, {"seconds", 10}});
    ASSERT_EQ(solved["mixtures"].size(), 2U);
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            const auto own = solved["mixtures"][0]["moves"][row]["move"].get<std::string>();
            const auto other = solved["mixtures"][1]["moves"][column]["move"].get<std::string>();
            const std::set<std::string> wins = {"rock scissors", "scissors paper", "paper rock"};
            const int paid = own == other ? 50 : wins.contains(own + " " + other) ? 100 : 0;
            EXPECT_EQ(solved["payoffs"][row][column], paid) << own << " " << other;
        }
    }
}

TEST(Analysis, OfAHiddenGameTellsOnlyTheOwnMixture) {
    const json dealt = {{{"first", "wait"}, {"second", "wait"}, {"random", "(deal queen king)"}}};
    const json solved =
        analysed({{"game", {{"id", "gdl/kuhn-poker"}}}, {"steps", dealt}, {"as", "first"}, {"seconds", 10}});
    ASSERT_TRUE(solved.is_object());
    EXPECT_NEAR(solved["values"]["first"].get<double>(), 50 - 25.0 / 18, 1e-9);
    ASSERT_EQ(solved["mixtures"].size(), 1U);
    EXPECT_EQ(solved["mixtures"][0]["role"], "first");
    for (const json& move : solved["mixtures"][0]["moves"])
        EXPECT_EQ(move["probability"], move["move"] == "check" ? 1.0 : 0.0);
}

TEST(Step, WhoHasNoChoiceMovesByItself) {
    const json made = Implementation().ask(
        "/api/step", {{"game", tic_tac_toe}, {"steps", marks({"1 1"})}, {"moves", {{"o", "(mark 2 2)"}}}});
    EXPECT_EQ(made["step"], json({{"x", "wait"}, {"o", "(mark 2 2)"}}));
    EXPECT_EQ(made["position"]["turn"], json({"x"}));
    EXPECT_EQ(made["position"]["legal"]["x"].size(), 7U);
}

TEST(Step, ChanceThrowsTheDice) {
    const Implementation desk;
    std::set<std::string> dealt;
    for (int i = 0; i < 60; ++i) {
        const json made = desk.ask(
            "/api/step",
            {{"game", {{"id", "gdl/kuhn-poker"}}}, {"steps", json::array()}, {"moves", json::object()}});
        dealt.insert(made["step"]["random"]);
        EXPECT_EQ(made["position"]["turn"], json({"first"}));
    }
    EXPECT_GE(dealt.size(), 4U);  // of six deals
}

TEST(Step, AMissingOrIllegalMoveIsRefused) {
    const Implementation desk;
    const auto refused = [&](const json& moves) {
        return desk.refusal("/api/step",
                            {{"game", tic_tac_toe}, {"steps", marks({"1 1"})}, {"moves", moves}});
    };
    EXPECT_EQ(refused(json::object()), std::pair(422, std::string("the move of o is missing")));
    EXPECT_EQ(refused({{"o", "(mark 1 1)"}}), std::pair(422, std::string("o cannot play '(mark 1 1)' here")));
    EXPECT_EQ(refused({{"o", "(mark 3 3)"}, {"x", "(mark 2 2)"}}).first, 422);
    EXPECT_EQ(desk.refusal("/api/step", {{"game", tic_tac_toe},
                                         {"steps", marks({"1 1", "2 1", "1 2", "2 2", "1 3"})},
                                         {"moves", json::object()}}),
              std::pair(422, std::string("the play is over")));
}

TEST(Players, AreThoseOfTheFieldWithoutKeysThatNameFiles) {
    const json players = Implementation().get("/api/players")["players"];
    std::set<std::string> names;
    for (const json& player : players) {
        names.insert(player["name"]);
        for (const json& key : player["keys"]) EXPECT_NE(key["name"], "strategy");
    }
    EXPECT_TRUE(names.contains("zermelo"));
    EXPECT_TRUE(names.contains("mac-ucb-sym"));
    EXPECT_TRUE(names.contains("perfect"));
}

class Think : public testing::TestWithParam<const char*> {};

TEST_P(Think, EveryPlayerTakesTheWinInTime) {
    const auto begun = std::chrono::steady_clock::now();
    const Heard heard = Implementation().listen("/api/think", {{"game", tic_tac_toe},
                                                               {"steps", marks({"1 1", "2 1", "1 2", "2 2"})},
                                                               {"role", "x"},
                                                               {"player", GetParam()},
                                                               {"seconds", 1}});
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
    EXPECT_EQ(heard.events.back().name, "move");
    if (std::string(GetParam()) != "random") {
        EXPECT_EQ(heard.last("move")["move"], "(mark 1 3)");
        const json best = heard.last("move")["thought"]["estimates"][0];
        EXPECT_EQ(best["move"], "(mark 1 3)");
        EXPECT_EQ(best["mean"], 100);
    }
}

INSTANTIATE_TEST_SUITE_P(PlayerRegistry, Think,
                         testing::Values("random", "greedy", "uct", "grave", "zermelo", "mac-ucb",
                                         "mac-ucb-sym", "alpha-beta", "perfect", "uct:playouts=500",
                                         "perfect:fallback=grave,solve=0.2"));

TEST(AnalysisSession, IsToldWhileItGoesOn) {
    const json game = {{"id", "gdl/connect-four"}};
    for (const char* player : {"uct", "grave", "zermelo", "mac-ucb", "alpha-beta"}) {
        const Heard heard = Implementation().listen("/api/think", {{"game", game},
                                                                   {"steps", json::array()},
                                                                   {"role", "yellow"},
                                                                   {"player", player},
                                                                   {"seconds", 2}});
        EXPECT_GE(heard.all("thought").size(), 2U) << player;
        std::uint64_t before = 0;
        for (const auto& [name, data] : heard.events) {
            const json& thought = name == "move" ? data["thought"] : data;
            EXPECT_GT(thought["playouts"], before) << player;
            before = thought["playouts"];
            EXPECT_FALSE(thought["estimates"].empty()) << player;
        }
    }
}

TEST(AnalysisSession, ATreeGrowsFromOneWhileToTheNext) {
    const Heard heard = Implementation().listen("/api/think", {{"game", {{"id", "gdl/connect-four"}}},
                                                               {"steps", json::array()},
                                                               {"role", "yellow"},
                                                               {"player", "uct"},
                                                               {"seconds", 1.5}});
    ASSERT_GE(heard.events.size(), 2U);
    const auto visits = [](const json& thought) {
        std::uint64_t all = 0;
        for (const json& one : thought["estimates"]) all += one["visits"].get<std::uint64_t>();
        return all;
    };
    EXPECT_GT(visits(heard.last("move")["thought"]), 2 * visits(heard.events.front().data));
}

TEST(AnalysisSession, HiddenMovesAndDiceAreNoObstacle) {
    const Implementation desk;
    const json dealt = {{{"first", "wait"}, {"second", "wait"}, {"random", "(deal jack king)"}}};
    for (const char* player : {"cfr", "uct", "zermelo", "mac-ucb-sym", "alpha-beta"}) {
        const Heard heard = desk.listen("/api/think", {{"game", {{"id", "gdl/kuhn-poker"}}},
                                                       {"steps", dealt},
                                                       {"role", "first"},
                                                       {"player", player},
                                                       {"seconds", 0.5}});
        const std::string move = heard.last("move")["move"];
        EXPECT_TRUE(move == "bet" || move == "check") << player << ": " << move;
    }
}

TEST(AnalysisSession, PlayersThatReachOutOrWantTooMuchAreRefused) {
    const Implementation desk;
    const auto status = [&](const std::string& player) {
        return desk
            .refusal("/api/think", {{"game", tic_tac_toe},
                                    {"steps", json::array()},
                                    {"role", "x"},
                                    {"player", player},
                                    {"seconds", 0.1}})
            .first;
    };
    EXPECT_EQ(status("http://127.0.0.1:9147"), 422);
    EXPECT_EQ(status("perfect:strategy=/etc/passwd"), 422);
    EXPECT_EQ(status("uct:threads=2"), 422);
    EXPECT_EQ(status("uct:memory=65M"), 422);
    EXPECT_EQ(status("nobody"), 422);
    EXPECT_EQ(status("uct:memory=64M,threads=1"), 200);
    EXPECT_EQ(desk.refusal("/api/think", {{"game", tic_tac_toe}, {"role", "z"}, {"player", "uct"}}).first,
              422);
    EXPECT_EQ(desk.refusal("/api/think",
                           {{"game", tic_tac_toe}, {"role", "x"}, {"player", "uct"}, {"seconds", 1e9}})
                  .first,
              400);
}

TEST(AnalysisSession, EndsSoonAfterItsClientHasGone) {
    const Implementation desk;
    for (const char* player : {"zermelo", "mac-ucb-sym", "alpha-beta", "perfect", "cfr"}) {
        for (const char* path : {"/api/think", "/api/analyse"}) {
            std::atomic<bool> gone = false;
            std::chrono::steady_clock::time_point left;
            std::thread client([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(700));
                left = std::chrono::steady_clock::now();
                gone = true;
            });
            {
                const Cancellable scope(gone);
                EXPECT_NO_THROW((void)desk.listen(path, {{"game", {{"id", "gdl/connect-four"}}},
                                                         {"steps", json::array()},
                                                         {"role", "yellow"},
                                                         {"player", player},
                                                         {"seconds", 60}}));
            }
            const auto ended = std::chrono::steady_clock::now();
            client.join();
            EXPECT_LT(ended - left, std::chrono::seconds(3)) << player << " " << path;
        }
    }
}

TEST(AnalysisSession, WorkOnADeepStackHearsOfItToo) {
    std::atomic<bool> gone = true;
    const Cancellable scope(gone);
    with_deep_stack(1, [] { EXPECT_EQ(Limits().reached(), Stop::interrupted); });
}

TEST(Analysis, TicTacToeIsDrawnWhateverXBeginsWith) {
    const Heard heard = Implementation().listen(
        "/api/analyse", {{"game", tic_tac_toe}, {"steps", json::array()}, {"seconds", 10}});
    const json& solved = heard.last("solved");
    EXPECT_EQ(solved["mover"], "x");
    EXPECT_EQ(solved["values"], json({{"x", 50}, {"o", 50}}));
    ASSERT_EQ(solved["moves"].size(), 9U);
    for (const json& move : solved["moves"]) EXPECT_EQ(move["verdict"], "drawn");
    EXPECT_EQ(heard.last("end")["stop"], "");
}

TEST(Analysis, AWinIsToldWithTheMovesToIt) {
    const Heard heard = Implementation().listen(
        "/api/analyse",
        {{"game", tic_tac_toe}, {"steps", marks({"1 1", "2 1", "1 2", "2 2"})}, {"seconds", 10}});
    const json& solved = heard.last("solved");
    EXPECT_EQ(solved["rank"], 1);
    for (const json& move : solved["moves"]) {
        EXPECT_EQ(move["best"], move["move"] == "(mark 1 3)") << move;
        if (move["best"]) {
            EXPECT_EQ(move["verdict"], "won");
            EXPECT_EQ(move["rank"], 1);
        }
    }
}

TEST(Analysis, AFinishedPlayIsWorthItsGoals) {
    const Heard heard = Implementation().listen(
        "/api/analyse",
        {{"game", tic_tac_toe}, {"steps", marks({"1 1", "2 1", "1 2", "2 2", "1 3"})}, {"seconds", 1}});
    EXPECT_TRUE(heard.last("solved")["mover"].is_null());
    EXPECT_EQ(heard.last("solved")["values"], json({{"x", 100}, {"o", 0}}));
}

TEST(Analysis, WhatIsNotSolvedSoonIsEstimated) {
    const Heard heard = Implementation().listen(
        "/api/analyse", {{"game", {{"id", "gdl/othello"}}}, {"steps", json::array()}, {"seconds", 3}});
    EXPECT_EQ(heard.all("solved").size(), 0U);
    EXPECT_GE(heard.all("thought").size(), 1U);
    EXPECT_EQ(heard.last("thought")["estimates"].size(), 4U);
    EXPECT_EQ(heard.last("thought")["recommends"], true);
    EXPECT_EQ(heard.last("end")["stop"], "time limit reached");
}

TEST(Analysis, SimultaneousMovesAreEstimatedForWhomItIsAsked) {
    const Heard heard =
        Implementation().listen("/api/analyse", {{"game", {{"id", "gdl/connect-four-simultaneous"}}},
                                                 {"steps", json::array()},
                                                 {"player", "uct"},
                                                 {"as", "black"},
                                                 {"seconds", 1}});
    EXPECT_EQ(heard.all("solved").size(), 0U);
    EXPECT_GE(heard.all("thought").size(), 1U);
    const json estimates = heard.last("thought")["estimates"];
    EXPECT_EQ(estimates.size(), 8U);
    // Nothing is certain about an opponent who moves at the same time, and no move is recommended.
    EXPECT_EQ(heard.last("thought")["recommends"], false);
    for (const json& one : estimates) {
        EXPECT_EQ(one["low"], 0);
        EXPECT_EQ(one["high"], 100);
    }
}

TEST(Analysis, WhatIsForcedIsSolvedToo) {
    // The last match of nim. Where nobody has a choice the first player goes through the motions.
    const json steps = {{{"alice", "(leave a 0)"}, {"bob", "wait"}},
                        {{"alice", "wait"}, {"bob", "(leave b 0)"}},
                        {{"alice", "(leave c 1)"}, {"bob", "wait"}}};
    const Heard heard = Implementation().listen(
        "/api/analyse", {{"game", {{"id", "gdl/nim"}}}, {"steps", steps}, {"seconds", 5}});
    EXPECT_EQ(heard.last("solved")["values"], json({{"alice", 0}, {"bob", 100}}));
    EXPECT_EQ(heard.last("solved")["moves"].size(), 1U);
    EXPECT_EQ(heard.last("solved")["rank"], 1);
}

}  // namespace
}  // namespace zermelo::web
