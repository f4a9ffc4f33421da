// zermelo verify, show and play: what can be done with a strategy file.

#include "program.hpp"

namespace zermelo {
namespace {

// Fibonacci Nim with four matches: its strategy is small enough to be damaged by hand.
class StrategyCommands : public Program {
protected:
    void SetUp() override { ASSERT_EQ(zermelo("solve " + four + " --strategy " + strategy).code, 0); }

    // The strategy after a sed script.
    [[nodiscard]] std::string damaged(const std::string& script) const {
        const std::string file = path("damaged.json");
        EXPECT_EQ(run("sed '" + script + "' " + strategy + " > " + file).code, 0);
        EXPECT_NE(read_file(file), read_file(strategy)) << "the script changes nothing: " << script;
        return file;
    }

    const std::string four = nim + " -D n=4";
    const std::string strategy = path("nim.json");
};

TEST_F(StrategyCommands, VerifyAcceptsTheSolversStrategy) {
    const Ran text = zermelo("verify " + four + " " + strategy);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with("valid: ∃ wins in all 2 scenarios")) << text.out;
    EXPECT_EQ(text.err, "");
    const auto object = json_of(zermelo("verify --json " + four + " " + strategy));
    EXPECT_EQ(object["valid"], true);
    EXPECT_GT(object["positions"], 0);
    EXPECT_EQ(object["scenarios"], "2");
    EXPECT_TRUE(object["counterexample"].is_null());
}

TEST_F(StrategyCommands, VerifyAcceptsACounterStrategy) {
    ASSERT_EQ(zermelo("solve " + nim + " -D n=5 --strategy " + strategy).code, 0);
    const Ran ran = zermelo("verify " + nim + " -D n=5 " + strategy);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("valid: ∀ wins")) << ran.out;
}

TEST_F(StrategyCommands, VerifyNamesTheScenarioThatBreaksAStrategy) {
    const Ran wrong = zermelo("verify " + four + " " + damaged(R"(/"id": 2/s/: \[2\]/: [1]/)"));
    EXPECT_EQ(wrong.code, 1);
    EXPECT_TRUE(wrong.out.starts_with("not valid: take[1] = 1, take[2] = 1, take[3] = 1")) << wrong.out;

    const Ran dropped =
        zermelo("verify --json " + four + " " + damaged(R"(s/{"values": \[1\], "to": 2}, //)"));
    EXPECT_EQ(dropped.code, 1);
    EXPECT_EQ(json_of(dropped)["valid"], false);
    EXPECT_EQ(json_of(dropped)["counterexample"]["play"]["take[2]"], 1);

    const Ran loser = zermelo("verify " + four + " " + damaged(R"(/"id": 4/s/: \[1\]/: [2]/)"));
    EXPECT_EQ(loser.code, 1) << loser.out << loser.err;
}

TEST_F(StrategyCommands, VerifyRefusesWhatIsNoStrategyOfThisModel) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"(s/"root": 4/"root": 4,,/)", ":12:"},  // broken JSON, with its place
        {"$d", "this is not JSON"},
        {R"(s/"version": 1/"version": 2/)",
         "/version: this version of the format is unknown; version 1 can be read"},
        {R"(s/zermelo-strategy/other/)", "/format: this is not a strategy"},
        {R"(s/"root": 4/"root": 9/)", "/root: node 9 does not exist"},
        {R"(s/"to": 3/"to": 4/)", "leads back to itself"},
        {R"(/"id": 4/s/: \[1\]/: [1, 2]/)", "offers 2 values"},
        {R"(/"id": 4/s/: \[1\]/: [7]/)", "7 is outside the domain 1..3 of take[1]"},
        {R"(/"id": 3/s/take\[2\]/take[9]/)", "has no variable"},
        {R"(s/"exists"/"forall"/)", "the model has the other quantifier"},
        {R"(s/\[\[1, 3\]\]/[[1, 2], [3, 9000000000000000000]]/)", "the model has the domain 1..3"},
    };
    for (const auto& [script, complaint] : cases) {
        const Ran ran = zermelo("verify " + four + " " + damaged(script));
        EXPECT_EQ(ran.code, 2) << script << ran.out;
        EXPECT_SAYS(ran.err, complaint);
        EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    }
    const Ran other = zermelo("verify " + nim + " -D n=6 " + strategy);
    EXPECT_EQ(other.code, 2);
    EXPECT_SAYS(other.err, "take the strategy of this model, with the same parameters");
    EXPECT_EQ(zermelo("verify " + four_variables + " " + strategy).code, 2);
    EXPECT_EQ(zermelo("verify " + four + " " + path("none.json")).code, 2);
}

TEST_F(StrategyCommands, VerifyStopsWhenTheTimeIsUp) {
    ASSERT_EQ(zermelo("solve --no-check " + nim + " -D n=120 --strategy " + strategy).code, 0);
    const Ran ran = zermelo("verify --json --time-limit 0 " + nim + " -D n=120 " + strategy);
    EXPECT_EQ(ran.code, 3);
    EXPECT_EQ(json_of(ran)["valid"], false);
    EXPECT_EQ(json_of(ran)["stop"], "time limit reached");
}

TEST_F(StrategyCommands, ShowPrintsText) {
    const Ran ran = zermelo("show " + four + " " + strategy);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.out,
              "∃ plays, 4 positions; start at 4\n4: take[1]\n    1 → 3\n3: take[2]\n    1 → 2\n    2 → 1\n"
              "2: take[3]\n    2 → □\n1: take[3]\n    1 → □\n");
    EXPECT_SAYS(zermelo("show --nodes 1 " + four + " " + strategy).out, "… and 3 more");
}

TEST_F(StrategyCommands, ShowCompletesAStrategyAsInThePapersFigures) {
    const Ran ran = zermelo("show --complete " + four + " " + strategy);
    EXPECT_SAYS(ran.out, "2//3 → 3");
    EXPECT_SAYS(ran.out, "1: take[4]\n    1//2//3 → □");
    const auto object = json_of(zermelo("show --complete --json " + four + " " + strategy));
    EXPECT_EQ(object["nodes"].size(), 5U);
}

TEST_F(StrategyCommands, ShowWritesPicturesAndFiles) {
    for (const auto& [name, part] : std::vector<std::pair<std::string, std::string>>{
             {"s.svg", "</svg>"}, {"s.dot", "digraph"}, {"s.json", "\"zermelo-strategy\""}}) {
        const Ran ran = zermelo("show " + four + " " + strategy + " -o " + path(name));
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_EQ(ran.out + ran.err, "");
        EXPECT_SAYS(read_file(path(name)), part);
    }
    EXPECT_EQ(read_file(path("s.json")), read_file(strategy));
    const Ran unknown = zermelo("show " + four + " " + strategy + " -o " + path("s.gif"));
    EXPECT_EQ(unknown.code, 2);
    EXPECT_SAYS(unknown.err, "end the name with .svg, .dot or .json");
    EXPECT_FALSE(std::filesystem::exists(path("s.gif")));
    EXPECT_EQ(zermelo("show " + four + " " + strategy + " -o " + path("no/such/place.dot")).code, 2);
}

TEST_F(StrategyCommands, PlayAsksAgainAfterAnIllegalMoveAndWins) {
    const Ran ran = run("printf '\\n7\\nabc\\n99999999999999999999\\n1 x\\n 2 \\n' | " + binary + " play " +
                        four + " --strategy " + strategy);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(ran.out.starts_with("The program plays ∃; you play ∀.")) << ran.out;
    EXPECT_SAYS(ran.out, "take[1] = 1\n");
    std::size_t refused = 0;
    for (auto at = ran.out.find("Your legal moves: 1..2"); at != std::string::npos;
         at = ran.out.find("Your legal", at + 1))
        ++refused;
    EXPECT_EQ(refused, 5U);
    EXPECT_TRUE(
        ran.out.ends_with("take[3] = 1, the only move of ∃\n\nmatches left: 4 3 1 0 ··\n"
                          "∀ has no legal value for take[4].\nThe program wins.\n"))
        << ran.out;
}

TEST_F(StrategyCommands, PlayEndsWhenThePersonDoes) {
    for (const char* input : {"</dev/null", "<<< q"}) {
        const Ran ran =
            run("bash -c '" + binary + " play " + four + " --strategy " + strategy + " " + input + "'");
        EXPECT_EQ(ran.code, 0) << ran.err;
        EXPECT_TRUE(ran.out.ends_with("The game is not finished.\n")) << ran.out;
    }
}

TEST_F(StrategyCommands, ABadStrategyCanBeBeaten) {
    const Ran ran = run("printf '1\\n1\\n' | " + binary + " play " + four + " --strategy " +
                        damaged(R"(/"id": 2/s/: \[2\]/: [1]/)"));
    EXPECT_TRUE(ran.out.ends_with("You win.\n")) << ran.out << ran.err;
}

}  // namespace
}  // namespace zermelo
