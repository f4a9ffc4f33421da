// Bad input: one clear line with the place and a remedy, exit code 2, never a crash and never a verdict.

#include <chrono>

#include "program.hpp"

namespace zermelo {
namespace {

class BadInput : public Program {
protected:
    // The complaint about a file of this name and text, without the directory.
    std::string complaint(const std::string& name, const std::string& text) const {
        return refused("solve " + write(name, text));
    }

    std::string refused(const std::string& arguments) const {
        const Ran ran = zermelo(arguments);
        EXPECT_EQ(ran.code, 2) << arguments << "\n" << ran.out << ran.err;
        EXPECT_EQ(ran.out, "") << arguments;
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
        for (const char c : ran.err)
            EXPECT_TRUE(static_cast<unsigned char>(c) >= ' ' || c == '\n') << ran.err;
        std::string said = ran.err.substr(0, ran.err.find('\n'));
        for (auto at = said.find(path("")); at != std::string::npos; at = said.find(path("")))
            said.erase(at, path("").size());
        return said;
    }
};

TEST_F(BadInput, FlatZinc) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"var 1..3: x;\nconstraint int_le(x",
         "m.fzn:2:20: expected `,` but found the end of the file; the file may be truncated: make it again"},
        {"var 1..3: x;\n",
         "m.fzn:2:1: the file ends before its solve item; the file may be truncated: make it again"},
        {"", "m.fzn:1:1: the file ends before its solve item; the file may be truncated: make it again"},
        {"var 1..3: x;\nconstraint fly(x);\nsolve satisfy;\n",
         "m.fzn:2:12: the constraint fly is not known; compile with --solver zermelo, so that MiniZinc "
         "decomposes it"},
        {"var 3..1: x;\nsolve satisfy;\n",
         "m.fzn:1:11: the domain of x is empty; give it at least one value"},
        {"var {}: x;\nsolve satisfy;\n", "m.fzn:1:9: the domain of x is empty; give it at least one value"},
        {"var float: x;\nsolve satisfy;\n",
         "m.fzn:1:1: floats are not supported; scale the values to integers"},
        {"var 0..2147483647: x;\nsolve satisfy;\n",
         "m.fzn:1:8: 2147483647 is outside the range of the solver; keep domains within "
         "-2147483646..2147483646"},
        {"var 0..99999999999999999999: x;\nsolve satisfy;\n",
         "m.fzn:1:8: this number does not fit into 64 bits; use smaller numbers"},
        {"var 0..2147483646: x;\nvar 0..2147483646: y;\nconstraint "
         "int_lin_le([4000000000,4000000000],[x,y],5);\nsolve satisfy;\n",
         "m.fzn:3:12: a linear sum leaves the range of 64-bit integers; use smaller coefficients or smaller "
         "domains"},
        {"var 1..3: x;\nconstraint int_le(x,y);\nsolve satisfy;\n", "m.fzn:2:21: "},
        {"var 1..3: x;\nvar 1..3: x;\nsolve satisfy;\n", "m.fzn:2:"},
        {"var 1..3: x;\nvar 1..3: y;\nconstraint zermelo_block(1,true,[x],[1..3]);\nconstraint "
         "zermelo_block(2,false,[x],[1..3]);\n"
         "solve satisfy;\n",
         "m.fzn:4:12: x is quantified twice"},
        {"var 1..3: x;\nconstraint zermelo_block(1,true,[x],[1..0]);\nsolve satisfy;\n",
         "m.fzn:2:12: a quantified variable has no values"},
        {"var 0..2147483646: x;\nvar 0..2147483646: y;\nconstraint "
         "zermelo_block(1,true,[x],[0..2147483646]);\n"
         "constraint zermelo_block(2,false,[y],[0..2147483646]);\nconstraint int_eq(x,y);\nsolve satisfy;\n",
         " has 2147483647 values, too many to try one by one; give it a smaller domain"},
    };
    for (const auto& [text, expected] : cases) EXPECT_SAYS(complaint("m.fzn", text), expected);
}

TEST_F(BadInput, Qdimacs) {
    EXPECT_EQ(complaint("f.qdimacs", "1 2 0\n"),
              "f.qdimacs:1:1: the header is missing; start with `p cnf <variables> <clauses>`");
    EXPECT_EQ(complaint("f.qdimacs", "p cnf 2 1\n1 3 0\n"),
              "f.qdimacs:2:3: variable 3 is out of range; the header promises 2 variables");
    EXPECT_EQ(complaint("f.qdimacs", "p cnf 2 1\na 1 0\ne 1 0\n1 0\n"),
              "f.qdimacs:3:3: variable 1 is quantified twice; quantify it once");
    EXPECT_EQ(complaint("f.qdimacs", "p cnf 2 1\n1 2"),
              "f.qdimacs:2:4: this clause has no 0 at its end; end it with 0");
}

TEST_F(BadInput, MiniZinc) {
    const std::string head = "include \"zermelo.mzn\";\nvar 1..3: x; var 1..3: y; var 0..3: z;\n";
    const std::string moves =
        "constraint some(1, x, 1..3); constraint every(2, y, 1..3); constraint some(3, z, 0..3);\n";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"var 1..3: x\nconstraint x > 2;\n", "m.mzn:2:1: unexpected item, expecting ';' or end of file"},
        {"var 1..3: x;\nconstraint x > y;\n",
         "m.mzn:2:16: type error: undefined identifier `y', did you mean `x'?"},
        {head + "constraint win(x > \"a\");\n", "m.mzn:3:22: type error: "},
        {"include \"nothere.mzn\";\n", "m.mzn:1:1: include error: Cannot open file 'nothere.mzn'."},
        {"int: n;\nvar 1..n: x;\n", "m.mzn:1:1: "},
        {head + moves + "constraint rule(1, y <= x);\nconstraint win(true);\n",
         "m.mzn:3:12: the rule of block 1 depends on something that is decided later; a rule may mention "
         "only the moves made so far "
         "and functions of them"},
        {head + moves + "constraint rule(2, y <= x);\nconstraint x = z;\n",
         "is quantified twice; quantify it once; if a plain constraint equates two moves, put the equation "
         "into "
         "win(...) or into the rule of a block"},
        {head + moves + "constraint every(4, x, 1..3);\n", "m.mzn:4:12: x is quantified twice"},
        {head + "constraint some(1, x, 1..3);\nconstraint win(x > y);\n",
         "m.mzn:2:14: variable y is neither quantified nor a function of the moves; say who chooses it with "
         "some(level, ...) or "
         "every(level, ...), or define it"},
        {head + "constraint some(1, x, 1..0);\n",
         "m.mzn:3:12: a quantified variable has no values; give it a domain that is not empty"},
        {head + moves + "constraint x > 4;\n",
         "m.mzn:4:12: model inconsistency detected; put conditions on the moves into win(...)"},
        {head + moves + "constraint some(1, y, 1..3);\n", "y is quantified twice"},
        {head + moves + "constraint rule(7, x > 1);\n", "m.mzn:4:12: "},
        {head + "constraint some(1, x, 1..3); constraint every(1, y, 1..3);constraint some(3, z, 0..3);\n",
         "m.mzn:3:"},
        {"include \"zermelo.mzn\";\nvar float: x;\nconstraint win(x > 1.0);\n", "floats are not supported"},
    };
    for (const auto& [text, expected] : cases)
        EXPECT_SAYS(complaint("m.mzn", text), expected) << "  in\n" << text;
}

TEST_F(BadInput, ParametersAndData) {
    EXPECT_SAYS(refused("solve " + nim), "nim-fibonacci.mzn:12:1: ");
    EXPECT_SAYS(refused("solve " + nim + " -D n"), "syntax error");
    EXPECT_SAYS(refused("solve " + nim + " -D n=many"), "undefined identifier `many'");
    EXPECT_SAYS(refused("solve " + nim + " -D n=4 -D m=4"),
                "--define m=4: the model has no parameter m; did you mean n? ");
    EXPECT_SAYS(refused("solve " + nim + " -D n=4 -D n=5"), "n");
    EXPECT_SAYS(refused("solve " + nim + " --data " + write("d.dzn", "n = = 3;\n")),
                "d.dzn:1:5: syntax error");
    EXPECT_EQ(refused("solve " + nim + " --data " + path("none.dzn")),
              "none.dzn: the file cannot be opened; check its name");
    EXPECT_EQ(refused("solve " + nim + " --library " + path("none")),
              "none: the library zermelo.mzn is not found; install Zermelo, or say where the library is");
}

TEST_F(BadInput, FilesThatAreNoModels) {
    std::filesystem::create_directory(path("d.fzn"));
    std::filesystem::create_directory(path("d.mzn"));
    for (const char* name : {"none.mzn", "none.fzn", "none.qdimacs", "d.fzn", "d.mzn"}) {
        EXPECT_EQ(refused("solve " + path(name)),
                  std::string(name) + ": the file cannot be opened; check its name");
    }
    EXPECT_EQ(complaint("m.txt", "x"),
              "m.txt: the format of this file is not known; use .mzn, .fzn, .qdimacs, .cnf or .qcir");
    std::string binary_text;
    for (int i = 0; i < 4096; ++i) binary_text += static_cast<char>((i * 167 + 13) % 256);
    for (const char* name : {"b.fzn", "b.mzn", "b.qdimacs"}) EXPECT_SAYS(complaint(name, binary_text), name);
    EXPECT_EQ(refused("solve " + nim + " -D n=4 --strategy " + path("no/such/place.json"))
                  .find("no/such/place.json"),
              0U);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
const std::string in_bounded_memory;
#else
const std::string in_bounded_memory = "ulimit -v 2000000; ";
#endif

TEST_F(BadInput, AHundredMegabytesOfBracketsAreRefusedAtOnce) {
    const std::string brackets(100'000'000, '[');
    const std::string four = nim + " -D n=4 ";
    const std::vector<std::pair<std::string, std::string>> commands = {
        {"b.fzn", "solve " + write("b.fzn", brackets)},
        {"c.fzn", "solve " + write("c.fzn", "constraint int_le(" + brackets)},
        {"b.qdimacs", "solve " + write("b.qdimacs", brackets)},
        {"b.mzn", "solve " + write("b.mzn", brackets)},
        {"b.json", "verify " + four + write("b.json", brackets)},
        {"c.json", "verify " + four + write("c.json", R"({"nodes": )" + brackets)},
    };
    for (const auto& [name, command] : commands) {
        const auto start = std::chrono::steady_clock::now();
        const Ran ran = run(in_bounded_memory + binary + " " + command);
        EXPECT_EQ(ran.code, 2) << name << ran.out << ran.err.substr(0, 500);
        EXPECT_SAYS(ran.err.substr(0, 500), name);
        EXPECT_LT(ran.err.size(), 1000U) << name;
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << name;
    }
}

TEST_F(BadInput, ALargeModelIsNotALargeProblemToRead) {
    std::string text = "var 1..2: x;\n";
    for (int i = 0; i < 200000; ++i) text += "constraint int_le(1,x);\n";
    const Ran ran = zermelo("solve " + write("m.fzn", text + "solve satisfy;\n"));
    EXPECT_EQ(ran.code, 0) << ran.err;
}

}  // namespace
}  // namespace zermelo
