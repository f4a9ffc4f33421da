#include "cli/program.hpp"

namespace zermelo {

namespace {

class ChanceCommands : public Program {
protected:
    const std::string gdl = ZERMELO_SOURCE_DIR "/games/gdl/";
};

TEST_F(ChanceCommands, SolveTellsExpectedValuesAsNumbersAndFractions) {
    const Ran ran = zermelo("solve --json " + gdl + "tic-tac-toe-2x2.kif");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto object = nlohmann::json::parse(ran.out);
    EXPECT_EQ(object["values"]["o"], 25);
    EXPECT_EQ(object["exact"]["o"], "25");
    EXPECT_EQ(object["bounds"]["o"], nlohmann::json({25, 25}));
    EXPECT_EQ(object["best"], nlohmann::json({"(mark 1 2)", "(mark 2 1)"}));
    EXPECT_EQ(object["verdict"], "drawn");
    EXPECT_EQ(object["engine"], "value-iteration");
    for (const char* key : {"nodes", "cpu_seconds", "wall_seconds", "peak_bytes", "strategy_nodes"})
        EXPECT_TRUE(object[key].is_number()) << key;
    ASSERT_EQ(object["checks"].size(), 2U);
    for (const auto& check : object["checks"]) EXPECT_EQ(check["valid"], true);
    const auto searched =
        nlohmann::json::parse(zermelo("solve --json --engine expectimax " + gdl + "tic-tac-toe-2x2.kif").out);
    EXPECT_EQ(searched["exact"], object["exact"]);
}

TEST_F(ChanceCommands, APolicyIsAFileThatCanBeCheckedAndIsRefusedWhereItIsDamaged) {
    const std::string policy = path("policy.json");
    ASSERT_EQ(zermelo("solve " + gdl + "dice-race.kif --strategy " + policy).code, 0);
    for (const char* how : {"", " --reasoner"}) {
        const Ran ran = zermelo("verify --json " + gdl + "dice-race.kif " + policy + how);
        ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
        EXPECT_EQ(nlohmann::json::parse(ran.out)["valid"], true);
    }
    auto text = nlohmann::json::parse(read_file(policy));
    auto& first = text["policies"][0]["values"][0];
    first = "60";
    const Ran greedy = zermelo("verify " + gdl + "dice-race.kif " + write("greedy.json", text.dump()));
    EXPECT_EQ(greedy.code, 1);
    EXPECT_NE(greedy.out.find("alice expects 67375/1152, but at least 60 is claimed"), std::string::npos)
        << greedy.out;
    EXPECT_EQ(zermelo("verify " + gdl + "pig.kif " + policy).code, 2);
    EXPECT_EQ(zermelo("verify " + gdl + "dice-race.kif " + write("cut.json", "{\"kind\": \"policy\"}")).code,
              2);
    const Ran shown = zermelo("show " + gdl + "dice-race.kif " + policy + " --nodes 2");
    EXPECT_SAYS(shown.out, "guarantee of alice: 67375/1152");
    EXPECT_SAYS(shown.out, "→ (choose ");
    const std::string compact = path("policy.zpolicy");
    ASSERT_EQ(zermelo("show " + gdl + "dice-race.kif " + policy + " -o " + compact).code, 0);
    EXPECT_EQ(zermelo("verify " + gdl + "dice-race.kif " + compact).code, 0);
    const std::string bytes = read_file(compact);
    const std::string damaged = write("damaged.zpolicy", bytes.substr(0, bytes.size() - 7));
    EXPECT_EQ(zermelo("verify " + gdl + "dice-race.kif " + damaged).code, 2);
}

TEST_F(ChanceCommands, AnalyseTellsWhatEveryMoveIsWorthAlsoThoseOfChance) {
    const Ran ran = zermelo("analyse --json " + gdl + "dice-race.kif --position \"(choose wild); (roll 4)\"");
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto object = nlohmann::json::parse(ran.out);
    EXPECT_EQ(object["mover"], "bob");
    EXPECT_EQ(object["moves"].size(), 2U);
    const Ran thrown = zermelo("analyse --json " + gdl + "dice-race.kif --position \"(choose wild)\"");
    const auto chance = nlohmann::json::parse(thrown.out);
    EXPECT_EQ(chance["chance"], true);
    EXPECT_EQ(chance["moves"][0]["probability"], 0.5);
}

TEST_F(ChanceCommands, AGraphMayHaveWeightedChance) {
    const std::string graph = write("lottery.json", R"({
        "format": "zermelo-graph", "version": 1, "players": ["Alice"], "initial": "shop",
        "states": [{"name": "shop", "player": "Alice", "moves": ["home", "ticket"]},
                   {"name": "ticket", "player": "chance",
                    "moves": [{"to": "blank", "weight": 3}, "prize", {"to": "shop", "weight": 2}]},
                   {"name": "prize", "payoffs": [90]}, {"name": "blank", "payoffs": [10]},
                   {"name": "home", "payoffs": [20]}]})");
    const auto object = nlohmann::json::parse(zermelo("solve --json " + graph).out);
    EXPECT_EQ(object["exact"]["Alice"], "30");  // (90 + 3 · 10) / 4
    EXPECT_EQ(object["best"], nlohmann::json({"ticket"}));
    const auto again = nlohmann::json::parse(zermelo("show --json " + graph).out);
    EXPECT_NE(again.dump().find("\"weight\":3"), std::string::npos);
}

TEST_F(ChanceCommands, WhatIsNotForGamesWithChanceIsRefused) {
    const std::string race = gdl + "dice-race.kif";
    for (const auto& [arguments, complaint] :
         {std::pair<std::string, std::string>{"solve --engine expectimax " + race, "come back to a state"},
          {"solve --checkpoint " + path("x") + " " + race, "checkpoint"},
          {"solve --engine value-iteration " + gdl + "rock-paper-scissors.kif", "simultaneous"},
          {"solve --engine value-iteration " ZERMELO_SOURCE_DIR "/games/quantified/nim-fibonacci.mzn",
           "is for games"}}) {
        const Ran ran = zermelo(arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_NE(ran.err.find(complaint), std::string::npos) << arguments << ": " << ran.err;
    }
}

}  // namespace

}  // namespace zermelo
