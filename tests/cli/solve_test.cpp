// zermelo solve: verdicts, keys, limits and exit codes.

#include "program.hpp"

namespace zermelo {
namespace {

class Solve : public Program {};

TEST_F(Solve, ValuesOfEnumsAreCalledByTheirNames) {
    const std::string file = model(
        "enum COLOUR; enum SIZE = {small, 'very large'}; var COLOUR: x; array[1..2] of var COLOUR: y; var "
        "SIZE: s;\n"
        "var bool: b; constraint some(1, x, COLOUR); constraint every(2, y, {red, green}); constraint "
        "some(3, s, SIZE);\n"
        "constraint every(4, b); constraint rule(2, y[1] != y[2]);\n"
        "constraint win(x = blue /\\ (s = 'very large' <-> y[1] = red));\n");
    const std::string arguments = file + " -D 'COLOUR = {red, green, blue};'";
    const std::string strategy = path("enums.json");
    const Ran ran = zermelo("solve " + arguments + " --all-first-moves --strategy " + strategy);
    EXPECT_SAYS(ran.out, "won by ∃");
    EXPECT_SAYS(ran.out, "  x = blue\n");
    EXPECT_EQ(zermelo("verify " + arguments + " " + strategy).code, 0);
    const Ran shown = zermelo("show " + arguments + " " + strategy);
    EXPECT_SAYS(shown.out, "    blue → ");
    EXPECT_SAYS(shown.out, "    very large → ");
    const Ran played =
        run("printf '\nred\n2\nfalse\n0\n' | " + binary + " play " + arguments + " --strategy " + strategy);
    EXPECT_SAYS(played.out, "x = blue\n");
    EXPECT_SAYS(played.out, "Your legal moves: red//green\n");
    EXPECT_SAYS(played.out, "s = very large\n");
    EXPECT_SAYS(played.out, "The program wins.\n");
}

TEST_F(Solve, ParametersAreSetInEveryWayThatMiniZincKnows) {
    const std::string file = model(
        "int: n; int: m; var 1..n: x; var 1..m: y; constraint some(1, x, 1..n); constraint every(2, y, "
        "1..m);\n"
        "constraint win(x >= y);\n");
    const std::string n = write("n.dzn", "n = 4;\n");
    const std::string m = write("m.dzn", "m = 3;\n");
    const std::string both = write("both.json", "{\"n\": 4, \"m\": 3}\n");
    for (const std::string& how :
         {std::string("-D n=4 -D m=3"), std::string("-D 'n=4; m=3;'"), std::string("-D 'n = 4;m = 3'"),
          "--data " + n + " --data " + m, "-d " + n + " -d " + m, "-d " + n + " -D m=3", "-d " + both}) {
        const Ran ran = zermelo("solve " + file + " " + how);
        EXPECT_EQ(ran.code, 0) << how << ": " << ran.err;
        EXPECT_SAYS(ran.out, "won by ∃");
    }
}

TEST_F(Solve, TellsTheVerdictItsCostAndTheCheck) {
    const Ran won = zermelo("solve " + nim + " -D n=20");
    EXPECT_EQ(won.code, 0) << won.err;
    EXPECT_TRUE(won.out.starts_with("won by ∃ in ")) << won.out;
    EXPECT_SAYS(won.out, "first move take[1] = 2\n");
    EXPECT_SAYS(won.out, "checked without the solver: ");
    EXPECT_EQ(won.err, "") << "stderr is not a terminal here";

    const Ran lost = zermelo("solve " + nim + " -D n=21");
    EXPECT_EQ(lost.code, 0);
    EXPECT_TRUE(lost.out.starts_with("lost by ∃ in ")) << lost.out;
    EXPECT_SAYS(lost.out, "counter-strategy: ");
}

TEST_F(Solve, LeavesNothingBehind) {
    std::filesystem::copy(four_variables, path("here.mzn"));
    EXPECT_EQ(zermelo("solve " + path("here.mzn")).code, 0);
    for (const auto& entry : std::filesystem::directory_iterator(path("")))
        EXPECT_EQ(entry.path().filename(), "here.mzn");
}

TEST_F(Solve, PrintsTheKeysThatOtherProgramsLeanOn) {
    const auto object = json_of(zermelo("solve " + nim + " -D n=20 --json"));
    for (const char* key : {"verdict", "best", "nodes", "propagations", "cpu_seconds", "wall_seconds",
                            "peak_bytes", "strategy_nodes", "failures", "depth", "cuts"}) {
        EXPECT_TRUE(object.contains(key)) << key;
    }
    EXPECT_EQ(object["verdict"], "won");
    EXPECT_EQ(object["best"], nlohmann::json::parse(R"([{"take[1]": 2}])"));
    EXPECT_EQ(object["checked"], true);
    EXPECT_GT(object["peak_bytes"], 1 << 20);
    EXPECT_EQ(json_of(zermelo("solve " + nim + " -D n=21 --json"))["verdict"], "lost");
}

TEST_F(Solve, SaysWhichKernelAnsweredAndWhatRanOnGecode) {
    const std::string file = model(
        "include \"globals.mzn\";\narray[1..4] of var 1..3: x;\n"
        "constraint some(1, [x[1], x[2]], 1..3); constraint every(2, [x[3], x[4]], 1..3);\n"
        "constraint lex_lesseq([x[1], x[2]], [x[3], x[4]]);\nconstraint win(x[1] + 1 != x[2]);\n");
    const auto trail = json_of(zermelo("solve --json " + file));
    EXPECT_EQ(trail["kernel"], "trail");
    EXPECT_EQ(trail["foreign_constraints"], nlohmann::json::parse(R"({"lex_lesseq": 1})"));
    const auto gecode = json_of(zermelo("solve --json --kernel gecode " + file));
    EXPECT_EQ(gecode["kernel"], "gecode");
    EXPECT_EQ(gecode["foreign_constraints"], nlohmann::json::object());
    EXPECT_EQ(gecode["verdict"], trail["verdict"]);
}

TEST_F(Solve, FindsEveryWinningFirstMove) {
    const Ran ran = zermelo("solve " + four_variables + " --all-first-moves");
    EXPECT_SAYS(ran.out, "winning first moves: 4\n");
    const auto best = json_of(zermelo("solve " + four_variables + " --all-first-moves --json"))["best"];
    EXPECT_EQ(best.size(), 4U);
    for (int x = 0; x <= 2; ++x)
        EXPECT_TRUE(std::count(best.begin(), best.end(), nlohmann::json{{"x", x}, {"y", 0}}) == 1);
    const Ran theirs =
        zermelo("solve --all-first-moves " + model("var 1..2: y; constraint every(1, y, 1..2);"));
    EXPECT_EQ(theirs.code, 2);
    EXPECT_SAYS(theirs.err, "∃ does not move first; leave the option out");
}

TEST_F(Solve, EveryOptionKeepsTheVerdict) {
    for (const char* option :
         {"--values ascending", "--values descending", "--values middle", "--values random --seed 7",
          "--variables smallest", "--variables constrained", "--success assigned", "--no-goods",
          "--goods-memory 1", "--no-cuts", "--pure-values", "--recompute 4", "--no-check", "-v"}) {
        const Ran ran = zermelo("solve " + nim + " -D n=13 " + option);
        EXPECT_EQ(ran.code, 0) << option << ran.err;
        EXPECT_TRUE(ran.out.starts_with("lost by ∃")) << option << ran.out;
    }
}

TEST_F(Solve, AUniversalVariableKeepsItsDomainWhereverTheConstraintStands) {
    const std::string constraint = "constraint y > 2;\n";
    const std::string quantifier = "constraint every(1, y, 1..3);\n";
    for (const auto& items : {constraint + quantifier, quantifier + constraint}) {
        const Ran ran = zermelo("solve " + model("var 1..3: y;\n" + items));
        EXPECT_TRUE(ran.out.starts_with("lost by ∃")) << ran.out << ran.err;
        EXPECT_EQ(ran.code, 0);
    }
}

const std::string auction =
    "var 1..3: x; var 1..3: y; var 0..99: gain = 10 * x - x * y;\n"
    "constraint some(1, x, 1..3); constraint every(2, y, 1..3);\n";

TEST_F(Solve, MaximisesAnExpression) {
    const Ran text = zermelo("solve " + model(auction) + " --maximise '10 * x - x * y'");
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "the best guaranteed value is 21 — first move x = 3");
    EXPECT_EQ(json_of(zermelo("solve " + model(auction) + " --maximise 'y - x' --json"))["best_value"], 0);
    EXPECT_EQ(json_of(zermelo("solve " + model(auction + "solve maximize gain;") + " --json"))["best_value"],
              21);
    EXPECT_EQ(json_of(zermelo("solve " + model(auction + "solve minimize gain;") + " --json"))["best_value"],
              9);
    EXPECT_EQ(zermelo("solve " + model(auction) + " --maximise 'z + 1'").code, 2);
}

// After y = 1 the parity decides, and w comes last: lost. The cut says that it is won.
TEST_F(Solve, MinimizeTellsTheLeastValueThatIsGuaranteed) {
    const std::string file = model(
        "var 1..5: x; var 1..2: y;\nconstraint some(1, x, 1..5); constraint every(2, y, 1..2);\n"
        "constraint win(x >= y + 1);\nsolve minimize 2 * x + y;\n");
    EXPECT_EQ(json_of(zermelo("solve --json " + file))["best_value"], 8);
}

TEST_F(Solve, DivisionsWithOneResultOnlyAreNoConstraints) {
    const std::string file = model(
        "var 0..3: x; var 0..3: y;\nconstraint some(1, x, 0..3); constraint every(2, y, 0..3);\n"
        "constraint rule(2, y div 4 = 0 /\\ y >= x div 4);\nconstraint win(x div 4 + y <= 3);\n");
    EXPECT_EQ(json_of(zermelo("solve --json " + file))["verdict"], "won");
}

const std::string lying_cut =
    "var 0..1: x; var 1..2: y; var 0..1: z; var 0..1: w;\n"
    "constraint some(1, x, 0..1); constraint every(2, y, 1..2); constraint some(3, z, 0..1);\n"
    "constraint every(4, w, 0..1);\n"
    "constraint win(y = 1 -> (x + z + w) mod 2 = 0);\n"
    "constraint cut([], y >= 2);\n";

TEST_F(Solve, AWrongCutIsFoundOut) {
    const std::string file = model(lying_cut);
    const Ran believed = zermelo("solve " + file);
    EXPECT_EQ(believed.code, 1);
    EXPECT_TRUE(believed.out.starts_with("no verdict: the search found \"won\"")) << believed.out;
    EXPECT_SAYS(believed.out, "THE CHECK FAILED: ");
    EXPECT_SAYS(believed.out, "--check-cuts");
    const auto unproven = json_of(zermelo("solve --json " + file));
    EXPECT_EQ(unproven["verdict"], "unknown");
    EXPECT_EQ(unproven["claimed"], "won");
    EXPECT_EQ(unproven["checked"], false);
    const Ran checked = zermelo("solve --check-cuts " + file);
    EXPECT_EQ(checked.code, 1);
    EXPECT_TRUE(checked.out.starts_with("lost by ∃")) << checked.out;
    EXPECT_SAYS(checked.out, "model.mzn:6:12: wrong cut: it claims a win after x = ");
    auto object = json_of(zermelo("solve --check-cuts --json " + file));
    EXPECT_EQ(object["verdict"], "lost");
    EXPECT_EQ(object["wrong_cuts"][0]["play"]["y"], 1);
    const Ran without = zermelo("solve --no-cuts " + file);
    EXPECT_EQ(without.code, 0);
    EXPECT_TRUE(without.out.starts_with("lost by ∃")) << without.out;
}

TEST_F(Solve, ARightCutIsConfirmed) {
    const Ran ran = zermelo("solve --check-cuts " +
                            model("var 1..2: x; var 1..2: y;\n"
                                  "constraint some(1, x, 1..2); constraint every(2, y, 1..2);\n"
                                  "constraint win(y >= 2 -> x = y);\nconstraint cut([], y >= 2);\n"));
    EXPECT_EQ(ran.code, 0);
    EXPECT_SAYS(ran.out, " fired, all of them rightly");
}

// ---- rules as constraints and cuts

TEST_F(Solve, RulesAreTranslatedIntoAPlainQcsp) {
    const std::string how = " -D n=7 --values ascending --success assigned --no-goods --json";
    const auto rules = json_of(zermelo("solve " + nim + how));
    const auto plain = json_of(zermelo("solve " + nim + how + " --as-qcsp --check-cuts"));
    const auto fast = json_of(zermelo("solve " + nim + how + " --as-qcsp"));
    const auto slow = json_of(zermelo("solve " + nim + how + " --as-qcsp --no-cuts"));
    for (const auto& object : {rules, plain, fast, slow}) {
        EXPECT_EQ(object["verdict"], "won");
        EXPECT_EQ(object["checked"], true);
    }
    EXPECT_EQ(fast["nodes"], rules["nodes"]);
    EXPECT_GT(fast["cuts"], 0);
    EXPECT_EQ(rules["cuts"], 0);
    EXPECT_GT(slow["nodes"], 10 * fast["nodes"].get<int>());
    EXPECT_TRUE(plain["wrong_cuts"].empty());
    expect_one_line_about(zermelo("solve --as-qcsp " + games + "../strategic/tokens.mzn -D k=5"),
                          "which has no rules to translate");
    expect_one_line_about(zermelo("solve --as-qcsp " + games + "../gdl/tic-tac-toe.kif"), "--as-qcsp");
}

// ---- limits. Without goods, this game takes longer than anyone waits.

const std::string endless = " -D n=80 --no-goods";

TEST_F(Solve, ATimeLimitIsNotAVerdict) {
    const Ran text = zermelo("solve " + nim + endless + " --time-limit 1");
    EXPECT_EQ(text.code, 3);
    EXPECT_TRUE(text.out.starts_with("unknown: time limit reached after ")) << text.out;
    const Ran ran = zermelo("solve " + nim + endless + " --time-limit 1 --json");
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(json_of(ran)["verdict"], "unknown");
    EXPECT_GT(json_of(ran)["nodes"], 0);
}

TEST_F(Solve, ATimeLimitHoldsWhileMiniZincCompiles) {
    const std::string slow = model(
        "var 0..1: x; constraint some(1, x, 0..1);\n"
        "constraint win(sum(i in 1..30000, j in 1..30000)(i * j * x) > 3);\n");
    const Ran ran = zermelo("solve " + slow + " --time-limit 0.3 --json");
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(json_of(ran)["verdict"], "unknown");
    EXPECT_EQ(zermelo("verify " + slow + " none.json --time-limit 0.3").code, 3);
    const Ran interrupted = run("timeout --preserve-status -s INT 1 " + binary + " solve " + slow);
    EXPECT_EQ(interrupted.code, 130) << interrupted.out << interrupted.err;
}

TEST_F(Solve, AMemoryLimitIsNotAVerdict) {
    const Ran ran = zermelo("solve " + nim + " -D n=150 --memory-limit 5M --json");
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(json_of(ran)["verdict"], "unknown");
    EXPECT_EQ(json_of(ran)["stop"], "memory limit reached");
    EXPECT_EQ(zermelo("solve " + nim + " -D n=4 --memory-limit 4G").code, 0);
    const Ran bad = zermelo("solve " + nim + " -D n=4 --memory-limit many");
    EXPECT_EQ(bad.code, 2);
    EXPECT_SAYS(bad.err, "write bytes, or a number with K, M or G");
    const Ran bare = zermelo("solve " + nim + " -D n=4 --memory-limit 512");
    EXPECT_EQ(bare.code, 2);
    EXPECT_SAYS(bare.err, "less than a megabyte; write M or G after the number");
}

TEST_F(Solve, CtrlCEndsTheSearchWithWhatWasCounted) {
    const std::string interrupt = "timeout --preserve-status -s INT 3 " + binary + " solve " + nim + endless;
    const Ran text = run(interrupt + " -v");
    EXPECT_EQ(text.code, 130) << text.err;
    EXPECT_TRUE(text.out.starts_with("unknown: interrupted after ")) << text.out;
    EXPECT_SAYS(text.out, "propagations");
    const Ran ran = run(interrupt + " --json");
    EXPECT_EQ(ran.code, 130);
    EXPECT_EQ(json_of(ran)["stop"], "interrupted");
    EXPECT_GT(json_of(ran)["nodes"], 0);
}

TEST_F(Solve, TheThresholdReachedBeforeTheLimitIsTold) {
    const std::string items =
        "array[1..60] of var 0..1: x; constraint forall(i in 1..60)"
        "(if i mod 2 = 1 then some(i, x[i], 0..1) else every(i, x[i], 0..1) endif);\n";
    const Ran ran =
        zermelo("solve " + model(items) +
                " --no-goods --time-limit 1.5 --maximise 'sum(i in 1..59)((x[i] + x[i+1]) mod 2)'");
    EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
    EXPECT_SAYS(ran.out, " is guaranteed\n");
}

// ---- QDIMACS

TEST_F(Solve, QuantifiedBooleanFormulasFollowTheirConventions) {
    const std::string copycat =
        write("true.qdimacs", "c ∀1 ∃2 (1 ↔ 2)\np cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n");
    const std::string guess = write("false.qdimacs", "p cnf 2 2\ne 2 0\na 1 0\n1 -2 0\n-1 2 0\n");
    const Ran yes = zermelo("solve " + copycat);
    EXPECT_EQ(yes.out, "s cnf 1 2 2\n");
    EXPECT_EQ(yes.code, 10);
    const Ran no = zermelo("solve " + guess);
    EXPECT_EQ(no.out, "s cnf 0 2 2\n");
    EXPECT_EQ(no.code, 20);
    const Ran in_json = zermelo("solve " + guess + " --json");
    EXPECT_EQ(json_of(in_json)["verdict"], "lost");
    EXPECT_EQ(in_json.code, 20);
}

TEST_F(Solve, TheResultLineRepeatsTheProblemLine) {
    const std::string file = write("f.qdimacs", "c p cnf 9 9\np cnf 5 3\ne 1 2 3 0\n1 -1 0\n2 2 0\n3 0\n");
    EXPECT_EQ(zermelo("solve " + file).out, "s cnf 1 5 3\n");
}

TEST_F(Solve, AFormulaHasAStrategyToo) {
    // Where 2 is innermost it is a gate, 2 ↔ 1, and nothing is left to choose.
    for (const auto& [last, scenarios] :
         std::vector<std::pair<std::string, std::string>>{{"a 3 0\n", "2 scenarios"}, {"", "1 scenario"}}) {
        const std::string file = write("f.qdimacs", "p cnf 3 2\na 1 0\ne 2 0\n" + last + "1 -2 0\n-1 2 0\n");
        EXPECT_EQ(zermelo("solve " + file + " --strategy " + path("s.json")).code, 10);
        const Ran ran = zermelo("verify " + file + " " + path("s.json"));
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_SAYS(ran.out, "valid: ∃ wins in all " + scenarios);
    }
}

TEST_F(Solve, AFormulaThatTakesTooLongIsUnknown) {
    // ∀ and ∃ in turn choose the bits of a parity, ∃ the last: won, after 2^30 ways to play for a search
    // without goods.
    std::string text;
    int clauses = 0;
    const auto clause = [&](const std::string& literals) { text += literals + " 0\n", ++clauses; };
    const int n = 60;
    for (int i = 1; i <= n; ++i) {  // s_i ↔ s_{i-1} xor x_i; s_0 is 2n+1
        const auto literal = [](int v) { return std::to_string(v); };
        const std::string x = literal(i), s = literal(n + i), p = literal(i == 1 ? 2 * n + 1 : n + i - 1);
        clause(x + " " + p + " -" + s), clause("-" + x + " -" + p + " -" + s);
        clause(x + " -" + p + " " + s), clause("-" + x + " " + p + " " + s);
    }
    clause(std::to_string(2 * n)), clause("-" + std::to_string(2 * n + 1));
    std::string head = "p cnf " + std::to_string(2 * n + 1) + " " + std::to_string(clauses) + "\n";
    for (int i = 1; i <= n; ++i) head += std::string(i % 2 == 1 ? "a " : "e ") + std::to_string(i) + " 0\n";
    head += "e";
    for (int i = n + 1; i <= 2 * n + 1; ++i) head += " " + std::to_string(i);
    head += " 0\n";
    const Ran ran = zermelo("solve " + write("parity.qdimacs", head + text) + " --no-goods --time-limit 0.5");
    EXPECT_EQ(ran.code, 3);
    EXPECT_TRUE(ran.out.starts_with("s cnf -1 ")) << ran.out;
}

}  // namespace
}  // namespace zermelo
