// Models with chance: solve, verify and show, with the real program and the real MiniZinc.

#include "program.hpp"

namespace zermelo {
namespace {

class StochasticCommands : public Program {
protected:
    static inline const std::string games = std::string(ZERMELO_SOURCE_DIR) + "/games/stochastic/";
    static inline const std::string example_1 = games + "example-1.mzn";
    static inline const std::string example_2 = games + "example-2.mzn";

    // The answer with one engine after the other; both must say the same.
    [[nodiscard]] static nlohmann::json solved(const std::string& arguments) {
        const auto mac = json_of(zermelo("solve --json --engine mac " + arguments));
        const auto fc = json_of(zermelo("solve --json --engine fc " + arguments));
        for (const char* key : {"verdict", "values", "checked"}) EXPECT_EQ(mac[key], fc[key]) << arguments;
        return mac;
    }

    // A policy after a sed script.
    [[nodiscard]] std::string damaged(const std::string& policy, const std::string& script) const {
        const std::string file = path("damaged.json");
        EXPECT_EQ(run("sed '" + script + "' " + policy + " > " + file).code, 0);
        EXPECT_NE(read_file(file), read_file(policy)) << "the script changes nothing: " << script;
        return file;
    }
};

TEST_F(StochasticCommands, ExampleOneIsWonByItsFirstPolicyAndWorthOneAtBest) {
    const auto first = solved(example_1);
    EXPECT_EQ(first["verdict"], "won");
    EXPECT_EQ(first["values"]["1"], "2/3");
    EXPECT_EQ(first["best"][0], (nlohmann::json{{"x1", 0}, {"x2", 0}}));
    EXPECT_EQ(first["checked"], true);
    EXPECT_EQ(first["strategy_nodes"], 3);
    const auto best = solved(example_1 + " --best");
    EXPECT_EQ(best["values"]["1"], "1");
}

TEST_F(StochasticCommands, ExampleTwoIsSatisfiedForSure) {
    const auto answer = solved(example_2);
    EXPECT_EQ(answer["verdict"], "won");
    EXPECT_EQ(answer["values"]["1"], "1");
    EXPECT_EQ(answer["best"][0], (nlohmann::json{{"x", 2}, {"z", 2}}));
}

TEST_F(StochasticCommands, SwitchingTheDoorWinsTwoTimesOutOfThree) {
    EXPECT_EQ(solved(games + "monty-hall.mzn")["values"]["1"], "2/3");
}

TEST_F(StochasticCommands, TheNewsvendorBuysTwoPapersAtFirst) {
    // A day by itself: with one paper 5 · 3/4 - 2, with two 5 · 5/4 - 4 = 9/4, with three 5 · 3/2 - 6.
    const auto one_day = solved(games + "newsvendor.mzn -D days=1");
    EXPECT_EQ(one_day["values"]["1"], "9/4");
    EXPECT_EQ(one_day["best"][0]["bought[1]"], 2);
}

TEST_F(StochasticCommands, BooksForOneQuarterAreAMatterOfCounting) {
    // Printing 4 meets five of six demands, 5/6 ≥ 80 %; printing 3 only four.
    const auto one = solved(games + "book-production.mzn -D quarters=1");
    EXPECT_EQ(one["values"]["1"], "5/6");
    EXPECT_EQ(one["best"][0]["printed[1]"], 4);
    EXPECT_EQ(solved(games + "book-production.mzn -D quarters=1 -D spare=3")["verdict"], "lost");
    EXPECT_EQ(solved(games + "book-production.mzn -D quarters=3")["verdict"], "won");
}

TEST_F(StochasticCommands, PlainConstraintsAreHardWhateverMiniZincMakesOfThem) {
    const std::string start = R"(
        var 0..2: x; var 0..2: z; var 0..2: y;
        constraint some(1, x, 0..2) /\ some(1, z, 0..2) /\ chance(2, y, 0..2, [1, 1, 0]);
        constraint worth(1, 3 - x - z, 3);
    )";
    EXPECT_EQ(solved(model(start + "constraint x >= 1; solve satisfy;"))["values"]["1"], "2/3");
    EXPECT_EQ(
        solved(model(start + "constraint hard(x = z); constraint x + z > 0; solve satisfy;"))["values"]["1"],
        "1/3");
    // y = 2 never comes, so it may be forbidden; y = 1 may not.
    EXPECT_EQ(solved(model(start + "constraint y <= 1; solve satisfy;"))["values"]["1"], "1");
    EXPECT_EQ(solved(model(start + "constraint y <= 0; solve satisfy;"))["verdict"], "lost");
    EXPECT_EQ(solved(model(start + "constraint x >= y; solve satisfy;"))["values"]["1"], "2/3");
}

TEST_F(StochasticCommands, PlayersDecideForThemselvesAndReachThresholdsTogether) {
    const std::string start = R"(
        var 0..1: a; var 0..1: b; var 0..1: y;
        constraint choose(1, 1, a, 0..1) /\ choose(2, 2, b, 0..1) /\ chance(3, y, 0..1);
        constraint worth(1, if a = 0 then 1 elseif b = 1 then 2 * y + 1 else 0 endif);
        constraint worth(2, if a = 0 then 1 elseif b = 1 then 2 else 3 endif);
    )";
    const auto selfish = solved(model(start + "solve satisfy;"));
    EXPECT_EQ(selfish["values"], (nlohmann::json{{"1", "1"}, {"2", "1"}}));
    const auto together =
        solved(model(start + "constraint threshold(1, 3, 2) /\\ threshold(2, 2, 1); solve satisfy;"));
    EXPECT_EQ(together["verdict"], "won");
    EXPECT_EQ(together["values"], (nlohmann::json{{"1", "2"}, {"2", "2"}}));
    EXPECT_EQ(solved(model(
                  start + "constraint threshold(1, 1, 1) /\\ threshold(2, 5, 2); solve satisfy;"))["verdict"],
              "lost");
}

TEST_F(StochasticCommands, ALostVerdictSaysWhy) {
    const std::string start = "var 0..1: x; var 0..1: y; constraint some(1, x, 0..1) /\\ chance(2, y, 0..1);";
    const Ran below = zermelo(
        "solve " + model(start + "constraint worth(1, x * y) /\\ threshold(1, 3, 4); solve satisfy;"));
    EXPECT_EQ(below.code, 0) << below.err;
    EXPECT_SAYS(below.out, "no policy reaches 3/4");
    const Ran best = zermelo(
        "solve --best " + model(start + "constraint worth(1, x * y) /\\ threshold(1, 3, 4); solve satisfy;"));
    EXPECT_SAYS(best.out, "the best expected utility is 1/2 ≈ 0.5, below the threshold 3/4");
    const Ran never =
        zermelo("solve " + model(start + "constraint worth(1, x) /\\ hard(x != y); solve satisfy;"));
    EXPECT_SAYS(never.out, "no policy is feasible");
}

TEST_F(StochasticCommands, VerifyAcceptsAPolicyAndRefusesChangedOnes) {
    const std::string policy = path("policy.json");
    ASSERT_EQ(zermelo("solve " + example_1 + " --strategy " + policy).code, 0);
    const Ran valid = zermelo("verify " + example_1 + " " + policy);
    EXPECT_EQ(valid.code, 0) << valid.err;
    EXPECT_EQ(valid.out,
              "valid: expected utility 2/3 ≈ 0.6667 over 3 scenarios, at least the threshold 1/2\n");
    const auto object = json_of(zermelo("verify --json " + example_1 + " " + policy));
    EXPECT_EQ(object["valid"], true);
    EXPECT_EQ(object["values"]["1"], "2/3");

    const std::vector<std::pair<std::string, std::string>> wrong = {
        {R"(s/"utilities": \["2.3"\]/"utilities": ["1"]/)", "player 1 gets 2/3 on average, but 1 is claimed"},
        {R"(/"x2", "edges"/s/\[0\]/[1]/)", "a hard constraint is violated"},
        {R"(s/"probability": "1"/"probability": "2\/3"/)", "says probability 2/3, but the model gives 1"},
        {R"(s/"values": \[\[0, 2\]\]/"values": [0, 1]/)", "says probability 1, but the model gives 2/3"},
        {R"(s/"values": \[\[0, 2\]\], "probability": "1"/"values": [0, 1], "probability": "2\/3"/)",
         "y = 2 is possible but has no edge"},
    };
    for (const auto& [script, reason] : wrong) {
        const Ran ran = zermelo("verify " + example_1 + " " + damaged(policy, script));
        EXPECT_EQ(ran.code, 1) << script << ran.out << ran.err;
        EXPECT_SAYS(ran.out, reason);
    }
    const std::vector<std::pair<std::string, std::string>> broken = {
        {R"(s/"kind": "policy"/"kind": "strategy"/)", "this is no policy"},
        {R"(s/"name": "x2"/"name": "x3"/)", "/order/1/name: the model has x2 here"},
        {R"(s/"kind": "chance"/"kind": "decision"/)", "y is a chance variable"},
        {R"(s/"root": 3/"root": 2/)", "/root: there is no node of x1 with the id 2"},
        {R"(s/"to": 0/"to": 1/)", "only the leaf, 0, comes after the last variable"},
        {R"(s/"values": \[0\]/"values": [7]/)", "7 is no value of"},
        {R"(s/"2.3"/"two thirds"/)", "this should be a fraction"},
        {R"(s/"root"/"roof"/)", "\"root\" is missing"},
        {R"(s/\],/],,/)", "this is not JSON"},
    };
    for (const auto& [script, reason] : broken) {
        const Ran ran = zermelo("verify " + example_1 + " " + damaged(policy, script));
        EXPECT_EQ(ran.code, 2) << script << ran.out << ran.err;
        EXPECT_SAYS(ran.err, reason);
    }
    const Ran other = zermelo("verify " + example_2 + " " + policy);
    EXPECT_EQ(other.code, 2);
    EXPECT_SAYS(other.err, "the policy was written for another model");
}

TEST_F(StochasticCommands, VerifySaysWhenAPolicyIsBelowTheThreshold) {
    const std::string items =
        "var 0..1: x; var 0..1: y; constraint some(1, x, 0..1) /\\ chance(2, y, 0..1) /\\ worth(1, x * y);";
    const std::string policy = path("policy.json");
    const std::string low = model(items + "constraint threshold(1, 3, 4); solve satisfy;");
    ASSERT_EQ(zermelo("solve --best " + low + " --strategy " + policy).code, 0);
    const Ran ran = zermelo("verify " + low + " " + policy);
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_SAYS(ran.out, "not valid: expected utility 1/2 ≈ 0.5 over 2 scenarios, below the threshold 3/4");
}

TEST_F(StochasticCommands, ShowDrawsAPolicy) {
    const std::string policy = path("policy.json");
    ASSERT_EQ(zermelo("solve " + games + "monty-hall.mzn --strategy " + policy).code, 0);
    const Ran text = zermelo("show " + games + "monty-hall.mzn " + policy);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_SAYS(text.out, "expected utility 2/3; start at");
    EXPECT_SAYS(text.out, "opened by chance\n    2 (1/2) → ");
    const std::string dot = path("policy.dot");
    ASSERT_EQ(zermelo("show " + games + "monty-hall.mzn " + policy + " -o " + dot).code, 0);
    EXPECT_SAYS(read_file(dot), "label=\"2 (1/2)\"");
    const std::string svg = path("policy.svg");
    ASSERT_EQ(zermelo("show " + games + "monty-hall.mzn " + policy + " -o " + svg).code, 0);
    EXPECT_SAYS(read_file(svg), "<svg");
    const auto fingerprint = [&](const std::string& file) {
        return json_of(zermelo("verify --json " + games + "monty-hall.mzn " + file))["fingerprint"];
    };
    const std::string again =
        write("again.json", zermelo("show --json " + games + "monty-hall.mzn " + policy).out);
    EXPECT_EQ(fingerprint(again), fingerprint(policy));
}

TEST_F(StochasticCommands, WhatCannotBeIsRefusedWithAReason) {
    const std::string start = "var 0..1: x; var 0..1: y; constraint some(1, x, 0..1);";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"constraint chance(2, y, 0..1, [1]);", "y has 1 weights"},
        {"constraint chance(2, y, 0..1, [1, -1]);", "y has a negative weight"},
        {"constraint chance(2, y, 0..1, [0, 0]);", "all weights of y are 0"},
        {"constraint chance(1, y, 0..1);", "level 1 belongs to two players, or to a player and chance"},
        {"constraint chance(0, y, 0..1, x, 0..1, [| 1, 1 | 1, 1 |]);",
         "the probabilities of y depend on x, which does not come before it"},
        {"constraint chance(2, y, 0..1, x, 1..1, [| 1, 1 |]);", "do not cover all values of x"},
        {"constraint choose(2, 0, y, 0..1);", "this is no number of a player"},
        {"constraint choose(1, 2, y, 0..1);", "level 1 belongs to two players"},
        {"constraint every(2, y, 0..1) /\\ worth(1, x);", "a model with chance has an opponent"},
        {"constraint chance(2, y, 0..1) /\\ rule(1, x = 1) /\\ worth(1, x);",
         "a model with chance has rules and utilities, or several players"},
        {"constraint chance(2, y, 0..1) /\\ worth(1, x, 0);", "a utility is divided by 0"},
        {"constraint chance(2, y, 0..1) /\\ threshold(1, 1, 0);",
         "the denominator of a threshold is not positive"},
        {"constraint chance(2, y, 0..1) /\\ threshold(1, 1, 2) /\\ threshold(1, 1, 3);",
         "player 1 has two thresholds"},
        {"constraint chance(2, x, 0..1) /\\ worth(1, y);", "x is quantified twice"},
        {"constraint worth(1, x + y);", "variable y is neither quantified nor a function of the moves"},
    };
    for (const auto& [items, reason] : cases) {
        const Ran ran = zermelo("solve " + model(start + items + " solve satisfy;"));
        EXPECT_EQ(ran.code, 2) << items << ran.out << ran.err;
        EXPECT_SAYS(ran.err, reason);
    }
    const std::string chance = example_1;
    for (const char* wrong : {"--engine quantified", "--engine alpha-beta", "--engine strategic",
                              "--all-first-moves", "--maximise x1", "--pure-values"}) {
        EXPECT_EQ(zermelo("solve " + chance + " " + wrong).code, 2) << wrong;
    }
    EXPECT_EQ(zermelo("solve --engine mac " + nim + " -D n=4").code, 2);
    EXPECT_EQ(zermelo("solve --best " + nim + " -D n=4").code, 2);
    EXPECT_EQ(zermelo("analyse " + chance).code, 2);
}

TEST_F(StochasticCommands, LimitsEndTheSearch) {
    for (const std::string engine : {"fc", "mac"}) {
        const Ran ran = zermelo("solve --json --engine " + engine + " --time-limit 0.5 " + games +
                                "newsvendor.mzn -D days=6");
        EXPECT_EQ(ran.code, 3) << ran.err;
        EXPECT_EQ(json_of(ran)["verdict"], "unknown");
    }
}

}  // namespace
}  // namespace zermelo
