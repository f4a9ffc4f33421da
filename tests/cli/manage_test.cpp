// zermelo manage, and tournaments with players on the network, as a person or a script runs them.

#include <csignal>

#include "arena/record.hpp"
#include "program.hpp"
#include "support/http_player.hpp"

namespace zermelo {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

class Manage : public Program {
protected:
    static inline const std::string folder = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = folder + "tic-tac-toe.kif ";
    static inline const gdl::Game game{folder + "tic-tac-toe.kif"};
    static inline const play::GameContext rules{game};

    [[nodiscard]] json file(const std::string& name) const {
        const auto object = json::parse(read_file(path(name)), nullptr, false);
        EXPECT_TRUE(object.is_object()) << name << ": " << read_file(path(name));
        return object;
    }
    [[nodiscard]] static Strings starts(const HttpPlayer& player) {
        Strings all;
        for (const std::string& text : player.heard()) {
            const ggp::Message message = ggp::read_message(text);
            if (message.verb == ggp::Verb::start) all.push_back(message.match + " " + message.role);
        }
        return all;
    }
};

TEST_F(Manage, RunsAMatch) {
    HttpPlayer x(plays({"(mark 1 1)", "wait", "(MARK  1 2)", "wait", "( mark 1 3 )"}));
    HttpPlayer o(plays({"wait", "(mark 2 1)", "nonsense", "(mark 2 2)", "wait"}));
    const Ran ran = zermelo("manage " + tic_tac_toe + x.address() + " " + o.address() +
                            " --startclock 5 --playclock 3 --match-id final --json --matches " +
                            path("played") + " --record " + path("record.sqlite"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    const json object = json_of(ran);
    EXPECT_EQ(object["complete"], true);
    ASSERT_EQ(object["matches"].size(), 1U);
    const json& match = object["matches"][0];
    EXPECT_EQ(match["match"], "final");
    EXPECT_EQ(match["error"], "");
    EXPECT_EQ(match["steps"], 5);
    EXPECT_EQ(match["moves"],
              "(mark 1 1) wait; wait (mark 2 1); (mark 1 2) wait; wait (mark 2 2); (mark 1 3) wait");
    EXPECT_EQ(match["seats"][0]["role"], "x");
    EXPECT_EQ(match["seats"][0]["player"], x.label());
    EXPECT_EQ(match["seats"][0]["goal"], 100);
    EXPECT_EQ(match["seats"][1]["illegal"], 1);
    EXPECT_EQ(match["faults"],
              (json::array({{{"step", 3}, {"role", "o"}, {"player", o.label()}, {"fault", "IL nonsense"}}})));

    const json written = file("played/final.json");
    EXPECT_EQ(written["matchId"], "final");
    EXPECT_EQ(written["gameMetaURL"], "tic-tac-toe.kif");
    EXPECT_EQ(written["isCompleted"], true);
    EXPECT_EQ(written["startClock"], 5);
    EXPECT_EQ(written["playClock"], 3);
    EXPECT_EQ(written["playerNamesFromHost"], (json{x.label(), o.label()}));
    EXPECT_EQ(written["goalValues"], (json{100, 0}));
    EXPECT_EQ(written["moves"][1], (json{"wait", "( mark 2 1 )"}));
    EXPECT_EQ(written["errors"][3], (json{"", "IL nonsense"}));
    EXPECT_EQ(written["states"].size(), 6U);
    EXPECT_TRUE(x.heard()[0].ends_with(" 5 3 )"));

    const auto recorded = arena::Record::results_of(path("record.sqlite"));
    ASSERT_EQ(recorded.size(), 1U);
    EXPECT_EQ(recorded[0].seats[0].goal, 100);
    EXPECT_EQ(recorded[0].seats[1].player, o.label());
    const Ran report = zermelo("tournament --report-only --record " + path("record.sqlite"));
    EXPECT_EQ(report.code, 1) << "there was an illegal move";
    EXPECT_SAYS(report.out, x.label());
}

TEST_F(Manage, PrintsAMatchAsItGoes) {
    HttpPlayer x(plays({"(mark 1 1)", "wait", "(mark 1 2)", "wait", "(mark 1 3)"}));
    HttpPlayer o(plays({"wait", "(mark 1 1)", "wait", "(mark 3 3)", "wait"}));
    const std::string line = "manage " + tic_tac_toe + x.address() + " " + o.address() +
                             " --startclock 5 --playclock 3 --match-id m";
    const Ran ran = zermelo(line + " --verbose");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out,
                "m: x is " + x.label() + ", o is " + o.label() + "\n   1  (mark 1 1) wait\n   2  wait (");
    EXPECT_SAYS(ran.out, "      o (" + o.label() + "): no legal move: (mark 1 1)\n   3  (mark 1 2) wait\n");
    EXPECT_SAYS(ran.out, "m: x (" + x.label() + ") ");
    EXPECT_SAYS(ran.out, "m: o (" + o.label() + "): no legal move: (mark 1 1), at step 2\n");
    const Ran brief = zermelo(line);
    EXPECT_EQ(brief.code, 0);
    EXPECT_EQ(brief.out.find("(mark 1 2) wait"), std::string::npos) << brief.out;
    EXPECT_SAYS(brief.out, "m: x (");
}

TEST_F(Manage, SeriesRotateGoOnAndMixPlayers) {
    HttpPlayer one(plays_legally(rules));
    const std::string line =
        "manage " + tic_tac_toe + one.address() +
        " uct:playouts=20 --startclock 1 --playclock 5 --rounds 4 --match-id s --record " +
        path("record.sqlite") + " --matches " + path("played");
    const Ran ran = zermelo(line + " --json");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(json_of(ran)["matches"].size(), 4U);
    for (const auto& match : json_of(ran)["matches"]) EXPECT_EQ(match["faults"], json::array());
    EXPECT_EQ(starts(one), (Strings{"s.1 x", "s.2 o", "s.3 x", "s.4 o"}));
    EXPECT_EQ(file("played/s.2.json")["playerNamesFromHost"], (json{"uct:playouts=20", one.label()}));
    EXPECT_EQ(arena::Record::results_of(path("record.sqlite")).size(), 4U);

    // What is there is not played again.
    const Ran again = zermelo(line);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(starts(one).size(), 4U);
    EXPECT_SAYS(again.out, one.label());
}

TEST_F(Manage, MatchesGoOnWithoutAPlayer) {
    const Ran ran =
        zermelo("manage " + folder + "monty-hall.kif " + nobody() +
                " --startclock 1 --playclock 1 --grace 0 --json --match-id m --matches " + path("played"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const json match = json_of(ran)["matches"][0];
    ASSERT_EQ(match["faults"].size(), 4U);
    for (std::size_t step = 0; step < 4; ++step) {
        EXPECT_EQ(match["faults"][step]["step"], step);
        EXPECT_EQ(match["faults"][step]["fault"], "CE");
    }
    EXPECT_EQ(match["error"], "");
    EXPECT_EQ(file("played/m.json")["isCompleted"], true);
    EXPECT_EQ(file("played/m.json")["errors"], json(4, json{"CE", ""}));
}

TEST_F(Manage, SaysWhatIsWrong) {
    const std::string here = "http://127.0.0.1:1 ";
    expect_one_line_about(zermelo("manage " + tic_tac_toe + here),
                          "the game has seats for 2, and 1 is named; name one player for each role");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + here + "uct uct"),
                          "seats for 2, and 3 are named");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + "http://host:port uct"), "http://host:port");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + "http:// uct"), "has no address");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + "https://host uct"), "there is no player https");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + here + "uct --match-id 'a b'"),
                          "a b cannot be the id of a match");
    expect_one_line_about(zermelo("manage " + path("none.kif") + " " + here + "uct"), "none.kif");
    expect_one_line_about(zermelo("manage " + write("broken.kif", "(role x) (legal") + " " + here),
                          "broken.kif:1:");
    expect_one_line_about(zermelo("manage " + tic_tac_toe + here + "uct --matches /dev/null/x"),
                          "/dev/null/x");
    expect_one_line_about(zermelo("match " + tic_tac_toe + here + "uct --playouts 10"), "needs a clock");
    expect_one_line_about(zermelo("play " + tic_tac_toe + "--engine " + here), "this engine does not play");
}

TEST_F(Manage, InterruptedMatchesAreBrokenOff) {
    const std::string number = path("process");
    HttpPlayer x([&](const ggp::Message& message) -> HttpPlayer::Answer {
        if (message.verb != ggp::Verb::play) return {};
        kill(std::stoi(read_file(number)), SIGINT);
        return {.never = true};
    });
    HttpPlayer o(plays({"wait", "wait"}));
    const Ran ran = run(binary + " manage " + tic_tac_toe + x.address() + " " + o.address() +
                        " --startclock 10 --playclock 60 --match-id m --matches " + path("played") +
                        " & echo $! > " + number + "; wait $!");
    EXPECT_EQ(ran.code, 130) << ran.out << ran.err;
    EXPECT_SAYS(ran.out, "0 of 1 matches: interrupted.");
    EXPECT_EQ(x.heard().back(), "( ABORT m )");
    EXPECT_EQ(o.heard().back(), "( ABORT m )");
    const json written = file("played/m.json");
    EXPECT_EQ(written["isAborted"], true);
    EXPECT_EQ(written["isCompleted"], false);
    EXPECT_EQ(written["states"].size(), 1U);
}

TEST_F(Manage, TournamentsAndMatchesTakeAddresses) {
    HttpPlayer one(plays_legally(rules));
    const Ran tournament =
        zermelo("tournament --json --games " + tic_tac_toe + " --players " + one.address() +
                " random greedy --clock 5 --start-clock 1 --record " + path("record.sqlite"));
    EXPECT_EQ(tournament.code, 0) << tournament.err;
    EXPECT_EQ(json_of(tournament)["matches"], 6);
    EXPECT_EQ(starts(one).size(), 4U);
    for (const arena::MatchResult& match : arena::Record::results_of(path("record.sqlite"))) {
        for (const arena::SeatResult& seat : match.seats)
            EXPECT_EQ(seat.illegal + seat.late, 0U) << seat.player;
    }
    const Ran match = zermelo("match --json " + tic_tac_toe + one.address() + " random --clock 5 --games 2");
    EXPECT_EQ(match.code, 0) << match.err;
    EXPECT_EQ(json_of(match)["players"][0]["label"], one.label());
    EXPECT_EQ(json_of(match)["illegal"], 0);
    EXPECT_EQ(starts(one).size(), 6U);
}

}  // namespace
}  // namespace zermelo
