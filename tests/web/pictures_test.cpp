#include <gtest/gtest.h>

#include <set>

#include "web/asking.hpp"
#include "web/server.hpp"
#include "web/session/game_cache.hpp"

namespace zermelo::web {
namespace {

class Pictures : public testing::Test {
protected:
    Pictures() { add_pictures(router, cache); }

    [[nodiscard]] json attractors(const json& game) const {
        return asker.post("/api/attractors", {{"game", game}});
    }
    [[nodiscard]] static json initial(const json& picture) {
        for (const json& state : picture["states"]) {
            if (state["initial"]) return state;
        }
        return nullptr;
    }

    Library library{ZERMELO_SOURCE_DIR "/games"};
    GameCache cache{library};
    Router router;
    Asker asker{router};
};

TEST_F(Pictures, BobWinsTheSubtractionGameOfThirteenMatches) {
    const json picture = attractors({{"id", "graphs/subtraction-13"}});
    EXPECT_EQ(picture["players"], json({"Alice", "Bob"}));
    const json start = initial(picture);
    EXPECT_EQ(start["name"], "A13");
    EXPECT_EQ(start["turn"], 0);
    EXPECT_EQ(start["winner"], 1);
    EXPECT_EQ(start["move"], nullptr);
    EXPECT_EQ(start["rank"], picture["rounds"]);
}

TEST_F(Pictures, TheDerivedMoveLeadsToASmallerRankOfTheSameWinner) {
    for (const char* id : {"graphs/subtraction-13", "graphs/three-regions", "graphs/cycle"}) {
        const json picture = attractors({{"id", id}});
        const json& states = picture["states"];
        for (std::size_t s = 0; s < states.size(); ++s) {
            EXPECT_EQ(states[s]["winner"].is_null(), states[s]["rank"].is_null());
            if (states[s]["move"].is_null()) continue;
            const json& move = picture["moves"][states[s]["move"].get<std::size_t>()];
            EXPECT_EQ(move["from"], s);
            const json& after = states[move["to"].get<std::size_t>()];
            EXPECT_EQ(after["winner"], states[s]["winner"]);
            EXPECT_LT(after["rank"], states[s]["rank"]);
        }
    }
}

TEST_F(Pictures, SmallGamesInOtherWordsHaveAttractorsToo) {
    const json game = attractors({{"id", "gdl/subtraction"}});
    EXPECT_EQ(initial(game)["winner"], 1);
    const json model = attractors({{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "5"}}}});
    EXPECT_EQ(model["players"], json({"∃", "∀"}));
    EXPECT_EQ(initial(model)["winner"], 1);
}

TEST_F(Pictures, WhatIsTooLargeOrHasNoTwoPlayersInTurnIsRefused) {
    for (const char* id : {"gdl/tic-tac-toe", "gdl/eight-puzzle", "gdl/dice-race", "stochastic/example-1"})
        EXPECT_EQ(refused([&] { (void)attractors({{"id", id}}); }), 422) << id;
    try {
        (void)attractors({{"id", "gdl/tic-tac-toe"}});
    } catch (const Error& problem) {
        EXPECT_NE(problem.problem().find("more than 2000 states"), std::string::npos) << problem.what();
    }
}

// What the events say, checked as a tree: every node that is opened is closed, a branch has one child.
struct TreeReader {
    std::size_t open = 0;
    std::size_t most_open = 0;
    std::set<std::string> reasons;

    void read(const json& event) {
        const std::string what = event[0];
        if (what == "open") most_open = std::max(most_open, ++open);
        EXPECT_TRUE(what != "branch" || open > 0);
        if (what == "leaf") reasons.insert(event[2].get<std::string>());
        if (what == "close") {
            EXPECT_GT(open, 0);
            --open;
        }
    }
};

TEST_F(Pictures, TheTreeOfFibonacciNimClosesBranchesForEveryReasonItShould) {
    const Heard heard = asker.listen(
        "/api/tree", {{"game", {{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "10"}}}}}});
    ASSERT_EQ(heard.events.front().name, "begin");
    EXPECT_EQ(heard.events.front().data["variables"].size(), 10);
    EXPECT_EQ(heard.events.front().data["variables"][1]["quantifier"], "forall");
    TreeReader tree;
    for (const json& batch : heard.all("grow")) {
        EXPECT_LE(batch.size(), 200);
        for (const json& event : batch) tree.read(event);
    }
    EXPECT_EQ(tree.open, 0);
    EXPECT_GT(tree.most_open, 2);
    for (const char* reason : {"rule", "failure", "good", "nogood"})
        EXPECT_TRUE(tree.reasons.contains(reason)) << reason;
    const json end = heard.last("end");
    EXPECT_EQ(end["verdict"], "won");
    EXPECT_EQ(end["stop"], "");
    EXPECT_EQ(end["truncated"], false);
}

TEST_F(Pictures, ATreeStopsGrowingAndTheVerdictComesAllTheSame) {
    const Heard heard = asker.listen(
        "/api/tree",
        {{"game", {{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "21"}}}}}, {"most", 100}});
    std::size_t events = 0;
    for (const json& batch : heard.all("grow")) events += batch.size();
    EXPECT_EQ(events, 100);
    EXPECT_EQ(heard.last("end")["truncated"], true);
    EXPECT_EQ(heard.last("end")["verdict"], "lost");
}

TEST_F(Pictures, TheSearchEndsWhenNobodyWatches) {
    Heard heard;
    heard.react = [](const Heard::Event& event) {
        if (event.name == "grow") throw LimitReached(Stop::interrupted, "here", "");
    };
    const json body = {{"game", {{"id", "quantified/nim-fibonacci"}, {"parameters", {{"n", "34"}}}}}};
    EXPECT_THROW(asker.stream("/api/tree", body, heard), LimitReached);
    EXPECT_EQ(heard.all("grow").size(), 1);
}

TEST_F(Pictures, OnlyModelsWithoutChanceHaveATree) {
    for (const char* id : {"gdl/nim", "graphs/cycle", "stochastic/example-1"})
        EXPECT_EQ(refused([&] { (void)asker.listen("/api/tree", {{"game", {{"id", id}}}}); }), 422) << id;
}

}  // namespace
}  // namespace zermelo::web
