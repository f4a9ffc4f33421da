// zermelo gdl: what its commands print, and what they do with descriptions that are huge, broken or endless.

#include <chrono>

#include "core/random.hpp"
#include "program.hpp"

namespace zermelo {
namespace {

// One move and the game is over; tests add to it.
constexpr const char* one_move = R"((role r)
(init (at a))
(<= (legal r go) (true (at a)))
(<= (next (at b)) (does r go))
(<= terminal (true (at b)))
(goal r 100)
)";

class GdlCommands : public Program {
protected:
    static inline const std::string directory = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = directory + "tic-tac-toe.kif";

    [[nodiscard]] static Ran gdl(const std::string& arguments) { return zermelo("gdl " + arguments); }
    [[nodiscard]] std::string game(const std::string& more) const {
        return write("game.kif", one_move + more);
    }
    // Like gdl(), and it has to come to an end soon.
    [[nodiscard]] static Ran soon(const std::string& arguments, double seconds = 20) {
        const auto start = std::chrono::steady_clock::now();
        Ran ran = gdl(arguments);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        EXPECT_LT(taken.count(), seconds) << arguments;
        return ran;
    }
};

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST_F(GdlCommands, InfoTellsRolesAndSize) {
    const auto info = json_of(gdl("info --json " + tic_tac_toe));
    EXPECT_EQ(info["roles"].size(), 2U);
    EXPECT_EQ(info["language"], "GDL");
    EXPECT_EQ(info["simultaneous"], false);
    EXPECT_EQ(info["constant_sum"], true);
    for (const char* key : {"fluents", "moves", "gates", "ground_atoms", "ground_rules", "network_bytes"})
        EXPECT_GT(info.value(key, 0), 0) << key;
    EXPECT_GE(info.value("setup_cpu_seconds", -1.0), 0);
    const Ran text = gdl("info " + tic_tac_toe);
    EXPECT_EQ(text.code, 0);
    EXPECT_SAYS(text.out, "2 roles");
    EXPECT_EQ(json_of(gdl("info --json " + directory + "guess-dice.kif"))["language"], "GDL-II");
    EXPECT_EQ(json_of(gdl("info --json " + directory + "rock-paper-scissors.kif"))["simultaneous"], true);
}

TEST_F(GdlCommands, PerftCountsTicTacToeToTheEnd) {
    const Ran ran = gdl("perft --depth 9 --json " + tic_tac_toe);
    EXPECT_EQ(ran.code, 0) << ran.err;
    const auto perft = json_of(ran);
    EXPECT_EQ(perft["joint_moves"],
              nlohmann::json({1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872}));
    EXPECT_EQ(perft["states"], nlohmann::json({1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78}));
    EXPECT_EQ(perft["terminals"], nlohmann::json({0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872}));
    EXPECT_SAYS(gdl("perft --depth 9 " + tic_tac_toe).out, "127,872");
}

TEST_F(GdlCommands, SimulateGivesSpeedLengthAndGoals) {
    for (const std::string engine : {"scalar", "sliced", "interpreter", "reasoner"}) {
        const Ran ran =
            gdl("simulate --json --seed 3 --playouts 2000 --engine " + engine + " " + tic_tac_toe);
        EXPECT_EQ(ran.code, 0) << ran.err;
        const auto result = json_of(ran);
        EXPECT_EQ(result["engine"], engine);
        EXPECT_GE(result.value("playouts", 0), 2000);
        EXPECT_GT(result.value("playouts_per_cpu_second", 0.0), 0);
        EXPECT_GT(result.value("states_per_cpu_second", 0.0), 0);
        EXPECT_GE(result.value("setup_cpu_seconds", -1.0), 0);
        EXPECT_NEAR(result.value("mean_length", 0.0), 7.6, 0.3);
        ASSERT_EQ(result["mean_goals"].size(), 2U);
        EXPECT_NEAR(result["mean_goals"][0].get<double>() + result["mean_goals"][1].get<double>(), 100, 0.01);
    }
}

TEST_F(GdlCommands, EveryGameIsSoundAndItsLayoutStays) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        if (entry.path().extension() != ".kif") continue;
        ++count;
        const std::string file = entry.path().string();
        const Ran checked = soon("check --json " + file);
        EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
        EXPECT_TRUE(json_of(checked)["findings"].is_array());
        const Ran once = gdl("fmt " + file);
        EXPECT_EQ(once.code, 0) << once.err;
        const std::string copy = write("copy.kif", once.out);
        EXPECT_EQ(gdl("fmt " + copy).out, once.out) << file;
        EXPECT_EQ(gdl("perft --depth 2 --json " + copy).out, gdl("perft --depth 2 --json " + file).out);
        EXPECT_EQ(gdl("fmt -i " + copy).code, 0);
        EXPECT_EQ(read_file(copy), once.out);
    }
    EXPECT_GT(count, 10);
}

TEST_F(GdlCommands, GroundPrintsRules) {
    const Ran text = gdl("ground " + game(""));
    EXPECT_EQ(text.code, 0);
    EXPECT_EQ(text.out,
              "(goal r 100)\n"
              "(<= (legal r go) (true (at a)))\n"
              "(<= (next (at b)) (does r go))\n"
              "(<= terminal (true (at b)))\n");
    EXPECT_EQ(json_of(gdl("ground --json " + path("game.kif")))["rules"], 3);
}

TEST_F(GdlCommands, CheckFindsWhatIsBroken) {
    const Ran ran = gdl("check --json " + game("(<= (goal r 50) (distinct ?x b))\n"));
    EXPECT_EQ(ran.code, 1);
    const auto findings = json_of(ran)["findings"];
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings[0]["severity"], "error");
    EXPECT_SAYS(findings[0]["place"].get<std::string>(), "game.kif:7:");
    EXPECT_EQ(gdl("check " + path("no-such.kif")).code, 2);
    EXPECT_EQ(gdl("perft " + write("empty.kif", "")).code, 2);
}

TEST_F(GdlCommands, WhatCanOnlyMeanOneThingIsRunWithAWarning) {
    const std::string file = game("(<= (goal r 0) (not (true (at ?x))))\n");
    const std::string warning = "game.kif:7:21: warning: variable ?x in a negation does not occur";
    for (const std::string command : {"perft ", "info ", "ground ", "simulate --playouts 10 "}) {
        const Ran ran = soon(command + file);
        EXPECT_EQ(ran.code, 0) << command << ran.err;
        EXPECT_SAYS(ran.err, warning);
    }
    const Ran solved = zermelo("solve " + file);
    EXPECT_EQ(solved.code, 0) << solved.err;
    EXPECT_SAYS(solved.err, warning);
    const Ran lenient = gdl("check " + file);
    EXPECT_EQ(lenient.code, 0) << lenient.out;
    EXPECT_SAYS(lenient.out, warning);
    const Ran strict = gdl("check --strict " + file);
    EXPECT_EQ(strict.code, 1) << strict.out;
    EXPECT_SAYS(strict.out, "game.kif:7:21: error: variable ?x in a negation");
}

TEST_F(GdlCommands, CheckFindsWhatCanNeverHappen) {
    const Ran ran = gdl("check " + game("(<= (legal r jump) (true (at c)))\n"));
    EXPECT_EQ(ran.code, 0);
    EXPECT_SAYS(ran.out,
                "game.kif:7:1: warning: the move jump can never be legal; (true (at c)) never becomes true");
}

TEST_F(GdlCommands, TenMegabytesAreRead) {
    std::string facts;
    for (int i = 0; facts.size() < 10'000'000; ++i)
        facts += "(edge node" + std::to_string(i) + " node" + std::to_string(i + 1) + ")\n";
    const std::string file = game(facts);
    EXPECT_EQ(soon("check " + file, 60).code, 0);
    const auto perft = json_of(soon("perft --json --depth 3 " + file, 60));
    EXPECT_EQ(perft["joint_moves"], nlohmann::json({1, 1}));
}

TEST_F(GdlCommands, DeepNestingIsOneLineWithItsPlace) {
    const std::string deep = game("(p " + repeated("(f ", 200000) + "a" + repeated(")", 200000) + ")\n");
    const std::string open = write("open.kif", repeated("(", 300000));
    const std::string closed = write("closed.kif", "(role r)\n" + repeated("()", 1000) + ")(");
    for (const std::string command : {"check ", "perft ", "fmt ", "ground ", "info ", "simulate "}) {
        expect_one_line_about(soon(command + deep), "game.kif:7:");
        expect_one_line_about(soon(command + open), "open.kif:1:");
        expect_one_line_about(soon(command + closed), "closed.kif:2:");
    }
}

TEST_F(GdlCommands, EndlessTermsAreNoticed) {
    // Numbers without end, once beside the state and once in it.
    const std::string fixed =
        game("(num z)\n(<= (num (s ?x)) (num ?x))\n(<= (goal r 50) (num ?x) (true (at c)))\n");
    for (const std::string command : {"perft ", "simulate --playouts 10 "}) {
        const Ran ran = soon(command + fixed);
        EXPECT_EQ(ran.code, 2) << ran.err;
        EXPECT_SAYS(ran.err, "warning: ");
        EXPECT_SAYS(ran.err, "game.kif:8:1: (num (s ?x)) makes ever deeper terms");
    }
    EXPECT_EQ(soon("check " + fixed).code, 1);
    EXPECT_EQ(soon("ground " + fixed).code, 2);

    const std::string moving = write("moving.kif", R"((role r)
(init (c z))
(<= (legal r go) (true (c ?x)))
(<= (next (c (s ?x))) (true (c ?x)))
(<= terminal (true (c done)))
(goal r 100)
)");
    const Ran counted = soon("perft --json --depth 5 " + moving);  // what is finite of it can be counted
    EXPECT_EQ(counted.code, 0) << counted.err;
    EXPECT_EQ(json_of(counted)["joint_moves"], nlohmann::json({1, 1, 1, 1, 1, 1}));
    const Ran played = soon("simulate --playouts 10 " + moving);
    EXPECT_EQ(played.code, 2);
    EXPECT_SAYS(played.err, "moving.kif:4:1:");
}

TEST_F(GdlCommands, GroundingThatExplodesEndsAtTheLimit) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "(d e" + std::to_string(i) + ")\n";
    const std::string wide = "(wide ?a ?b ?c ?d ?e ?f ?g ?h)";
    const std::string all =
        "(d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h)"
        "(distinct ?a ?b) (distinct ?c ?d) (distinct ?e ?f) (distinct ?g ?h)";
    const std::string moving = game(text + "(<= " + wide + " " + all + " (true (at a)))\n");
    const std::string fixed = write("fixed.kif", one_move + text + "(<= " + wide + " " + all + ")\n" +
                                                     "(<= (goal r 0) (true (at c)) " + wide + ")\n");
    for (const std::string& file : {moving, fixed}) {
        for (const std::string command : {"perft ", "simulate --playouts 9 ", "ground ", "info "}) {
            const Ran ran = soon(command + "--time-limit 1 " + file, 10);
            EXPECT_EQ(ran.code, 3) << command << file << ran.err;
            EXPECT_SAYS(ran.err, "time limit reached while ");
        }
        const Ran ran = soon("ground --memory-limit 200M " + file);
        EXPECT_EQ(ran.code, 3) << ran.err;
        EXPECT_SAYS(ran.err, "memory limit reached while ");
        EXPECT_EQ(soon("check --time-limit 1 " + file, 10).code, 0);
    }
}

TEST_F(GdlCommands, RecursionThroughNegationIsRefusedWithItsPlace) {
    const std::string file =
        game("(<= p (true (at a)) (not q))\n(<= q (true (at a)) (not p))\n(<= (goal r 10) p)\n");
    for (const std::string command : {"perft ", "simulate ", "info "}) {
        const Ran ran = soon(command + file);
        expect_one_line_about(ran, "game.kif:7:");
        EXPECT_SAYS(ran.err, "`p` depends on its own negation through `q`");
    }
    const Ran checked = gdl("check " + file);
    EXPECT_EQ(checked.code, 1);
    EXPECT_SAYS(checked.out, "`p` depends on its own negation through `q`");
}

TEST_F(GdlCommands, AStartThatDependsOnTheStateIsRefused) {
    const std::string file = game("(<= p (true (at a)))\n(<= (init (at b)) p)\n");
    expect_one_line_about(gdl("perft " + file), "game.kif:8:1: `init` depends on the state or the moves");
    EXPECT_EQ(gdl("check " + file).code, 1);
}

TEST_F(GdlCommands, RandomBytesAreOneLineWithItsPlace) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        std::string bytes;
        for (int i = 0; i < 5000; ++i) bytes += static_cast<char>(random.below(256));
        const std::string file = write("noise.kif", bytes);
        for (const std::string command : {"check ", "fmt ", "perft "})
            expect_one_line_about(soon(command + file), "noise.kif:");
    }
}

TEST_F(GdlCommands, GeneratedConnectFourIsTheGame) {
    const std::string file = path("connect.kif");
    EXPECT_EQ(zermelo("generate connect-four -o " + file).code, 0);
    EXPECT_EQ(read_file(file), zermelo("generate connect-four --columns 7 --rows 6 --aligned 4").out);
    EXPECT_EQ(gdl("fmt " + file).out, read_file(file));
    const Ran checked = soon("check --json " + file);
    EXPECT_EQ(checked.code, 0);
    EXPECT_EQ(json_of(checked)["findings"], nlohmann::json::array());
    // Games of Connect-Four by length: published counts.
    const auto perft = json_of(soon("perft --json --depth 8 " + file, 60));
    EXPECT_EQ(perft["joint_moves"], nlohmann::json({1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234}));
    EXPECT_EQ(perft["states"], nlohmann::json({1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275}));
    const auto played = json_of(gdl("simulate --json --playouts 1000 " + file));
    EXPECT_EQ(played["given_up"], 0);
    EXPECT_GT(played.value("mean_length", 0.0), 15);
    EXPECT_LT(played.value("mean_length", 0.0), 30);
}

TEST_F(GdlCommands, GeneratedConnectFourOnOtherBoards) {
    for (const std::string board :
         {"--columns 4 --rows 4 --aligned 4", "--columns 4 --rows 4 --aligned 3",
          "--columns 1 --rows 5 --aligned 3", "--columns 5 --rows 1 --aligned 2",
          "--columns 2 --rows 2 --aligned 1", "--columns 12 --rows 9 --aligned 6"}) {
        const std::string file = path("connect.kif");
        ASSERT_EQ(zermelo("generate connect-four " + board + " -o " + file).code, 0) << board;
        const Ran checked = soon("check " + file);
        EXPECT_EQ(checked.code, 0) << board << checked.out;
        const auto played = json_of(soon("simulate --json --playouts 100 " + file));
        EXPECT_EQ(played["given_up"], 0) << board;
        EXPECT_GT(played.value("mean_length", 0.0), 0) << board;
    }
    const Ran ran = zermelo("generate connect-four --columns 3 --rows 2 --aligned 4");
    EXPECT_EQ(ran.code, 2);
    EXPECT_SAYS(ran.err, "no line of 4 fits");
    EXPECT_EQ(ran.out, "");
}

TEST_F(GdlCommands, BenchSymmetryCountsStatesAndClasses) {
    const auto rows = json_of(zermelo("bench symmetry --json " + tic_tac_toe + " " + directory +
                                      "connect-four.kif --states 6000"))["rows"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["symmetries"], 8);
    EXPECT_EQ(rows[0]["depth"], 9);
    EXPECT_EQ(rows[0]["states"], 5478);
    EXPECT_EQ(rows[0]["classes"], 765);
    EXPECT_EQ(rows[1]["symmetries"], 2);
    EXPECT_EQ(rows[1]["depth"], 5);
    // Boards that are their own mirror image stand for themselves.
    EXPECT_GT(2 * rows[1].value("classes", 0), rows[1].value("states", 0));
    EXPECT_SAYS(zermelo("bench symmetry " + tic_tac_toe).out, "86.0%");
}

}  // namespace
}  // namespace zermelo
