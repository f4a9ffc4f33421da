// Match files: every field as GGP-Base has it.

#include "ggp/match_file.hpp"

#include <gtest/gtest.h>

#include <set>

#include "ggp/player_fixture.hpp"
#include "play/players/random.hpp"

namespace zermelo::ggp {
namespace {

using nlohmann::json;

// A whole match at random, with a fault at START and one at the first step.
arena::MatchResult play(const Hall& hall, MatchFile& file) {
    std::vector<std::unique_ptr<play::Player>> players;
    std::vector<arena::Seat> seats;
    for (const std::size_t role : hall.rules.seats()) {
        players.push_back(std::make_unique<play::RandomPlayer>(hall.rules, play::Settings{.role = role}));
        seats.push_back({players.back().get(), "random"});
    }
    arena::MatchOptions options;
    options.started = [&](arena::Faults faults) {
        faults[hall.rules.seats()[0]] = "CE";
        file.started(faults);
    };
    bool first = true;
    options.watch = [&](const play::State& state, const play::JointMove& joint, arena::Faults faults) {
        if (first) faults[hall.rules.seats()[0]] = "IL (Mark 7 (f x))";
        first = false;
        file.step(state, joint, faults);
    };
    return arena::referee(hall.rules, seats, options);
}

std::set<std::string> keys(const json& object) {
    std::set<std::string> all;
    for (const auto& item : object.items()) all.insert(item.key());
    return all;
}

TEST(MatchFile, HasTheFieldsOfGgpBase) {
    const Hall hall("tic-tac-toe");
    MatchFile file(hall.rules, hall.names,
                   {.id = "t.1",
                    .game = "tic-tac-toe.kif",
                    .players = {"host:1", "uct"},
                    .start_clock = 30,
                    .play_clock = 10,
                    .tournament = "cup"});
    const arena::MatchResult result = play(hall, file);
    file.complete();
    const json object = json::parse(file.text());
    EXPECT_EQ(keys(object),
              (std::set<std::string>{"matchId", "randomToken", "startTime", "gameMetaURL", "isCompleted",
                                     "isAborted", "states", "moves", "stateTimes", "errors", "goalValues",
                                     "previewClock", "startClock", "playClock", "playerNamesFromHost",
                                     "tournamentNameFromHost", "scrambled"}));
    EXPECT_EQ(object["matchId"], "t.1");
    EXPECT_EQ(object["gameMetaURL"], "tic-tac-toe.kif");
    EXPECT_EQ(object["isCompleted"], true);
    EXPECT_EQ(object["isAborted"], false);
    EXPECT_EQ(object["scrambled"], false);
    EXPECT_EQ(object["previewClock"], -1);
    EXPECT_EQ(object["startClock"].dump(), "30");
    EXPECT_EQ(object["playClock"].dump(), "10");
    EXPECT_EQ(object["tournamentNameFromHost"], "cup");
    EXPECT_EQ(object["playerNamesFromHost"], (json{"host:1", "uct"}));
    EXPECT_EQ(object["goalValues"], (json{result.seats[0].goal, result.seats[1].goal}));

    const std::string token = object["randomToken"];
    EXPECT_EQ(token.size(), 32U);
    EXPECT_TRUE(std::ranges::all_of(token, [](unsigned char c) { return std::isalnum(c) != 0; })) << token;
    EXPECT_NE(token, MatchFile(hall.rules, hall.names, {.players = {"", ""}}).json()["randomToken"]);

    ASSERT_EQ(object["states"].size(), result.plies + 1);
    ASSERT_EQ(object["stateTimes"].size(), result.plies + 1);
    ASSERT_EQ(object["errors"].size(), result.plies + 1);
    ASSERT_EQ(object["moves"].size(), result.plies);
    EXPECT_EQ(
        object["states"][0],
        "( ( cell 1 1 blank ) ( cell 1 2 blank ) ( cell 1 3 blank ) ( cell 2 1 blank ) ( cell 2 2 blank ) "
        "( cell 2 3 blank ) ( cell 3 1 blank ) ( cell 3 2 blank ) ( cell 3 3 blank ) ( control x ) )");
    const std::string mark = object["moves"][0][0];
    EXPECT_TRUE(mark.starts_with("( mark ") && mark.ends_with(" )")) << mark;
    EXPECT_EQ(object["moves"][0][1], "wait");
    EXPECT_NE(object["states"][1].get<std::string>().find("( cell " + mark.substr(7, 3) + " x )"),
              std::string::npos)
        << mark << object["states"][1];
    EXPECT_EQ(object["errors"][0], (json{"CE", ""}));
    EXPECT_EQ(object["errors"][1], (json{"IL ( mark 7 ( f x ) )", ""}));
    EXPECT_EQ(object["errors"][2], (json{"", ""}));
    std::int64_t last = object["startTime"];
    EXPECT_GT(last, 1'500'000'000'000);
    for (const auto& time : object["stateTimes"]) {
        EXPECT_GE(time.get<std::int64_t>(), last);
        last = time;
    }
}

TEST(MatchFile, ChanceIsARole) {
    const Hall hall("monty-hall");
    MatchFile file(hall.rules, hall.names,
                   {.id = "m", .players = {"candidate's"}, .start_clock = 0.5, .play_clock = 0.25});
    const arena::MatchResult result = play(hall, file);
    file.complete();
    const json& object = file.json();
    EXPECT_EQ(object["playerNamesFromHost"], (json{"candidate's", "random"}));
    EXPECT_EQ(object["goalValues"], (json{result.seats[0].goal, 0}));
    EXPECT_EQ(object["moves"].size(), 3U);
    EXPECT_TRUE(object["moves"][0][1].get<std::string>().starts_with("( hide "));
    EXPECT_EQ(object["errors"][0], (json{"CE", ""}));
    EXPECT_EQ(object["startClock"], 0.5);
    EXPECT_FALSE(object.contains("tournamentNameFromHost"));
}

TEST(MatchFile, WhatIsBrokenOffHasNoGoals) {
    const Hall hall("tic-tac-toe");
    MatchFile file(hall.rules, hall.names, {.id = "t", .players = {"a", "b\xff"}});
    file.started({"", "TO"});
    file.abort();
    const json object = json::parse(file.text());
    EXPECT_EQ(object["isCompleted"], false);
    EXPECT_EQ(object["isAborted"], true);
    EXPECT_FALSE(object.contains("goalValues"));
    EXPECT_EQ(object["states"].size(), 1U);
    EXPECT_EQ(object["moves"], json::array());
    EXPECT_EQ(object["errors"], (json::array({json::array({"", "TO"})})));
}

}  // namespace
}  // namespace zermelo::ggp
