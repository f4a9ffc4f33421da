// minizinc --solver zermelo: MiniZinc's own conventions, through the real minizinc.

#include "program.hpp"

namespace zermelo {
namespace {

class MiniZincSolver : public Program {};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

TEST_F(MiniZincSolver, AWonGameIsASolutionThatEndsTheSearch) {
    const Ran ran = minizinc(nim + " -D n=4 --output-mode dzn");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out, "take = [1, 1, 2, 1];\n----------\n==========\n");
    EXPECT_EQ(ran.err, "");
    // The model's own output shows the matches that are left after each move.
    EXPECT_EQ(minizinc(nim + " -D n=4").out, "matches left: 4 3 2 0 -1\n----------\n==========\n");
}

TEST_F(MiniZincSolver, ALostGameIsUnsatisfiable) {
    EXPECT_EQ(minizinc(nim + " -D n=5").out, "=====UNSATISFIABLE=====\n");
}

TEST_F(MiniZincSolver, ATimeLimitIsUnknown) {
    // So many turns that one second is not enough, with remembered positions or without.
    const Ran ran = minizinc(nim + " -D n=250 -t 1500");
    EXPECT_EQ(ran.out, "=====UNKNOWN=====\n") << ran.err;
}

TEST_F(MiniZincSolver, NothingIsPrintedWhoseStrategyFailsTheCheck) {
    for (const char* all : {"", "-a "}) {
        const Ran ran = minizinc(all + games + "nim-five-wrong-cut.mzn");
        EXPECT_EQ(ran.out, "=====UNKNOWN=====\n") << ran.err;
        EXPECT_SAYS(ran.err, "its strategy fails the check");
    }
}

TEST_F(MiniZincSolver, APlainConstraintInAModelWithRulesIsRefused) {
    const Ran ran = minizinc(
        model("var 1..3: x; var 1..3: y; constraint some(1, x, 1..3); constraint every(2, y, 1..3);\n"
              "constraint rule(2, y <= 2); constraint x + y > 3;\n"));
    EXPECT_SAYS(ran.err, "a plain constraint stands in a model with rules");
}

TEST_F(MiniZincSolver, AllSolutionsAreAllWinningFirstMoves) {
    const Ran ran = minizinc("-a " + four_variables);
    EXPECT_EQ(count(ran.out, "----------\n"), 4U) << ran.out;
    EXPECT_EQ(count(ran.out, "==========\n"), 1U);
    for (const char* first : {"x = 0;\ny = 0;", "x = 1;\ny = 0;", "x = 2;\ny = 0;", "x = 2;\ny = 1;"}) {
        EXPECT_EQ(count(ran.out, first), 1U) << first;
    }
}

TEST_F(MiniZincSolver, StatisticsAreInMiniZincsForm) {
    const Ran ran = minizinc("-s " + nim + " -D n=4");
    for (const char* key : {"nodes", "failures", "propagations", "cpu_seconds", "strategy_nodes"}) {
        EXPECT_SAYS(ran.out, std::string("%%%mzn-stat: ") + key + "=");
    }
    EXPECT_SAYS(ran.out, "%%%mzn-stat-end\n");
}

TEST_F(MiniZincSolver, TheModelsOwnOutputItemIsUsed) {
    const std::string file = model(
        "var 1..3: x; var 1..3: y; constraint some(1, x, 1..3); constraint every(2, y, 1..3);\n"
        "constraint win(x >= y); output [\"first take \\(x)\\n\"];\n");
    EXPECT_EQ(minizinc(file).out, "first take 3\n----------\n==========\n");
}

TEST_F(MiniZincSolver, MaximisingFindsTheBestGuaranteedValue) {
    const std::string items =
        "var 1..3: x; var 1..3: y; var int: gain = 10 * x - x * y;\n"
        "constraint some(1, x, 1..3); constraint every(2, y, 1..3);\n";
    for (const char* flag : {"", "-a "}) {
        const Ran ran = minizinc(flag + model(items + "solve maximize gain;\noutput [\"\\(x)\"];\n"));
        EXPECT_EQ(ran.out, "3\n----------\n==========\n") << flag << ran.err;
    }
    EXPECT_TRUE(minizinc(model(items + "solve minimize gain;\n")).out.starts_with("x = 1;\n"));
}

TEST_F(MiniZincSolver, PlainProblemsWork) {
    const std::string file =
        write("queens.mzn",
              "include \"alldifferent.mzn\"; int: n = 8; array[1..n] of var 1..n: q;\n"
              "constraint alldifferent(q); constraint alldifferent([q[i] + i | i in 1..n]);\n"
              "constraint alldifferent([q[i] - i | i in 1..n]); solve satisfy;\n");
    EXPECT_EQ(count(minizinc(file).out, "----------"), 1U);
    EXPECT_EQ(count(minizinc("-a " + file).out, "----------"), 92U);
    EXPECT_EQ(minizinc(write("no.mzn", "var 1..3: x; var 1..3: y; constraint x * y = 7;\n")).out,
              "=====UNSATISFIABLE=====\n");
}

TEST_F(MiniZincSolver, AComplaintReachesTheModeller) {
    const Ran ran =
        minizinc(model("var 1..3: x; var 1..3: y;\nconstraint some(1, x, 1..3);\nconstraint win(x > y);\n"));
    EXPECT_NE(ran.code, 0);
    EXPECT_SAYS(ran.out + ran.err, "variable y is neither quantified nor a function of the moves");
}

TEST_F(MiniZincSolver, TheProgramBehindItRefusesBadArguments) {
    const std::string fzn = build + "/fzn-zermelo ";
    for (const char* arguments : {"", "-q x.fzn", "-t soon x.fzn", "-t -5 x.fzn", "nowhere.fzn", "-t"}) {
        const Ran ran = run(fzn + arguments);
        EXPECT_EQ(ran.code, 2) << arguments;
        EXPECT_EQ(count(ran.err, "\n"), 1U) << arguments << ran.err;
    }
}

}  // namespace
}  // namespace zermelo
