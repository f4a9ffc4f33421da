// Who plays where nobody is named, and with which net.

#include "program.hpp"

namespace zermelo {
namespace {

class Nets : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string small = gdl + "tic-tac-toe.kif";

    // A match whose players are labelled so.
    static void expect_players(const std::string& arguments, const std::vector<std::string>& labels) {
        const Ran ran = zermelo("match --json --games 1 --playouts 5 " + small + " " + arguments);
        ASSERT_EQ(ran.code, 0) << ran.err;
        std::vector<std::string> found;
        const auto object = json_of(ran);
        for (const auto& player : object["players"]) found.push_back(player["label"]);
        EXPECT_EQ(found, labels) << arguments;
    }
    [[nodiscard]] std::string trained() const {
        std::string file = path("a.net");
        EXPECT_EQ(zermelo("train " + small +
                          " --threads 1 --matches 0 --simulations 32 --gates 16 --hidden 32 "
                          "--games 64 -o " +
                          file)
                      .code,
                  0);
        return file;
    }
};

TEST_F(Nets, ZermeloTakesAllSeatsWhereNobodyIsNamed) {
    for (const auto& [name, seats] : {std::pair("tic-tac-toe", 2U), std::pair("kuhn-poker", 2U),
                                      std::pair("rock-paper-scissors-once", 2U),
                                      std::pair("vacuum-cleaner", 1U), std::pair("four-in-turn", 4U)}) {
        const Ran ran =
            zermelo("match --json --moves --games 1 --playouts 5 --start-clock 0 " + gdl + name + ".kif");
        ASSERT_EQ(ran.code, 0) << name << ran.err;
        EXPECT_EQ(json_of(ran)["matches"][0]["players"], std::vector<std::string>(seats, "zermelo")) << name;
    }
}

TEST_F(Nets, ZermeloPlaysWhereTheProgramCannotLookAhead) {
    const Ran poker =
        run("printf 'hint\\nq\\n' | " + binary + " play --seconds 0.05 " + gdl + "kuhn-poker.kif");
    EXPECT_EQ(poker.code, 0) << poker.err;
    EXPECT_SAYS(poker.out, "The program plays second, by zermelo, 0.05 s a move.");
    EXPECT_SAYS(poker.out, "Try ");
}

TEST_F(Nets, AreForThePlayersThatUseThem) {
    const std::string net = trained();
    expect_players("zermelo random --net " + net, {"zermelo:net=" + net, "random"});
    expect_players("zermelo:adapt=0 uct --net " + net, {"zermelo:adapt=0,net=" + net, "uct"});
    expect_players("zermelo random --no-net", {"zermelo:net=none", "random"});
    // What a player says itself counts.
    expect_players("zermelo:net=none zermelo:label=A --net " + net, {"zermelo:net=none", "A"});
    const std::string record = path("record.sqlite");
    const Ran ran = zermelo("tournament --json --games " + small +
                            " --players zermelo random --playouts 5 --rounds 1 "
                            "--no-net --record " +
                            record);
    ASSERT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json_of(ran)["plan"]["players"], (std::vector<std::string>{"zermelo:net=none", "random"}));
}

TEST_F(Nets, AreReadWhereTheyAreNamed) {
    const std::string none = path("none.net");
    expect_one_line_about(zermelo("match " + small + " zermelo random --playouts 5 --net " + none),
                          "none.net");
    expect_one_line_about(zermelo("play " + small + " --engine zermelo --net " + none + " </dev/null"),
                          "none.net");
    EXPECT_EQ(zermelo("play " + small + " --engine zermelo --net " + trained() + " </dev/null").code, 0);
    EXPECT_EQ(zermelo("play " + gdl + "kuhn-poker.kif --no-net </dev/null").code, 0);
}

TEST_F(Nets, AreRefusedWhereNobodyUsesThem) {
    expect_one_line_about(zermelo("match " + small + " uct random --playouts 5 --net a.net"),
                          "--net is for players that use nets; choose one of them: zermelo");
    expect_one_line_about(zermelo("match " + small + " uct random --playouts 5 --no-net"),
                          "--no-net is for players that use nets");
    expect_one_line_about(zermelo("player --port 0 --strategy uct --no-net"),
                          "--no-net is for players that use nets");
    expect_one_line_about(zermelo("play " + small + " --no-net </dev/null"), "add --engine zermelo");
    expect_one_line_about(zermelo("play " + nim + " -D n=5 --no-net </dev/null"),
                          "--no-net is for GDL and graphs");
    expect_one_line_about(zermelo("match " + small + " zermelo --playouts 5 --net a,b"), "may have no comma");
    EXPECT_EQ(zermelo("match " + small + " zermelo --playouts 5 --no-net --net a").code, 2);
}

}  // namespace
}  // namespace zermelo
