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
