// Models and games as quantified Boolean formulas: zermelo qbf, and what solve and verify make of its files.

#include "program.hpp"

namespace zermelo {
namespace {

class QbfCommands : public Program {
protected:
    static inline const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/";
    static inline const std::string tic_tac_toe = games + "gdl/tic-tac-toe.kif";
};

TEST_F(QbfCommands, AGameIsWrittenSolvedAndChecked) {
    for (const std::string format : {"qdimacs", "qcir"}) {
        for (const auto& [threshold, verdict] :
             std::vector<std::pair<std::string, std::string>>{{"50", "won"}, {"100", "lost"}}) {
            const std::string file = path("game." + format);
            const Ran wrote = zermelo("qbf " + tic_tac_toe + " --threshold " + threshold + " --format " +
                                      format + " -o " + file);
            ASSERT_EQ(wrote.code, 0) << wrote.err;
            EXPECT_EQ(wrote.out, "");
            const Ran solved = zermelo("solve --json " + file + " --strategy " + path("strategy.json"));
            ASSERT_EQ(solved.code, verdict == "won" ? 10 : 20) << solved.err;
            EXPECT_EQ(json_of(solved)["verdict"], verdict) << format;
            const Ran checked = zermelo("verify " + file + " " + path("strategy.json"));
            EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
        }
    }
}

TEST_F(QbfCommands, LearningSaysTheSameAndItsStrategiesAreValid) {
    const std::string file = path("game.qdimacs");
    for (const auto& [threshold, code] : std::vector<std::pair<std::string, int>>{{"50", 10}, {"100", 20}}) {
        ASSERT_EQ(zermelo("qbf " + tic_tac_toe + " --threshold " + threshold + " -o " + file).code, 0);
        const Ran solved =
            zermelo("solve --json --engine qcdcl " + file + " --strategy " + path("strategy.json"));
        EXPECT_EQ(solved.code, code) << solved.err;
        EXPECT_EQ(json_of(solved)["checked"], true);
        EXPECT_EQ(json_of(solved)["uncertified"], false);
        EXPECT_EQ(zermelo("verify " + file + " " + path("strategy.json")).code, 0);
    }
    EXPECT_EQ(zermelo("solve --engine qcdcl " + tic_tac_toe).code, 2);
    EXPECT_EQ(zermelo("solve --engine qcdcl " + games + "quantified/nim-fibonacci.mzn -D n=5").code, 2);
}

// x1 ∨ y ∨ z and so on define nothing; the second formula defines z = x ∧ y.
TEST_F(QbfCommands, FormulasWithoutGatesAreSolvedByLearning) {
    const std::string bare = path("bare.qdimacs");
    std::ofstream(bare) << "p cnf 4 4\na 1 2 0\ne 3 4 0\n1 3 4 0\n-1 -3 4 0\n2 -3 -4 0\n-2 3 -4 0\n";
    const Ran solved = zermelo("solve --json " + bare);
    EXPECT_EQ(solved.code, 10) << solved.err;
    EXPECT_EQ(json_of(solved)["kernel"], nullptr);
    EXPECT_EQ(json_of(solved)["checked"], true);
    for (const std::string search : {"--engine quantified", "--engine qcdcl --pure-values"}) {
        const Ran other = zermelo("solve --json " + search + " " + bare);
        EXPECT_EQ(other.code, 10) << search << ": " << other.err;
        EXPECT_EQ(json_of(other)["checked"], true);
    }
    const std::string gates = path("gates.qdimacs");
    std::ofstream(gates) << "p cnf 3 4\na 1 0\ne 2 3 0\n-3 1 0\n-3 2 0\n3 -1 -2 0\n3 -1 0\n";
    EXPECT_EQ(json_of(zermelo("solve --json " + gates))["kernel"], "trail");
    EXPECT_EQ(json_of(zermelo("solve --json --kernel gecode " + bare))["kernel"], "gecode");
}

TEST_F(QbfCommands, AModelIsWrittenToo) {
    for (const auto& [n, line] :
         std::vector<std::pair<std::string, std::string>>{{"7", "s cnf 1 "}, {"8", "s cnf 0 "}}) {
        const Ran wrote =
            zermelo("qbf " + games + "quantified/nim-fibonacci.mzn -D n=" + n + " -o " + path("nim.qdimacs"));
        ASSERT_EQ(wrote.code, 0) << wrote.err;
        EXPECT_SAYS(zermelo("solve " + path("nim.qdimacs")).out, line);
    }
}

TEST_F(QbfCommands, TheSizeIsToldAsJson) {
    const Ran ran = zermelo("qbf --json --horizon 3 --role o " + tic_tac_toe);
    ASSERT_EQ(ran.code, 0) << ran.err;
    const auto object = json_of(ran);
    EXPECT_EQ(object["question"], "tic-tac-toe.kif: can o force a goal of at least 100 within 3 moves?");
    ASSERT_EQ(object["blocks"].size(), 3U);
    EXPECT_EQ(object["blocks"][0]["quantifier"], "forall");
    EXPECT_EQ(object["blocks"][0]["variables"], 4);
    EXPECT_EQ(object["blocks"][1]["variables"], 9);
}

TEST_F(QbfCommands, TheBenchmarkComparesEveryAnswer) {
    const std::string rules = std::string(ZERMELO_SOURCE_DIR) + "/bench/qbf/lines.kif";
    const std::string list = path("list.json");
    std::ofstream(path("lines.kif")) << read_file(rules);
    std::ofstream(list) << R"json([{"family": "lines", "rules": "lines.kif", "boards": [
        {"facts": "(columns 3)(rows 3)(aligned 3)", "horizons": [5, 7], "roles": ["x", "o"]},
        {"facts": "(columns 4)(rows 3)(aligned 3)", "horizons": [7], "place": ["(obstacle C R)", "(opening C R x)"],
         "columns": 4, "rows": 3, "count": 3}]}])json";
    const bool there = run("command -v depqbf").code == 0;
    if (!there) std::cout << "depqbf is not here (packages/test.txt): its answers are not compared\n";
    const Ran ran = zermelo("bench qbf --json --list " + list + (there ? "" : " --peer ''"));
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
    const auto object = json_of(ran);
    ASSERT_EQ(object["instances"].size(), 7U);
    for (const auto& row : object["instances"]) {
        EXPECT_EQ(row["answer"], row["minimax"]) << row;
        EXPECT_EQ(row["certified"], true) << row;
        if (there) {
            EXPECT_EQ(row["answer"], row["peer"]) << row;
        }
    }
    EXPECT_EQ(object["families"][0]["ours"], 7);
    // A solver that says the opposite is found out, by the exit code too.
    std::ofstream(path("liar")) << "#!/bin/sh\ndepqbf \"$2\" >/dev/null; [ $? = 10 ] && exit 20; exit 10\n";
    std::filesystem::permissions(path("liar"), std::filesystem::perms::owner_all);
    const Ran lied = zermelo("bench qbf --list " + list + " --peer " + path("liar"));
    EXPECT_EQ(lied.code, 1);
    EXPECT_SAYS(lied.out, "DIFFERENT ANSWERS");
    EXPECT_EQ(zermelo("bench qbf --list " + list + " --peer " + path("none")).code, 2);
    EXPECT_EQ(zermelo("bench qbf --list " + path("none.json")).code, 2);
}

// Five hundred formulas, each different.
TEST_F(QbfCommands, TheShippedListHasFiveHundredFormulas) {
    const auto families =
        nlohmann::json::parse(std::ifstream(std::string(ZERMELO_SOURCE_DIR) + "/bench/qbf.json"));
    std::size_t formulas = 0;
    for (const auto& family : families) {
        for (const auto& board : family["boards"])
            formulas += board["horizons"].size() * board.value("count", 1U) *
                        board.value("roles", nlohmann::json::array({""})).size();
    }
    EXPECT_EQ(formulas, 500U);
}

TEST_F(QbfCommands, WhatCannotBecomeAFormulaIsRefused) {
    for (const auto& [arguments, complaint] : std::vector<std::pair<std::string, std::string>>{
             {games + "graphs/cycle.json", "neither a quantified model nor a game"},
             {games + "strategic/tic-tac-toe-1.mzn", "a strategic model"},
             {games + "gdl/rock-paper-scissors.kif --horizon 2", "may both have a choice"},
             {games + "gdl/dice-race.kif --horizon 2", "chance"},
             {games + "quantified/nim-fibonacci.mzn -D n=5 --role x", "--role"},
             {tic_tac_toe + " --role z", "z"}}) {
        const Ran ran = zermelo("qbf " + arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_SAYS(ran.err, complaint);
        EXPECT_EQ(ran.out, "");
    }
}

}  // namespace
}  // namespace zermelo
