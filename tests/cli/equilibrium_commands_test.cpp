// solve, verify, show and analyse for games with simultaneous and hidden moves, as a person or a script runs them.

#include <cmath>

#include "program.hpp"

namespace zermelo {
namespace {

using nlohmann::json;

class EquilibriumCommands : public Program {
protected:
    [[nodiscard]] static std::string game(const std::string& name) {
        return std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/" + name + ".kif";
    }
    [[nodiscard]] std::string certificate(const std::string& name) const {
        const Ran ran = zermelo("solve " + game(name) + " --strategy " + path(name + ".json"));
        EXPECT_EQ(ran.code, 0) << ran.err;
        return path(name + ".json");
    }
};

TEST_F(EquilibriumCommands, SolvePrintsValuesFractionsAndMixtures) {
    const auto pennies = json_of(zermelo("solve --json " + game("matching-pennies")));
    EXPECT_EQ(pennies["verdict"], "drawn");
    EXPECT_EQ(pennies["values"], json({{"even", 50.0}, {"odd", 50.0}}));
    EXPECT_EQ(pennies["exact"], json({{"even", "50"}, {"odd", "50"}}));
    const json half = {{"heads", 0.5}, {"tails", 0.5}};
    EXPECT_EQ(pennies["mixture"], json({{"even", half}, {"odd", half}}));
    EXPECT_EQ(pennies["engine"], "equilibrium");
    EXPECT_EQ(pennies["checked"], true);
    EXPECT_EQ(pennies["strategy_nodes"], 2);
    for (const char* key : {"nodes", "peak_bytes"}) EXPECT_GT(pennies.value(key, 0), 0) << key;
    for (const char* key : {"cpu_seconds", "wall_seconds"}) EXPECT_GE(pennies.value(key, -1.0), 0) << key;

    const auto kuhn = json_of(zermelo("solve --json " + game("kuhn-poker")));
    EXPECT_EQ(kuhn["verdict"], "lost");
    EXPECT_EQ(kuhn["exact"], json({{"first", "875/18"}, {"second", "925/18"}}));
    EXPECT_NEAR(kuhn["values"]["first"].get<double>(), 50 - 25.0 / 18, 1e-12);
    EXPECT_LE(kuhn["intervals"]["first"][0].get<double>(), kuhn["values"]["first"].get<double>());
    EXPECT_GE(kuhn["intervals"]["first"][1].get<double>(), kuhn["values"]["first"].get<double>());
    EXPECT_EQ(kuhn["decisions"].size(), 3U);
}

TEST_F(EquilibriumCommands, ACertificateIsCheckedByBestResponses) {
    const std::string file = certificate("kuhn-poker");
    for (const std::string how : {"", " --reasoner"}) {
        const Ran ran = zermelo("verify " + game("kuhn-poker") + " " + file + how);
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_NE(ran.out.find("exactly 875/18"), std::string::npos) << ran.out;
    }
    std::string bytes = read_file(file);
    const std::string claim = R"("lower": "875/18")";
    bytes.replace(bytes.find(claim), claim.size(), R"("lower": "873/18")");
    const std::string mutated = write("mutated.json", bytes);
    for (const std::string how : {"", " --reasoner"}) {
        const Ran ran = zermelo("verify --json " + game("kuhn-poker") + " " + mutated + how);
        EXPECT_EQ(ran.code, 1) << ran.err;
        EXPECT_EQ(json_of(ran)["valid"], false);
        EXPECT_NE(json_of(ran)["counterexample"].get<std::string>().find("875/18"), std::string::npos);
    }
    const Ran other = zermelo("verify " + game("matching-pennies") + " " + file);
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("made for other rules"), std::string::npos) << other.err;
}

TEST_F(EquilibriumCommands, ShowPrintsATableAndDraws) {
    const std::string file = certificate("matching-pennies");
    const Ran table = zermelo("show " + game("matching-pennies") + " " + file);
    EXPECT_EQ(table.code, 0) << table.err;
    EXPECT_NE(table.out.find("even gets 50 on average"), std::string::npos) << table.out;
    EXPECT_NE(table.out.find("0.5000  1/2"), std::string::npos) << table.out;
    EXPECT_EQ(zermelo("show " + game("matching-pennies") + " " + file + " -o " + path("mixed.dot")).code, 0);
    EXPECT_NE(read_file(path("mixed.dot")).find("heads"), std::string::npos);
    EXPECT_EQ(zermelo("show " + game("matching-pennies") + " " + file + " -o " + path("mixed.xyz")).code, 2);
}

TEST_F(EquilibriumCommands, AnalyseShowsWhatEveryMoveIsWorth) {
    const auto signs =
        json_of(zermelo("analyse --json " + game("rock-paper-scissors") + " --position 'rock paper'"));
    EXPECT_EQ(signs["position"], json::array({"rock paper"}));
    ASSERT_EQ(signs["decisions"].size(), 2U);
    for (const json& move : signs["decisions"][0]["moves"]) {
        EXPECT_EQ(move["exact"], "1/3");
        EXPECT_NEAR(move["value"].get<double>(), 200.0 / 9, 1e-9);
    }
    const Ran poker = zermelo("analyse " + game("kuhn-poker") + " --position '(deal queen king); check'");
    EXPECT_EQ(poker.code, 0) << poker.err;
    EXPECT_NE(poker.out.find("* bet"), std::string::npos) << poker.out;
}

TEST_F(EquilibriumCommands, AnUnsolvedGameHasNoFavourite) {
    const Ran ran = zermelo("analyse --json --time-limit 0.2 " + game("connect-four-simultaneous"));
    EXPECT_EQ(ran.code, 3) << ran.err;
    EXPECT_EQ(json_of(ran)["verdict"], "unknown");
    EXPECT_TRUE(json_of(ran)["decisions"].empty());
}

TEST_F(EquilibriumCommands, TheEngineRefusesWhatItIsNotFor) {
    expect_one_line_about(zermelo("solve --engine equilibrium " + game("eight-puzzle")), "for two players");
    expect_one_line_about(zermelo("solve --engine equilibrium " + std::string(ZERMELO_SOURCE_DIR) +
                                  "/games/graphs/subtraction-13.json"),
                          "is for games in GDL");
    expect_one_line_about(zermelo("solve " + game("kuhn-poker") + " --checkpoint " + path("c")),
                          "--checkpoint is not for games that are solved by mixed strategies");
}

// Where all take turns and see everything, pure strategies are an equilibrium too.
TEST_F(EquilibriumCommands, TakingTurnsIsASpecialCase) {
    const auto object = json_of(zermelo("solve --json --engine equilibrium " + game("tic-tac-toe")));
    EXPECT_EQ(object["exact"], json({{"x", "50"}, {"o", "50"}}));
    EXPECT_EQ(object["programs"], 0);
    EXPECT_EQ(object["checked"], true);
}

}  // namespace
}  // namespace zermelo
