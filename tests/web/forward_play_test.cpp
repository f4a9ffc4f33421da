// Models and graphs are played like games in GDL: positions, steps, the program's answers, explanations.

#include "web/server_fixture.hpp"

namespace zermelo::web {
namespace {

json nim(const std::string& n) { return {{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", n}}}}; }

TEST(ForwardPlay, ANimInMiniZincShowsWhatWasTaken) {
    const Implementation desk;
    const json first = desk.ask("/api/position", {{"game", nim("7")}, {"steps", json::array()}});
    EXPECT_EQ(first["roles"], json({"∃", "∀"}));
    EXPECT_EQ(first["turn"], json({"∃"}));
    EXPECT_EQ(first["legal"]["∃"].size(), 6U);
    const json step = desk.ask(
        "/api/step", {{"game", nim("7")}, {"steps", json::array()}, {"moves", {{"∃", "take[1] = 2"}}}});
    EXPECT_EQ(step["step"], json({{"∃", "take[1] = 2"}}));
    EXPECT_EQ(step["position"]["facts"], json::parse(R"([["take", "1", "2"]])"));
    EXPECT_EQ(step["position"]["turn"], json({"∀"}));
    EXPECT_EQ(step["position"]["legal"]["∀"].size(), 4U) << "at most twice as many";
}

// The program wins from every start that is won, on either side, against any play.
void expect_program_wins(const Implementation& desk, const std::string& n, const std::string& program) {
    Random random(1);
    for (int play = 0; play < 5; ++play) {
        json steps = json::array();
        json position;
        for (;;) {
            position = desk.ask("/api/position", {{"game", nim(n)}, {"steps", steps}});
            if (position["over"]) break;
            const std::string mover = position["turn"].empty() ? position["acts"].get<std::string>()
                                                               : position["turn"][0].get<std::string>();
            const json& legal = position["legal"][mover];
            std::string move = legal[random.below(legal.size())]["text"];
            if (mover == program) {
                move = desk.listen("/api/think", {{"game", nim(n)},
                                                  {"steps", steps},
                                                  {"role", mover},
                                                  {"player", "zermelo"},
                                                  {"seconds", 2}})
                           .last("move")["move"];
            }
            steps.push_back({{mover, move}});
        }
        EXPECT_EQ(position["goals"][program], 100) << steps;
    }
}

TEST(ForwardPlay, TheProgramWinsANimForExists) { expect_program_wins(Implementation(), "7", "∃"); }
TEST(ForwardPlay, TheProgramWinsANimForForall) { expect_program_wins(Implementation(), "8", "∀"); }

TEST(ForwardPlay, AnalysisAndExplanationAgree) {
    const Implementation desk;
    const json body = {{"game", nim("7")}, {"steps", json::array()}};
    const json solved = desk.listen("/api/analyse", body).last("solved");
    const json why = desk.ask("/api/why", body);
    EXPECT_EQ(solved["values"], json({{"∃", 100}, {"∀", 0}}));
    EXPECT_EQ(solved["rank"], why["play"][0]["left"]);
    EXPECT_TRUE(why["complete"]);
    EXPECT_EQ(why["play"][0]["made"], "take[1] = 2") << "5 is left, a Fibonacci number";
    json steps = json::array();
    for (const json& position : why["play"]) {
        if (!position["step"].is_null()) steps.push_back(position["step"]);
    }
    EXPECT_TRUE(desk.ask("/api/position", {{"game", nim("7")}, {"steps", steps}})["over"]);
}

TEST(ForwardPlay, APlayOfAModelIsReadFromText) {
    const json entries = Implementation().ask(
        "/api/replay", {{"game", nim("7")}, {"play", "take[1] = 2;take[2] = 1"}})["entries"];
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[1]["by"], json({"∀"}));
    EXPECT_EQ(entries[1]["step"], json({{"∀", "take[2] = 1"}}));
}

TEST(ForwardPlay, AGraphIsPlayedByTheNamesOfItsMoves) {
    const Implementation desk;
    const json game = {{"id", "graphs/subtraction-13"}};
    const json position = desk.ask("/api/position", {{"game", game}, {"steps", json::array()}});
    EXPECT_EQ(position["facts"], json::parse(R"([["state", "A13"]])"));
    EXPECT_EQ(position["turn"].size(), 1U);
    const json why = desk.ask("/api/why", {{"game", game}, {"steps", json::array()}});
    EXPECT_TRUE(why["complete"]);
    EXPECT_EQ(why["play"][0]["verdict"], "lost");
}

// Take one or two of three; an item shows the course, another word names what was taken.
const json shown_nim = {
    {"kind", "minizinc"},
    {"text",
     "include \"zermelo.mzn\"; int: n; enum Few = {one, two};\n"
     "array[1..n] of var Few: take;\n"
     "constraint forall(t in 1..n)(if t mod 2 = 1 then some(t, take[t], Few)\n"
     "                             else every(t, take[t], Few) endif);\n"
     "constraint forall(t in 1..n)(rule(t, sum(u in 1..t)(1 + bool2int(take[u] = two)) <= n));\n"
     "constraint win(false);\n"
     "output [\"taken\"] ++ [\" \" ++ show(take[t]) | t in 1..n] ++ [\"\\n\"];\n"},
    {"parameters", {{"n", "3"}}}};

TEST(ForwardPlay, APositionOfAModelIsShownByItsOutputItem) {
    const Implementation desk;
    EXPECT_EQ(desk.ask("/api/output", {{"game", shown_nim}, {"steps", json::array()}})["text"],
              "taken ··· ··· ···\n");
    const json steps = json::parse(R"([{"∃": "take[1] = two"}, {"∀": "take[2] = one"}])");
    EXPECT_EQ(desk.ask("/api/output", {{"game", shown_nim}, {"steps", steps}})["text"],
              "taken two one ···\n");
    const json silent = {{"id", "quantified/four-variables"}};
    EXPECT_EQ(desk.ask("/api/output", {{"game", silent}, {"steps", json::array()}})["text"], "")
        << "it has no output item";
    EXPECT_EQ(desk.refusal("/api/output", {{"game", {{"id", "gdl/nim"}}}, {"steps", json::array()}}),
              std::pair(422, std::string("only models have an output item")));
}

TEST(ForwardPlay, ValuesWithNamesAreChosenByThem) {
    const Implementation desk;
    const json first = desk.ask("/api/position", {{"game", shown_nim}, {"steps", json::array()}});
    EXPECT_EQ(first["legal"]["∃"][1]["text"], "take[1] = two");
    const json moved = desk.listen("/api/think", {{"game", shown_nim},
                                                  {"steps", json::parse(R"([{"∃": "take[1] = one"}])")},
                                                  {"role", "∀"},
                                                  {"player", "zermelo"},
                                                  {"seconds", 2}})
                           .last("move");
    EXPECT_EQ(moved["move"], "take[2] = two") << "who takes the last one wins";
}

TEST(ForwardPlay, WhatCannotBePlayedIsNamed) {
    const Implementation desk;
    EXPECT_EQ(desk.refusal("/api/step",
                           {{"game", nim("7")}, {"steps", json::array()}, {"moves", {{"∃", "take[1] = 7"}}}}),
              std::pair(422, std::string("∃ cannot play 'take[1] = 7' here")));
    EXPECT_EQ(
        desk.refusal("/api/position", {{"game", {{"id", "stochastic/newsvendor"}}}, {"steps", json::array()}})
            .first,
        422);
}

}  // namespace
}  // namespace zermelo::web
