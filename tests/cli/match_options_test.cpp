// match and tournament as a person or a script runs them: what they print, what they refuse, and that a
// tournament survives being killed, interrupted and started twice.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "core/random.hpp"
#include "program.hpp"

namespace zermelo {
namespace {

class Contest : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = gdl + "tic-tac-toe.kif";
    static inline const std::string subtraction = gdl + "subtraction.kif";

    // The same for what the command line itself does not let pass, which adds where to find help.
    static void expect_usage_error(const Ran& ran, const std::string& complaint) {
        EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
        EXPECT_EQ(ran.out, "");
        EXPECT_SAYS(ran.err, complaint);
        EXPECT_SAYS(ran.err, "Run with --help for more information.");
    }

    // The numbers of the matches in a record and how many seats each has, by way of the table.
    [[nodiscard]] std::map<std::uint64_t, int> recorded(const std::string& record) const {
        const std::string table = path("recorded.csv");
        const Ran ran = zermelo("tournament --report-only --record " + record + " --csv " + table);
        EXPECT_TRUE(ran.code == 0 || ran.code == 1) << ran.err;
        std::istringstream lines(read_file(table));
        std::string line;
        EXPECT_TRUE(std::getline(lines, line) && line.starts_with("match,game,seed,")) << line;
        std::map<std::uint64_t, int> seats;
        while (std::getline(lines, line)) ++seats[std::stoull(line)];
        return seats;
    }
    static void expect_exactly(const std::map<std::uint64_t, int>& seats, std::uint64_t matches) {
        EXPECT_EQ(seats.size(), matches);
        std::uint64_t number = 0;
        for (const auto& [match, count] : seats) {
            EXPECT_EQ(match, number++);
            EXPECT_EQ(count, 2) << "match " << match;
        }
    }

    // A tournament that takes a while, since a player who proves nothing uses its time: 4 matches a round.
    [[nodiscard]] static std::string slow_tournament(const std::string& record, int rounds) {
        return binary + " tournament --games " + tic_tac_toe + " " + subtraction +
               " --players uct:bounds=0 random --clock 0.02 --start-clock 0 --rounds " +
               std::to_string(rounds) + " --record " + record;
    }
};

TEST_F(Contest, MatchAddsUp) {
    for (const std::string name : {"tic-tac-toe", "kuhn-poker", "rock-paper-scissors-once"}) {
        const Ran ran = zermelo("match --json --games 6 --playouts 20 --start-clock 0 --moves " + gdl + name +
                                ".kif uct:label=first greedy");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        const auto object = json_of(ran);
        EXPECT_EQ(object["games"], 6);
        EXPECT_EQ(object["illegal"], 0);
        EXPECT_EQ(object["late"], 0);
        EXPECT_EQ(object["errors"].size(), 0U);
        for (const char* key : {"scores", "wins", "intervals", "players"})
            ASSERT_EQ(object[key].size(), 2U) << key;
        EXPECT_EQ(object["players"][0]["label"], "first");
        EXPECT_EQ(object["players"][1]["label"], "greedy");
        EXPECT_NEAR(object["scores"][0].get<double>() + object["scores"][1].get<double>(), 1, 1e-9);
        EXPECT_EQ(object["wins"][0].get<int>() + object["wins"][1].get<int>() + object["draws"].get<int>(),
                  6);
        for (std::size_t p = 0; p < 2; ++p) {
            const double score = object["scores"][p];
            EXPECT_NEAR(score * 6, object["wins"][p].get<double>() + object["draws"].get<double>() / 2, 1e-9);
            EXPECT_LE(object["intervals"][p][0].get<double>(), score);
            EXPECT_GE(object["intervals"][p][1].get<double>(), score);
            EXPECT_EQ(object["players"][p]["losses"], object["wins"][1 - p]);
        }
        // The matches say the same, and seats are taken in turns.
        ASSERT_EQ(object["matches"].size(), 6U);
        std::map<std::string, int> wins;
        int draws = 0;
        for (std::size_t m = 0; m < 6; ++m) {
            const auto& match = object["matches"][m];
            EXPECT_EQ(match["players"][m % 2], "first");
            EXPECT_GT(match["moves"].get<std::string>().size(), 0U);
            const int a = match["goals"][0];
            const int b = match["goals"][1];
            if (a == b)
                ++draws;
            else
                ++wins[match["players"][a > b ? 0 : 1]];
        }
        EXPECT_EQ(object["draws"], draws);
        EXPECT_EQ(object["wins"][0], wins["first"]);
        EXPECT_EQ(object["wins"][1], wins["greedy"]);
    }
}

TEST_F(Contest, MatchFitsAnyNumberOfSeats) {
    const std::string few = " --json --playouts 5 --start-clock 0 --moves --games ";
    const auto alone = json_of(zermelo("match " + gdl + "eight-puzzle.kif random" + few + "2"));
    EXPECT_EQ(alone["games"], 2);
    EXPECT_EQ(alone["scores"].size(), 1U);
    EXPECT_EQ(alone["draws"], 0);
    const auto shared = json_of(zermelo("match " + gdl + "four-in-turn.kif random greedy" + few + "2"));
    EXPECT_EQ(shared["matches"][0]["players"], nlohmann::json({"random", "greedy", "random", "greedy"}));
    EXPECT_EQ(shared["matches"][1]["players"], nlohmann::json({"greedy", "random", "greedy", "random"}));
    const auto four =
        json_of(zermelo("match " + gdl + "four-in-turn.kif random greedy random uct" + few + "4"));
    EXPECT_EQ(four["matches"][0]["players"], nlohmann::json({"random", "greedy", "random #2", "uct"}));
    EXPECT_EQ(four["scores"].size(), 4U);
    double sum = 0;
    for (const auto& score : four["scores"]) sum += score.get<double>();
    EXPECT_NEAR(sum, 2, 1e-9);  // every pair of seats shares a point, a third of it each
}

TEST_F(Contest, MatchSpeaksToPeopleToo) {
    const Ran ran = zermelo("match " + tic_tac_toe + " greedy random --games 2 --playouts 5 --moves");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "x (greedy) ");
    EXPECT_SAYS(ran.out, "o (greedy) ");
    EXPECT_SAYS(ran.out, "(mark ");
    EXPECT_EQ(ran.err, "");
}

TEST_F(Contest, StrongerPlayersWin) {
    const auto object = json_of(
        zermelo("match --json --games 20 --playouts 300 --start-clock 0 " + tic_tac_toe + " uct random"));
    EXPECT_GT(object["scores"][0].get<double>(), 0.8);
    EXPECT_GT(object["intervals"][0][0].get<double>(), 0.5);
}

TEST_F(Contest, MatchRefusesWhatItCannotUse) {
    const std::string match = "match " + tic_tac_toe + " ";
    expect_one_line_about(zermelo(match + "uct nobody"), "there is no player nobody; choose one of: random");
    expect_one_line_about(zermelo(match + "uct:exploration=much random"),
                          "much is no value for exploration; write a number from 0 to 10");
    expect_one_line_about(zermelo(match + "uct:courage=1 random"), "courage is no key");
    expect_one_line_about(zermelo(match + "uct random greedy"),
                          "tic-tac-toe.kif: there are 3 players for 2 seats");
    expect_one_line_about(zermelo(match + "uct random --memory lots"), "--memory lots");
    expect_one_line_about(zermelo(match + "perfect:strategy=" + path("none.json") + " random"),
                          "none.json: cannot be opened");
    expect_one_line_about(zermelo("match " + path("none.kif") + " uct random"), "none.kif: cannot be read");
    expect_one_line_about(zermelo("match " + nim + " uct random"), "nim-fibonacci.mzn:");
    expect_usage_error(zermelo(match + "uct random --clock soon"), "--clock: ");
    expect_usage_error(zermelo(match + "uct random --clock 0"), "--clock: ");
    expect_usage_error(zermelo(match + "uct random --games 0"), "--games: ");
    expect_usage_error(zermelo("match"), "FILE is required");
    const std::string endless = write("endless.kif", R"((role a) (init (n z))
(<= (legal a go) (true (n ?x)))
(<= (next (n (s ?x))) (true (n ?x)))
(<= terminal (true (n (s (s z)))))
(goal a 100)
)");
    expect_one_line_about(zermelo("match " + endless + " random"),
                          "endless.kif: terms nested deeper than 200 arise");
    const std::string nobody = write("nobody.kif", R"((role random) (init p) (legal random go)
(<= (next q) (true p)) (<= terminal (true q)) (goal random 0)
)");
    expect_one_line_about(zermelo("match " + nobody + " random"), "nobody.kif: there is no role but random");
    const std::string stuck = write("stuck.kif", R"((role a) (init p) (<= (legal a go) (true p))
(<= (next q) (true p)) (<= terminal (true r)) (<= (next r) (does a come)) (goal a 0)
)");
    expect_one_line_about(zermelo("match " + stuck + " random"),
                          "a has no legal move in a state that is not");
}

TEST_F(Contest, TournamentRefusesWhatItCannotUse) {
    const std::string two = "tournament --playouts 5 --games " + tic_tac_toe + " --players ";
    expect_one_line_about(zermelo("tournament"), "a tournament needs games and players");
    expect_one_line_about(zermelo(two + "uct"), "a tournament needs two players");
    expect_one_line_about(zermelo(two + "uct nobody"), "there is no player nobody");
    expect_one_line_about(zermelo(two + "uct random --sprt 5 5"), "a smaller number before a greater one");
    expect_one_line_about(zermelo(two + "uct random greedy --sprt 0 5"), "--sprt compares two players");
    expect_one_line_about(zermelo(two + "random greedy --record " + path("no/such/place")), "no/such/place");
    expect_one_line_about(zermelo(two + "random greedy --html " + path("no/such/place")), "no/such/place");
    expect_one_line_about(zermelo("tournament --record " + path("none")), "needs games and players");
    expect_one_line_about(zermelo("tournament --report-only --record " + path("none")),
                          "none: there is no such record");
    expect_usage_error(zermelo("tournament --report-only"), "--report-only requires --record");
    expect_usage_error(zermelo(two + "random greedy --sprt 5"), "--sprt");
    const std::string other = write("other.kif", "(role a)");
    expect_one_line_about(zermelo("tournament --record " + other), "this is not the record of a tournament");
    EXPECT_EQ(read_file(other), "(role a)");
    const std::string record = path("record");
    ASSERT_EQ(zermelo(two + "random greedy --record " + record).code, 0);
    expect_one_line_about(zermelo(two + "random uct --record " + record), "record");
    expect_exactly(recorded(record), 2);
}

TEST_F(Contest, TournamentWritesReports) {
    const std::string record = path("record.sqlite");
    const std::string html = path("report.html");
    const std::string csv = path("report.csv");
    const Ran ran =
        zermelo("tournament --json --rounds 2 --playouts 10 --start-clock 0 --check --games " + tic_tac_toe +
                " " + gdl + "monty-hall.kif --players uct greedy 'random:label=<r>'" + " --record " + record +
                " --html " + html + " --csv " + csv);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["matches"], 2 * (6 + 3));
    EXPECT_EQ(object["scheduled"], 2 * (6 + 3));
    EXPECT_EQ(object["errors"].size(), 0U);
    EXPECT_EQ(object["games"].size(), 2U);
    EXPECT_EQ(object["pairs"].size(), 6U);
    EXPECT_EQ(object["plan"]["rounds"], 2);
    ASSERT_EQ(object["players"].size(), 3U);
    double last = 1;
    for (const auto& player : object["players"]) {
        EXPECT_EQ(player["illegal"], 0);
        EXPECT_EQ(player["late"], 0);
        const double score = player["score"]["value"];
        EXPECT_LE(score, last);  // the best first
        last = score;
    }
    const std::string page = read_file(html);
    for (const char* part : {"<!DOCTYPE html>", "<svg", "&lt;r&gt;", "tic-tac-toe", "</html>"})
        EXPECT_SAYS(page, part);
    EXPECT_EQ(page.find("<r>"), std::string::npos);
    for (const char* part : {"http://", "https://"}) {
        // Names of XML spaces are no links.
        for (auto at = page.find(part); at != std::string::npos; at = page.find(part, at + 1))
            EXPECT_TRUE(page.compare(at, 18, "http://www.w3.org/") == 0) << page.substr(at, 60);
    }
    const std::string table = read_file(csv);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 2 * (6 * 2 + 3));
    // The record alone gives the same table.
    const std::string again = path("again.csv");
    EXPECT_EQ(zermelo("tournament --report-only --record " + record + " --csv " + again).code, 0);
    EXPECT_EQ(read_file(again), table);
    // There is nothing left to do, and it is not done twice.
    const auto later = json_of(zermelo("tournament --json --record " + record));
    EXPECT_EQ(later["matches"], 18);
    EXPECT_EQ(later["players"], object["players"]);
}

TEST_F(Contest, TournamentsCountCpuTime) {
    const std::string record = path("cpu.sqlite");
    const std::string tournament =
        "tournament --games " + gdl + "nim.kif --cpu-clock --clock 0.01 --rounds 2 --players uct";
    const auto object = json_of(zermelo(tournament + " random --json --record " + record));
    EXPECT_EQ(object["matches"], 4);
    EXPECT_EQ(object["plan"]["cpu_clock"], true);
    EXPECT_EQ(json_of(zermelo("tournament --json --record " + record))["plan"]["cpu_clock"], true);
    expect_one_line_about(zermelo(tournament + ":threads=2 random"), "--cpu-clock");
    expect_one_line_about(zermelo(tournament + " http://localhost:1"), "--cpu-clock");
    expect_one_line_about(zermelo(tournament + " random --parallel 2"), "--parallel");
}

TEST_F(Contest, TournamentTestsSequentially) {
    const auto object = json_of(zermelo("tournament --json --games " + gdl + "nim.kif --players random " +
                                        "perfect --playouts 50 --rounds 400 --sprt 0 100"));
    EXPECT_LT(object.value("matches", 1000), 200);
    EXPECT_EQ(object["scheduled"], 800);
    EXPECT_SAYS(object.value("sprt", ""), "H0");
}

// Killed at random moments, again and again, and continued to the end.
TEST_F(Contest, TournamentsThatWereKilledGoOn) {
    const char* asked = std::getenv("ZERMELO_KILLS");
    const int kills = asked != nullptr ? std::atoi(asked) : 3;
    const int rounds = 3 * kills + 3;
    const std::string record = path("record.sqlite");
    Random random(11);
    int killed = 0;
    std::size_t before = 0;
    for (int kill = 0; kill < kills; ++kill) {
        const double seconds = static_cast<double>(random.between(30, 400)) / 1000;
        const Ran ran =
            run("timeout -s KILL " + std::to_string(seconds) + " " + slow_tournament(record, rounds));
        killed += ran.code == 137 ? 1 : 0;
        if (!std::filesystem::exists(record)) continue;
        const auto so_far = recorded(record);
        EXPECT_GE(so_far.size(), before) << "a match was lost";
        before = so_far.size();
        for (const auto& [match, count] : so_far) EXPECT_EQ(count, 2) << "match " << match << " in pieces";
    }
    EXPECT_GT(killed, 0) << "it was always finished before";
    const Ran last = run(slow_tournament(record, rounds));
    EXPECT_EQ(last.code, 0) << last.err;
    expect_exactly(recorded(record), static_cast<std::uint64_t>(4 * rounds));
}

TEST_F(Contest, InterruptedTournamentsGoOn) {
    const std::string record = path("record.sqlite");
    const Ran stopped = run("timeout --preserve-status -s INT 0.7 " + slow_tournament(record, 15));
    EXPECT_EQ(stopped.code, 130) << stopped.out << stopped.err;
    EXPECT_SAYS(stopped.out, "of 60 matches");
    EXPECT_SAYS(stopped.out, "Go on with: zermelo tournament --record " + record);
    const auto before = recorded(record);
    EXPECT_LT(before.size(), 60U);
    for (const auto& [match, count] : before) EXPECT_EQ(count, 2);
    // The record knows what was asked for.
    const Ran again = zermelo("tournament --json --record " + record);
    EXPECT_TRUE(again.code == 0 || again.code == 1) << again.err;
    EXPECT_EQ(json_of(again)["matches"], 60);
    expect_exactly(recorded(record), 60);
}

TEST_F(Contest, InterruptedMatchesStop) {
    const Ran ran = run("timeout --preserve-status -s INT 2 " + binary + " match --json --clock 5 " + gdl +
                        "othello.kif uct grave");
    EXPECT_EQ(ran.code, 130) << ran.out << ran.err;
    EXPECT_EQ(json_of(ran)["games"], 0);
}

TEST_F(Contest, ARunningTournamentHasItsRecordForItself) {
    const std::string record = path("record.sqlite");
    const Ran ran =
        run(slow_tournament(record, 500) + " > " + path("first") + " & first=$!\n" +
            "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do\n" + "  sleep 0.1; test -s " +
            record + " && break\ndone\nsleep 0.2\n" + slow_tournament(record, 500) + "; echo second $?\n" +
            binary + " tournament --report-only --record " + record + " > " + path("report") +
            "; echo reading $?\nkill -INT $first; wait $first; echo first $?");
    EXPECT_SAYS(ran.out, "second 2\n");
    EXPECT_TRUE(ran.out.find("reading 0\n") != std::string::npos ||
                ran.out.find("reading 1\n") != std::string::npos)
        << ran.out;
    EXPECT_SAYS(ran.out, "first 130\n");
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_SAYS(ran.err, record);
    for (const auto& [match, count] : recorded(record)) EXPECT_EQ(count, 2) << match;
}

// What does not depend on time.
nlohmann::json matches_of(const nlohmann::json& object) {
    return object.contains("matches") ? object["matches"] : nlohmann::json();
}

TEST_F(Contest, TheSameSeedGivesTheSameMatches) {
    const std::vector<std::string> names = {"tic-tac-toe",         "nim",        "subtraction",
                                            "dice-race",           "guess-dice", "kuhn-poker",
                                            "rock-paper-scissors", "monty-hall", "matching-pennies",
                                            "breakthrough-small",  "hex-small",  "connect-four"};
    const std::vector<std::string> pairs = {"uct grave", "cfr alpha-beta", "greedy random"};
    bool seed_matters = false;
    for (const std::string& name : names) {
        for (const std::string& pair : pairs) {
            const bool alone = name == "guess-dice" || name == "monty-hall";
            for (const std::string& players : alone
                                                  ? std::vector<std::string>{pair.substr(0, pair.find(' ')),
                                                                             pair.substr(pair.find(' ') + 1)}
                                                  : std::vector<std::string>{pair}) {
                const std::string match = "match --moves --json --games 2 --playouts 200 --start-clock 0 " +
                                          gdl + name + ".kif " + players + " --seed ";
                const auto first = matches_of(json_of(zermelo(match + "7")));
                EXPECT_EQ(first.size(), 2U);
                EXPECT_EQ(first, matches_of(json_of(zermelo(match + "7")))) << name << " " << players;
                if (name != "connect-four") continue;
                const auto other = matches_of(json_of(zermelo(match + "8")));
                seed_matters = seed_matters || first[0]["moves"] != other[0]["moves"];
            }
        }
    }
    EXPECT_TRUE(seed_matters);
}

// Playouts instead of a clock: preparation must not depend on time either.
TEST_F(Contest, WithoutAClockNothingDependsOnTime) {
    for (const std::string name : {"dice-race", "breakthrough-small"}) {
        for (const std::string players : {"cfr uct", "alpha-beta grave"}) {
            const std::string match =
                "match --moves --json --games 2 --playouts 200 --seed 7 " + gdl + name + ".kif " + players;
            const auto first = matches_of(json_of(zermelo(match)));
            EXPECT_EQ(first.size(), 2U);
            EXPECT_EQ(first, matches_of(json_of(zermelo(match)))) << name << " " << players;
        }
    }
}

// Every player in every game, quickly. The reasoner follows every match.
TEST_F(Contest, AllPlayersPlayAllGames) {
    const std::vector<std::string> players = {
        "uct", "cfr", "grave", "alpha-beta", "greedy", "random", "perfect:solve=0.1"};
    std::uint64_t moves = 0;
    std::uint64_t late = 0;
    std::uint64_t matches = 0;
    std::size_t turn = 0;
    std::set<std::string> seen;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(gdl)) {
        if (entry.path().extension() == ".kif") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    ASSERT_GE(files.size(), 22U);
    for (const auto& file : files) {
        // Games in which a match takes long get one pair each, the others all players.
        const auto playouts = json_of(zermelo("gdl simulate --json --playouts 200 " + file.string()));
        const bool is_long = playouts["mean_length"].get<double>() > 12;
        const std::size_t count = is_long ? 2 : players.size();
        std::string field;
        for (std::size_t i = 0; i < count; ++i) field += " " + players[turn++ % players.size()];
        const Ran ran =
            zermelo("tournament --json --check --gauntlet --clock 0.02 --start-clock 0.02 --games " +
                    file.string() + " --players" + field);
        EXPECT_EQ(ran.code, 0) << file << ran.err;
        EXPECT_EQ(ran.err, "") << file;
        const auto object = json_of(ran);
        EXPECT_EQ(object["errors"].size(), 0U) << file << object["errors"];
        EXPECT_GT(object["scheduled"].get<std::uint64_t>(), 0U);
        EXPECT_EQ(object["matches"], object["scheduled"]) << file;
        matches += object["matches"].get<std::uint64_t>();
        for (const auto& player : object["players"]) {
            EXPECT_EQ(player["illegal"], 0) << file << player["player"];
            moves += player["moves"].get<std::uint64_t>();
            late += player["late"].get<std::uint64_t>();
            seen.insert(player["player"].get<std::string>());
        }
    }
    EXPECT_EQ(seen.size(), players.size());
    // How many are late is up to the machine.
    std::cout << matches << " matches, " << moves << " moves, " << late << " late\n";
    EXPECT_GE(moves, matches);
}

}  // namespace
}  // namespace zermelo
