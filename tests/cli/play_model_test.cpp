// play, for quantified models: from either side, with and without a strategy file, with the model's own output.

#include "program.hpp"

namespace zermelo {
namespace {

class PlayModels : public Program {
protected:
    // Take one or two of n matches; who takes the last one wins. The board is a row of letters.
    [[nodiscard]] std::string pebbles(int n) const {
        return model("int: n = " + std::to_string(n) +
                     ";\n"
                     "set of int: Turn = 1..n;\n"
                     "array[Turn] of var 1..2: take;\n"
                     "array[0..n] of var int: left = array1d(0..n, [n - sum(take[1..t]) | t in 0..n]);\n"
                     "constraint forall(t in Turn)(if t mod 2 = 1 then some(t, take[t], 1..2)\n"
                     "                             else every(t, take[t], 1..2) endif);\n"
                     "constraint forall(t in Turn)(rule(t, take[t] <= left[t - 1]));\n"
                     "constraint win(n mod 2 = 1);\n"
                     "output [\"left \"] ++ [show(left[t]) ++ \" \" | t in 0..n] ++ [\"\\n\"];\n");
    }
    [[nodiscard]] static Ran played(const std::string& arguments, const std::string& input) {
        return run("printf '" + input + "' | " + binary + " play " + arguments);
    }
};

// Seven is no multiple of three: the player who begins can leave one every time.
TEST_F(PlayModels, TheProgramWinsWhatItCanWinFromEitherSide) {
    const std::string won = pebbles(7);
    for (const char* moves : {"1\\n1\\n", "1\\n2\\n", "2\\n1\\n", "2\\n2\\n"}) {
        const Ran ran = played(won + " --role forall", std::string(moves) + "1\\n1\\n1\\n");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        EXPECT_TRUE(ran.out.starts_with("The program plays ∃; you play ∀. ")) << ran.out;
        EXPECT_TRUE(ran.out.ends_with("The program wins.\n")) << ran.out;
        EXPECT_SAYS(ran.out, "take[1] = 1\n");
    }
    const std::string lost = pebbles(6);
    for (const char* moves : {"1\\n1\\n", "1\\n2\\n", "2\\n1\\n", "2\\n2\\n"}) {
        const Ran ran = played(lost, std::string(moves) + "1\\n1\\n1\\n");
        EXPECT_TRUE(ran.out.starts_with("The program plays ∀; you play ∃. ")) << ran.out;
        EXPECT_TRUE(ran.out.ends_with("The program wins.\n")) << ran.out;
    }
}

TEST_F(PlayModels, APersonWhoPlaysWellWins) {
    const Ran ran = played(pebbles(7), "hint\\n1\\nhint\\n");
    EXPECT_SAYS(ran.out, "take[1] ? Try 1.\n");
    // Whatever the program takes, complete it to three.
    const std::size_t reply = ran.out.find("take[2] = ");
    ASSERT_NE(reply, std::string::npos) << ran.out;
    const char taken = ran.out[reply + std::string("take[2] = ").size()];
    EXPECT_SAYS(ran.out, taken == '1' ? "take[3] ? Try 2.\n" : "take[3] ? Try 1.\n");
}

TEST_F(PlayModels, AStrategyFileIsFollowedAndItsOwnerMayBePlayed) {
    const std::string file = pebbles(7);
    const std::string strategy = path("plan.json");
    ASSERT_EQ(zermelo("solve " + file + " --strategy " + strategy).code, 0);
    const Ran against = played(file + " --strategy " + strategy, "2\\n2\\n1\\n1\\n");
    EXPECT_TRUE(against.out.ends_with("The program wins.\n")) << against.out;
    const Ran owner = played(file + " --strategy " + strategy + " --role exists", "hint\\nq\\n");
    EXPECT_SAYS(owner.out, "you play ∃");
    EXPECT_SAYS(owner.out, "Try 1.\n");
}

TEST_F(PlayModels, PositionsAreShownByTheModelsOwnOutput) {
    const Ran ran = played(pebbles(7) + " --role forall", "2\\nq\\n");
    // What is not played yet is a dot, or two where it may be a negative number.
    EXPECT_SAYS(ran.out, "\nleft 7 6 ·");
    EXPECT_SAYS(ran.out, "take[1] = 1\n");
    EXPECT_SAYS(ran.out, "\nleft 7 6 4 3 ·");
    EXPECT_TRUE(ran.out.ends_with("The game is not finished.\n")) << ran.out;
}

TEST_F(PlayModels, MovesAreTakenBack) {
    const Ran ran = played(pebbles(6), "1\\nundo\\n2\\nundo\\nundo\\nq\\n");
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '?'), 6) << ran.out;
    EXPECT_SAYS(ran.out, "There is nothing to undo.\n");
}

TEST_F(PlayModels, NobodyIsAskedForTheOnlyMove) {
    // One match is left for the third move.
    const Ran ran = played(pebbles(3) + " --role forall", "1\\n");
    EXPECT_SAYS(ran.out, ", the only move of ");
    EXPECT_FALSE(ran.out.ends_with("The game is not finished.\n")) << ran.out;
}

TEST_F(PlayModels, ShippedModelsAndStrategicOnesArePlayed) {
    const Ran ran = played("nim-fibonacci -D n=8", "7\\nq\\n");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "take[1] ? ");
    const Ran tokens = played("strategic/tokens -D k=4 --role forall", "q\\n");
    EXPECT_EQ(tokens.code, 0) << tokens.err;
    const std::string file = games + "../stochastic/monty-hall.mzn";
    expect_one_line_about(played(file, "q\\n"), "models with chance cannot be played in the terminal");
}

// Several on a line, and arrays: as options, together or one by one, and from files.
TEST_F(PlayModels, ParametersOfEveryKindAreGivenToSolveAndToPlay) {
    const std::string file = model(
        "int: n; int: goal; array[1..2] of int: weight;\n"
        "var 1..n: x; var 1..n: y;\n"
        "constraint some(1, x, 1..n); constraint every(2, y, 1..n);\n"
        "constraint win(weight[1] * x + weight[2] * y >= goal);\n");
    const std::string numbers = write("numbers.dzn", "n = 3; goal = 10;\n");
    const auto ways = [&](const std::string& weights, const std::string& name) {
        const std::string rows = write(name + ".dzn", "weight = " + weights + ";\n");
        const std::string object =
            write(name + ".json", R"({"n": 3, "goal": 10, "weight": )" + weights + "}\n");
        return std::vector<std::string>{" -D 'n=3; goal=10; weight=" + weights + "'",
                                        " -D n=3 -D goal=10 -D 'weight = " + weights + "'",
                                        " -D 'weight=" + weights + ";' -d " + numbers,
                                        " --data " + numbers + " --data " + rows, " -d " + object};
    };
    // 3 · 3 + 1 is enough; 3 + 3 · 1 is not.
    for (const std::string& how : ways("[3, 1]", "won")) {
        EXPECT_EQ(json_of(zermelo("solve --json " + file + how))["verdict"], "won") << how;
        const Ran ran = played(file + how + " --role forall", "1\\n");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_SAYS(ran.out, "x = 3\n");
        EXPECT_TRUE(ran.out.ends_with("The program wins.\n")) << how << ran.out;
    }
    for (const std::string& how : ways("[1, 3]", "lost")) {
        EXPECT_EQ(json_of(zermelo("solve --json " + file + how))["verdict"], "lost") << how;
        const Ran ran = played(file + how, "3\\n");
        EXPECT_SAYS(ran.out, "y = 1\n");
        EXPECT_TRUE(ran.out.ends_with("The program wins.\n")) << how << ran.out;
    }
    for (const std::string command : {"solve ", "play "})
        expect_one_line_about(zermelo(command + file + " -D 'n=3; goal=10'"), "weight");
}

// ---- plays that are over before their levels are

TEST_F(PlayModels, AModelWhoseExistsLosesAfterItHasWonGetsAWarning) {
    const std::string base =
        "int: n = 3;\nset of int: Turn = 1..n;\narray[Turn] of var 1..2: take;\n"
        "array[0..n] of var int: left = array1d(0..n, [n - sum(take[1..t]) | t in 0..n]);\n"
        "constraint forall(t in Turn)(if t mod 2 = 1 then some(t, take[t], 1..2)\n"
        "                             else every(t, take[t], 1..2) endif);\n"
        "constraint forall(t in Turn)(rule(t, take[t] <= left[t - 1]));\n";
    // The last match loses: ∃ has won when ∀ took it, and then cannot move.
    const Ran trap = zermelo("solve " + model(base + "constraint win(exists(t in Turn where t mod 2 = 0)"
                                                     "(left[t] = 0 /\\ left[t - 1] > 0));\n"));
    EXPECT_EQ(trap.code, 0);
    EXPECT_SAYS(trap.err, "model.mzn:");
    EXPECT_SAYS(trap.err,
                "random plays ∃ has won already when take[3] is due, has no legal value for it, and so "
                "loses; let the rule allow a move that changes nothing once the game is over\n");
    EXPECT_EQ(zermelo("solve " + model(base + "constraint win(n mod 2 = 1);\n")).err, "");
    // A level too many.
    const Ran late = zermelo("solve " + model("var 1..2: x; var 1..2: y; var 1..2: z;\n"
                                              "constraint some(1, x, 1..2); constraint every(2, y, 1..2);\n"
                                              "constraint some(3, z, 1..2); constraint rule(3, z > x + y);\n"
                                              "constraint win(x < z);\n"));
    EXPECT_SAYS(late.err,
                "∃ has no legal value for z, whatever is played, and so loses there; leave this level out");
    // The same, where only plays show it: what is left for the last level is nothing.
    const Ran seen = zermelo("solve " + model("var 1..2: x; var 1..2: y; var 1..2: z;\n"
                                              "var int: rest = if x = y then 0 else x + y - 3 endif;\n"
                                              "constraint some(1, x, 1..2); constraint every(2, y, 1..2);\n"
                                              "constraint some(3, z, 1..2); constraint rule(3, z <= rest);\n"
                                              "constraint win(x < z);\n"));
    EXPECT_SAYS(seen.err,
                "∃ has no legal value for z, its last move, in any of 40 random plays that get there");
    for (const char* shipped : {"nim-fibonacci -D n=9", "subtraction -D n=7", "four-variables"})
        EXPECT_EQ(zermelo(std::string("solve quantified/") + shipped).err, "") << shipped;
}

}  // namespace
}  // namespace zermelo
