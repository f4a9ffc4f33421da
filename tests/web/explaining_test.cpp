// Why a move wins, as the page asks for it: boards, steps and replies of the whole play.

#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

const json tic_tac_toe = {{"id", "gdl/tic-tac-toe"}};
const json corner = {{{"x", "(mark 2 2)"}, {"o", "wait"}},
                     {{"x", "wait"}, {"o", "(mark 1 2)"}},
                     {{"x", "(mark 1 1)"}, {"o", "wait"}}};

TEST(Why, EveryPositionOfThePlayHasItsBoardItsStepAndAllReplies) {
    const Implementation desk;
    const json why = desk.ask("/api/why", {{"game", tic_tac_toe}, {"steps", corner}});
    EXPECT_EQ(why["at"], 3);
    EXPECT_TRUE(why["complete"]);
    ASSERT_EQ(why["play"].size(), 8U);
    json steps = json::array();
    for (const json& position : why["play"]) {
        const json told = desk.ask("/api/position", {{"game", tic_tac_toe}, {"steps", steps}});
        EXPECT_EQ(position["facts"], told["facts"]);
        if (position["mover"].is_null()) continue;
        EXPECT_EQ(position["moves"].size(), told["legal"][position["mover"].get<std::string>()].size());
        steps.push_back(position["step"]);
    }
    EXPECT_EQ(why["play"].back()["values"], json({{"x", 100}, {"o", 0}}));
    EXPECT_EQ(why["play"][3]["choice"], "only-answer");
    EXPECT_EQ(why["play"][3]["threats"],
              json::parse(R"x([{"move": "(mark 3 3)", "answers": ["(mark 3 3)"]}])x"));
}

TEST(Why, AReplyIsOneMoveOfTheTextAway) {
    const Implementation desk;
    const json why =
        desk.ask("/api/why", {{"game", tic_tac_toe}, {"play", "mark 2 2; mark 1 2; mark 1 1; mark 2 3"}});
    EXPECT_EQ(why["at"], 4);
    EXPECT_EQ(why["play"][3]["made"], "(mark 2 3)");
    EXPECT_EQ(why["play"][4]["made"], "(mark 3 3)");
    EXPECT_EQ(why["play"].size(), 6U);
}

TEST(Why, AForcedMoveBelongsToWhoeverMakesIt) {
    const json steps = {{{"alice", "(leave a 0)"}, {"bob", "wait"}},
                        {{"alice", "wait"}, {"bob", "(leave b 0)"}},
                        {{"alice", "(leave c 1)"}, {"bob", "wait"}}};
    const json why = Implementation().ask("/api/why", {{"game", {{"id", "gdl/nim"}}}, {"steps", steps}});
    EXPECT_EQ(why["play"][3]["mover"], "bob");
    EXPECT_TRUE(why["play"][3]["forced"]);
    EXPECT_EQ(why["play"][3]["made"], "(leave c 0)");
}

TEST(Why, GamesWithoutTurnsAreRefusedInWords) {
    const auto [status, said] = Implementation().refusal(
        "/api/why", {{"game", {{"id", "gdl/rock-paper-scissors"}}}, {"steps", json::array()}});
    EXPECT_EQ(status, 422);
    EXPECT_NE(said.find("simultaneous"), std::string::npos) << said;
}

TEST(Replay, TextBecomesStepsWithWhoeverChose) {
    const Implementation desk;
    const json nim = {{"id", "gdl/nim"}};
    const json by_semicolons =
        desk.ask("/api/replay", {{"game", nim}, {"play", "leave a 0;leave b 0;leave c 1;-"}})["entries"];
    ASSERT_EQ(by_semicolons.size(), 4U);
    EXPECT_EQ(by_semicolons[0]["step"], json({{"alice", "(leave a 0)"}, {"bob", "wait"}}));
    EXPECT_EQ(by_semicolons[1]["by"], json({"bob"}));
    EXPECT_FALSE(by_semicolons[1]["forced"]);
    EXPECT_EQ(by_semicolons[3]["by"], json({"bob"}));
    EXPECT_TRUE(by_semicolons[3]["forced"]);
    const std::string lines = "alice: (leave a 0)\nbob: (Leave b 0)\n\nleave c 1\n-\n";
    EXPECT_EQ(desk.ask("/api/replay", {{"game", nim}, {"play", lines}})["entries"], by_semicolons);
}

TEST(Replay, SimultaneousMovesAndDiceAreAllWritten) {
    const Implementation desk;
    const json game = {{"id", "gdl/rock-paper-scissors-once"}};
    const json roles = desk.ask("/api/position", {{"game", game}, {"steps", json::array()}})["roles"];
    const json entries = desk.ask("/api/replay", {{"game", game}, {"play", "rock & paper"}})["entries"];
    EXPECT_EQ(entries[0]["by"], roles);
    EXPECT_EQ(desk.refusal("/api/replay", {{"game", game}, {"play", "rock"}}),
              std::pair(422, "step 1: the move of " + roles[1].get<std::string>() + " is missing"));
}

TEST(Replay, WhatCannotBePlayedIsNamed) {
    const Implementation desk;
    const auto said = [&](const std::string& play) {
        return desk.refusal("/api/replay", {{"game", tic_tac_toe}, {"play", play}}).second;
    };
    EXPECT_EQ(said("mark 2 2; mark 2 2"), "step 2: o cannot play 'mark 2 2' here");
    EXPECT_EQ(said("z: mark 2 2"), "step 1: there is no role 'z'");
    EXPECT_EQ(said("mark 1 1; mark 2 1; mark 1 2; mark 2 2; mark 1 3; mark 3 3").substr(0, 6), "step 6");
}

}  // namespace
}  // namespace zermelo::web
