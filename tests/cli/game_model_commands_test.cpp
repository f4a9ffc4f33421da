// Games in GDL solved as quantified and strategic models: solve, verify, show and gdl model.

#include "program.hpp"

namespace zermelo {
namespace {

class GameModelCommands : public Program {
protected:
    static inline const std::string gdl = std::string(ZERMELO_SOURCE_DIR) + "/games/gdl/";
    static inline const std::string tic_tac_toe = gdl + "tic-tac-toe.kif";
    static inline const std::string subtraction = gdl + "subtraction.kif";

    static void expect_refusal(const std::string& arguments, const std::string& complaint) {
        const Ran ran = zermelo(arguments);
        EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
        EXPECT_EQ(ran.out, "");
        EXPECT_SAYS(ran.err, complaint);
    }
    [[nodiscard]] std::string proof(const std::string& game, const std::string& options) const {
        const Ran ran = zermelo("solve " + game + " " + options + " --strategy " + path("proof.json"));
        EXPECT_EQ(ran.code, 0) << ran.err;
        return path("proof.json");
    }
};

TEST_F(GameModelCommands, BothModelsSayWhatTheOtherEnginesSay) {
    const std::vector<std::tuple<std::string, std::string, nlohmann::json>> known = {
        {"tic-tac-toe", "drawn", {{"x", 50}, {"o", 50}}},
        {"nim", "won", {{"alice", 100}, {"bob", 0}}},
        {"subtraction", "lost", {{"alice", 0}, {"bob", 100}}}};
    for (const auto& [name, verdict, values] : known) {
        for (const std::string engine : {"attractors", "quantified", "strategic"}) {
            const Ran ran = zermelo("solve --json --engine " + engine + " " + gdl + name + ".kif");
            EXPECT_EQ(ran.code, 0) << ran.err;
            const auto object = json_of(ran);
            EXPECT_EQ(object["verdict"], verdict) << name << ", " << engine;
            EXPECT_EQ(object["values"], values) << name << ", " << engine;
            if (engine == "attractors") continue;
            EXPECT_EQ(object["complete"], true);
            for (const auto& question : object["questions"]) EXPECT_EQ(question["checked"], true) << question;
            EXPECT_GT(object["strategy_nodes"], 0);
            EXPECT_GT(object["nodes"], 0);
            EXPECT_GT(object["peak_bytes"], 0);
        }
    }
}

TEST_F(GameModelCommands, TheAnswerNamesTheMovesAsTheRulesDo) {
    const Ran ran = zermelo("solve --engine quantified " + gdl + "nim.kif");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "won by alice: alice 100, bob 0 — by quantified search");
    EXPECT_SAYS(ran.out, "a best first move: (leave a 1)");
    EXPECT_SAYS(ran.out, "alice gets at least 100: ");
    EXPECT_SAYS(ran.out, "kept in all");
}

TEST_F(GameModelCommands, AllBestFirstMovesAreThoseOfTheForwardEngines) {
    for (const std::string name : {"nim", "tic-tac-toe", "subtraction"}) {
        auto forward = json_of(zermelo("solve --json --all-first-moves " + gdl + name + ".kif"))["best"];
        const auto object =
            json_of(zermelo("solve --json --all-first-moves --engine quantified " + gdl + name + ".kif"));
        auto best = object["best"];
        std::sort(forward.begin(), forward.end());
        std::sort(best.begin(), best.end());
        EXPECT_EQ(best, forward) << name;
        EXPECT_EQ(object["all_best"], true) << name;
    }
}

TEST_F(GameModelCommands, OneQuestionIsAnsweredByItself) {
    const auto won =
        json_of(zermelo("solve --json --engine quantified --role o --threshold 50 " + tic_tac_toe));
    EXPECT_EQ(won["verdict"], "won");
    EXPECT_EQ(won["questions"].size(), 1U);
    const Ran lost = zermelo("solve --engine strategic --role o --threshold 51 " + tic_tac_toe);
    EXPECT_EQ(lost.code, 0) << lost.err;
    EXPECT_SAYS(lost.out, "lost by o: a goal of at least 51 cannot be forced — by strategic search");
    EXPECT_SAYS(lost.out, "o does not get 51: ");
}

TEST_F(GameModelCommands, TheStatisticsOfEveryQuestionAreTold) {
    const Ran ran = zermelo("solve -v --engine quantified --no-check " + tic_tac_toe);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "  x at least 50: won, ");
    EXPECT_SAYS(ran.out, "  x at least 100: lost, ");
    EXPECT_SAYS(ran.out, "    propagations  ");
    EXPECT_EQ(ran.out.find("null"), std::string::npos) << ran.out;
    for (const std::string options :
         {"--symmetry", "--threads 2", "--guide monte-carlo", "--values random"}) {
        const auto object =
            json_of(zermelo("solve --json --engine strategic " + options + " " + tic_tac_toe));
        EXPECT_EQ(object["verdict"], "drawn") << options;
    }
}

TEST_F(GameModelCommands, AShortHorizonIsSaid) {
    const Ran question = zermelo("solve --engine quantified --threshold 50 --horizon 4 " + tic_tac_toe);
    EXPECT_EQ(question.code, 0) << question.err;
    EXPECT_SAYS(question.out, "lost by x: a goal of at least 50 cannot be forced within 4 moves");
    const Ran value = zermelo("solve --engine quantified --horizon 4 " + tic_tac_toe);
    EXPECT_EQ(value.code, 3) << value.err;
    EXPECT_SAYS(value.out, "unknown: x forces nothing, o forces nothing within 4 moves");
}

// Plays can be longer, but alice can end hers in twelve moves, and bob can win in them.
TEST_F(GameModelCommands, AHorizonThatIsLongEnoughForBothGivesTheVerdict) {
    const auto object = json_of(zermelo("solve --json --engine quantified --horizon 12 " + subtraction));
    EXPECT_EQ(object["complete"], false);
    EXPECT_EQ(object["verdict"], "lost");
    EXPECT_EQ(object["guaranteed"], nlohmann::json({{"alice", 0}, {"bob", 100}}));
}

TEST_F(GameModelCommands, ASavedProofIsCheckedOnTheRulesAgain) {
    for (const std::string engine : {"quantified", "strategic"}) {
        const std::string file = proof(tic_tac_toe, "--engine " + engine);
        const Ran text = zermelo("verify " + tic_tac_toe + " " + file);
        EXPECT_EQ(text.code, 0) << text.err;
        EXPECT_SAYS(text.out, "valid: x gets at least 50 in ");
        EXPECT_SAYS(text.out, "valid: x does not get 100 in ");
        const auto object = json_of(zermelo("verify --json " + tic_tac_toe + " " + file));
        EXPECT_EQ(object["valid"], true);
        EXPECT_EQ(object["counterexample"], nullptr);
        EXPECT_EQ(object["strategies"].size(), 2U);
        EXPECT_GT(object["positions"], 0);
    }
}

TEST_F(GameModelCommands, AWrongProofIsRefuted) {
    auto document = nlohmann::json::parse(read_file(proof(tic_tac_toe, "--engine quantified")));
    for (auto& entry : document["strategies"]) {
        if (entry["strategy"]["owner"] == "exists") entry["threshold"] = 100;  // a draw is no win
    }
    const Ran ran = zermelo("verify " + tic_tac_toe + " " + write("wrong.json", document.dump()));
    EXPECT_EQ(ran.code, 1) << ran.err;
    EXPECT_SAYS(ran.out, "not valid, that x gets at least 100: (mark ");
}

TEST_F(GameModelCommands, AProofForOtherRulesOrOtherNumbersOfMovesIsRefused) {
    const std::string file = proof(subtraction, "--engine quantified");
    expect_refusal("verify " + gdl + "nim.kif " + file, "made for other rules, those of subtraction.kif");
    auto document = nlohmann::json::parse(read_file(file));
    auto& names = document["moves"][0]["names"];
    std::swap(names[0], names[1]);
    expect_refusal("verify " + subtraction + " " + write("swapped.json", document.dump()),
                   "its moves are not numbered as in this game");
    expect_refusal("verify " + subtraction + " " + file + " --reasoner", "leave --reasoner out");
    expect_refusal("verify " + subtraction + " " + write("cut.json", read_file(file).substr(0, 400)),
                   "this is not JSON");
}

TEST_F(GameModelCommands, AProofIsShownWithTheNamesOfMoves) {
    const std::string file = proof(subtraction, "--engine quantified");
    const Ran ran = zermelo("show " + subtraction + " " + file);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "alice does not get 100, ");
    EXPECT_SAYS(ran.out, ": move 1, alice\n");
    EXPECT_SAYS(ran.out, "    (take 1) → ");
    expect_refusal("show " + subtraction + " " + file + " --role alice", "there is no strategy of alice");
    expect_refusal("show " + subtraction + " " + file + " -o proof.svg", "shown as text");
}

TEST_F(GameModelCommands, ThePrintedModelIsSolvedToTheSameVerdict) {
    const std::vector<std::tuple<std::string, std::string, std::string>> cases = {
        {tic_tac_toe, "--threshold 50", "won"},
        {tic_tac_toe, "--threshold 100", "lost"},
        {tic_tac_toe, "--threshold 50 --horizon 5", "lost"},
        {subtraction, "--role bob", "won"},
        {subtraction, "--role alice", "lost"}};
    for (const auto& [game, options, verdict] : cases) {
        for (const std::string form : {"", " --strategic"}) {
            const Ran printed = zermelo("gdl model " + game + " " + options + form);
            ASSERT_EQ(printed.code, 0) << printed.err;
            const auto object = json_of(zermelo("solve --json " + write("printed.mzn", printed.out)));
            EXPECT_EQ(object["verdict"], verdict) << game << " " << options << form;
            EXPECT_EQ(object["checked"], true);
        }
    }
    const auto described = json_of(zermelo("gdl model --json " + tic_tac_toe));
    EXPECT_EQ(described["horizon"], 9);
    EXPECT_EQ(described["complete"], true);
    EXPECT_EQ(described["turns"].size(), 9U);
    EXPECT_EQ(described["turns"][1]["role"], "o");
}

TEST_F(GameModelCommands, WhatCannotBecomeAModelIsRefusedInOneLine) {
    expect_refusal("solve --engine quantified " + gdl + "rock-paper-scissors.kif",
                   "may both have a choice at step 1");
    expect_refusal("solve --engine quantified " + gdl + "dice-race.kif", "chance moves in this game");
    const std::string secret = write("secret.kif",
                                     "(role a) (init (step 1)) (<= (next (step 2)) (true (step 1)))"
                                     "(<= (legal a (take ?x)) (choice ?x)) (choice 1) (choice 2)"
                                     "(<= (sees a ?x) (does a (take ?x))) (<= terminal (true (step 2)))"
                                     "(goal a 100)");
    expect_refusal("solve --engine quantified " + secret, "rules for what the players see");
    expect_refusal("solve --engine quantified " + gdl + "othello.kif",
                   "it is not known how long a play can be; say with --horizon");
    expect_refusal("solve --engine quantified " + gdl + "four-in-turn.kif",
                   "ask for one of them with --role");
    expect_refusal("solve --engine quantified --role z " + tic_tac_toe,
                   "there is no role z; choose from x, o");
    expect_refusal("solve --engine quantified -D n=3 " + tic_tac_toe, "is for quantified models");
    expect_refusal("solve --engine quantified --checkpoint x " + tic_tac_toe,
                   "--checkpoint is not for games that are solved as models");
    expect_refusal("solve --engine alpha-beta --horizon 3 " + tic_tac_toe, "--horizon is for");
    expect_refusal("solve --engine strategic " + nim + " -D n=4",
                   "turns a game in GDL into a strategic model");
}

TEST_F(GameModelCommands, AGameForFourIsOneAgainstTheOthers) {
    const Ran ran = zermelo("solve --engine quantified --role north --threshold 100 --horizon 4 " + gdl +
                            "four-in-turn.kif");
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_SAYS(ran.out, "lost by north: a goal of at least 100 cannot be forced within 4 moves");
}

TEST_F(GameModelCommands, ALimitIsAnAnswer) {
    const Ran ran =
        zermelo("solve --engine quantified --time-limit 0.3 --horizon 30 " + gdl + "breakthrough.kif");
    EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
    EXPECT_SAYS(ran.out, "unknown: time limit");
}

}  // namespace
}  // namespace zermelo
