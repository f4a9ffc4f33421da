// tournament --sweep, and gauntlets that sequential tests cut short, as a person or a script runs them, on
// real games and with real records, some of which belong to runs that were killed.

#include <algorithm>
#include <map>

#include "core/random.hpp"
#include "program.hpp"

namespace zermelo {
namespace {

class Sweeping : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = gdl + "tic-tac-toe.kif";
    static inline const std::string subtraction = gdl + "subtraction.kif";

    // Runs it and kills it after so many seconds; it is dead when this returns. False where it was done
    // before.
    static bool killed_after(double seconds, const std::string& command) {
        const Ran ran =
            run(command + " & it=$!\nsleep " + std::to_string(seconds) + "; kill -KILL $it; wait $it");
        return ran.code == 137;
    }
    static std::size_t lines(const std::string& text) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    }
};

TEST_F(Sweeping, MoreThinkingMakesARisingCurve) {
    const auto file = [this](const std::string& name) { return path(name); };
    const Ran ran =
        zermelo("tournament --json --playouts 20 --start-clock 0 --rounds 6 --sweep " +
                std::string("uct:playouts=1,1000 --players random greedy --games ") + tic_tac_toe + " " +
                subtraction + " --record " + file("r") + " --csv " + file("c") + " --html " + file("h") +
                " --svg " + file("s") + " --markdown " + file("m"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["scheduled"], 2 * 2 * 2 * 12);  // values, opponents, games, matches of a pair
    EXPECT_EQ(object["matches"], object["scheduled"]);
    EXPECT_EQ(object["plan"]["sweep"]["key"], "playouts");
    const auto& sweep = object["sweep"];
    EXPECT_EQ(sweep["player"], "uct");
    EXPECT_EQ(sweep["values"], nlohmann::json({1.0, 1000.0}));
    EXPECT_EQ(sweep["best"], 1000.0);
    ASSERT_EQ(sweep["against"].size(), 2U);
    EXPECT_EQ(sweep["against"][1]["opponent"], "greedy");
    double points = 0;
    for (const auto& against : sweep["against"]) {
        ASSERT_EQ(against["curve"].size(), 2U);
        EXPECT_EQ(against["curve"][1]["matches"], 24);
        points += against["curve"][1]["points"].get<double>();
    }
    const auto& low = sweep["all"][0]["score"];
    const auto& high = sweep["all"][1]["score"];
    EXPECT_DOUBLE_EQ(high["value"].get<double>(), points / 48);
    EXPECT_GT(high["low"].get<double>(), low["high"].get<double>()) << sweep["all"];
    // The other reports.
    EXPECT_EQ(lines(read_file(file("c"))), 1U + 2 * (1 + 2 + 2 + 4));
    EXPECT_SAYS(read_file(file("h")), "<!DOCTYPE html>");
    EXPECT_SAYS(read_file(file("h")), "greedy, playouts = 1000: ");
    EXPECT_TRUE(read_file(file("s")).starts_with("<svg xmlns="));
    EXPECT_SAYS(read_file(file("m")), "| playouts | random | greedy | all | Matches |");
    // The record alone gives the same, and nothing is played twice.
    const Ran again = zermelo("tournament --report-only --record " + file("r") + " --csv " + file("c2") +
                              " --svg " + file("s2") + " --markdown " + file("m2"));
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_SAYS(again.out, "The best score is at playouts = 1000: ");
    for (const std::string name : {"c", "s", "m"})
        EXPECT_EQ(read_file(file(name)), read_file(file(name + "2"))) << name;
    EXPECT_EQ(json_of(zermelo("tournament --json --record " + file("r")))["sweep"], sweep);
}

TEST_F(Sweeping, AnyNumberOfAnyPlayerCanBeSwept) {
    for (const std::string sweep : {"uct:exploration=0..1/0.5,bounds=0", "grave:reference=0,100",
                                    "cfr:exploration=0.2,0.6", "perfect:solve=0..0.2/0.1,fallback=greedy",
                                    "alpha-beta:worlds=1..3/1", "uct:memory=1000000,2000000"}) {
        const Ran ran = zermelo("tournament --json --playouts 10 --start-clock 0 --sweep " + sweep +
                                " --players random --games " + subtraction);
        EXPECT_EQ(ran.code, 0) << sweep << ran.err;
        const auto object = json_of(ran);
        const std::size_t values = object["sweep"]["values"].size();
        EXPECT_GE(values, 2U);
        EXPECT_EQ(object["matches"], 2 * values) << sweep;
        EXPECT_EQ(object["players"].size(), values + 1);
    }
}

TEST_F(Sweeping, WhoPlaysAloneIsComparedToo) {
    const auto object =
        json_of(zermelo("tournament --json --playouts 10 --start-clock 0 --rounds 3 --sweep uct:each=1,2 " +
                        std::string("--players random --games ") + gdl + "monty-hall.kif"));
    EXPECT_EQ(object["matches"], 9);
    EXPECT_EQ(object["sweep"]["all"][0]["matches"], 3);
}

TEST_F(Sweeping, RefusesWhatIsNoSweepInOneLine) {
    const auto sweep = [](const std::string& text, const std::string& more = " --players random") {
        return zermelo("tournament --playouts 5 --games " + subtraction + " --sweep '" + text + "'" + more);
    };
    expect_one_line_about(sweep("uct"), "the sweep uct: there is no key with values; write PLAYER:KEY=");
    expect_one_line_about(sweep("uct:exploration=0.5"), "no key has several values");
    expect_one_line_about(sweep("uct:exploration=1..0/0.1"), "its range ends before it begins");
    expect_one_line_about(sweep("uct:exploration=0..1/0"), "its step is 0");
    expect_one_line_about(sweep("uct:exploration=0..1"), "0..1 is no range; write FROM..TO/STEP");
    expect_one_line_about(sweep("uct:exploration=0..99/9"), "18 is no value for exploration");
    expect_one_line_about(sweep("uct:courage=0..1/1"), "courage is no key");
    expect_one_line_about(sweep("nobody:a=0..1/1"), "there is no player nobody");
    expect_one_line_about(sweep("uct:exploration=0..1/1", ""), "a tournament needs games and players");
    expect_one_line_about(sweep("uct:exploration=0..1/1", " --players random --sprt 0 5"),
                          "--sprt and --sweep exclude each other");
    const std::string two = "tournament --playouts 5 --games " + subtraction + " --players random greedy ";
    expect_one_line_about(zermelo(two + "--svg " + path("picture.svg")), "--svg draws the curves of a sweep");
    expect_one_line_about(zermelo(two + "--sprt 0 5 --at-least 3"),
                          "--at-least 3 is more than the 2 matches that are planned");
    const Ran alone = zermelo(two + "--at-least 3");
    EXPECT_EQ(alone.code, 2);
    EXPECT_SAYS(alone.err, "--at-least requires --sprt");
    // A record of one sweep is not that of another.
    const std::string record = " --players random --record " + path("record");
    ASSERT_EQ(sweep("uct:exploration=0..1/1", record).code, 0);
    expect_one_line_about(sweep("uct:exploration=0..2/1", record), "record");
}

// Killed at random moments, and continued to the end: the curves are those of a sweep that nobody stopped.
TEST_F(Sweeping, SweepsThatWereKilledGoOn) {
    const std::string sweep = binary +
                              " tournament --playouts 400 --start-clock 0 --rounds 3 --sweep "
                              "uct:exploration=0.1,0.4,1.6 --players grave uct:each=2 --games " +
                              gdl + "breakthrough-small.kif " + gdl + "connect-four.kif --record ";
    Random random(12);
    int killed = 0;
    const std::string record = path("record.sqlite");
    for (int i = 0; i < 4; ++i) {
        const double seconds = static_cast<double>(random.between(100, 400)) / 1000;
        killed += killed_after(seconds, sweep + record) ? 1 : 0;
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
    const Ran last = run(sweep + record + " --json --csv " + path("continued.csv"));
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_EQ(json_of(last)["matches"], 3 * 2 * 2 * 6);
    EXPECT_EQ(json_of(last)["scheduled"], 3 * 2 * 2 * 6);
    const Ran whole = run(sweep + path("whole.sqlite") + " --csv " + path("whole.csv"));
    EXPECT_EQ(whole.code, 0) << whole.err;
    EXPECT_EQ(read_file(path("continued.csv")), read_file(path("whole.csv")));
}

TEST_F(Sweeping, GauntletsStopEveryPairInEveryGame) {
    const std::string gauntlet =
        "tournament --gauntlet --parallel 1 --playouts 50 --start-clock 0 --rounds 60 " +
        std::string("--players perfect random perfect:label=twin --games ") + subtraction + " " + gdl +
        "nim.kif --sprt 0 40 --at-least 30";
    const Ran ran =
        zermelo(gauntlet + " --json --record " + path("record") + " --markdown " + path("table.md"));
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    ASSERT_EQ(object["comparisons"].size(), 4U);
    std::uint64_t matches = 0;
    for (const auto& one : object["comparisons"]) {
        EXPECT_EQ(one["player"], "perfect");
        const bool weak = one["against"] == "random";
        EXPECT_EQ(one["sprt"]["verdict"], weak ? "H1" : "open") << one;
        EXPECT_EQ(one["matches"], weak ? 30 : 120) << one;
        EXPECT_LE(one["score"]["low"].get<double>(), one["score"]["value"].get<double>());
        EXPECT_GE(one["score"]["high"].get<double>(), one["score"]["value"].get<double>());
        matches += one["matches"].get<std::uint64_t>();
    }
    EXPECT_EQ(object["matches"], matches);
    EXPECT_EQ(object["scheduled"], 480);
    const std::string table = read_file(path("table.md"));
    EXPECT_SAYS(table, "| Game | random | twin |\n|---|---:|---:|\n| subtraction | ");
    EXPECT_SAYS(table, "| nim | twin | open | 120 | 60 | 0 | 60 | 50 % |");
    // The record tells the verdicts without playing, and going on adds nothing to what is decided.
    const Ran report = zermelo("tournament --report-only --record " + path("record"));
    EXPECT_EQ(report.code, 0) << report.err;
    EXPECT_SAYS(report.out, "Sequential tests of perfect");
    EXPECT_SAYS(report.out, "H1, stronger");
    EXPECT_EQ(json_of(zermelo(gauntlet + " --json --record " + path("record")))["matches"], matches);
}

// A gauntlet with tests that was killed ends with the verdicts of one that nobody stopped.
TEST_F(Sweeping, GauntletsThatWereKilledGoOnWithTheirTests) {
    const std::string gauntlet = binary +
                                 " tournament --gauntlet --json --parallel 1 --playouts 300 --start-clock 0 "
                                 "--rounds 20 --players uct random grave --games " +
                                 gdl + "breakthrough-small.kif " + tic_tac_toe + " --sprt 0 150";
    const auto whole = json_of(run(gauntlet));
    int killed = 0;
    for (int i = 0; i < 3; ++i) killed += killed_after(0.2, gauntlet + " --record " + path("record")) ? 1 : 0;
    EXPECT_GT(killed, 0) << "it was always finished before";
    const auto continued = json_of(run(gauntlet + " --record " + path("record")));
    EXPECT_EQ(continued["comparisons"], whole["comparisons"]);
    EXPECT_LT(whole["matches"].get<std::uint64_t>(), whole["scheduled"].get<std::uint64_t>());
}

}  // namespace
}  // namespace zermelo
