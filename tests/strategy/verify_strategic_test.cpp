// Strategies of strategic models: what is legal, who has lost, and what the checker says about it.

#include <gtest/gtest.h>

#include "games.hpp"
#include "refutation.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/follow.hpp"
#include "strategy/format/dot.hpp"
#include "strategy/format/json.hpp"

namespace zermelo {

namespace {

// Bessiere and Verger (2006, section 3): tokens 1 … k on the table; whose sum becomes a multiple of 3 has
// lost.
model::Model tokens(int k) {
    model::ModelBuilder game("tokens");
    model::IntExprs taken;
    model::IntExpr sum = 0;
    for (int turn = 1; turn <= k; ++turn) {
        const std::string name = "x" + std::to_string(turn);
        const model::IntExpr x = turn % 2 == 1 ? game.exists(name, 1, k) : game.forall_consistent(name, 1, k);
        for (const model::IntExpr& other : taken) game.require(x != other);
        taken.push_back(x);
        if (turn % 2 == 0) continue;
        sum = sum + x;
        game.require(sum % 3 != 0);
    }
    return game.build();
}

// Three tokens: 1, then against 2 the 3, and against 3 nothing is left but 2, and 1 + 2 = 3.
TEST(VerifyStrategic, TheTokenGameWithThreeTokensIsLost) {
    const model::Model model = tokens(3);
    strategy::StrategyBuilder builder;
    const strategy::NodeId three = builder.node(variable(model, "x2"), 3, strategy::decided);
    const strategy::NodeId counter = builder.node(variable(model, "x1"), {{{1, 2}, three}});
    EXPECT_EQ(refutation(model, builder.extract(counter, model::Quantifier::forall)), "valid");

    const strategy::NodeId hope =
        builder.node(variable(model, "x1"), 1,
                     builder.node(variable(model, "x2"),
                                  {{{2}, builder.node(variable(model, "x3"), 3, strategy::decided)}}));
    EXPECT_EQ(refutation(model, builder.extract(hope, model::Quantifier::exists)),
              "x1 = 1, x2 = 3: x2 = 3 is legal, but the strategy has no answer to it");
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x1"), 1, strategy::decided),
                                                model::Quantifier::exists)),
              "x1 = 1, x2 = 3: ∃ has no legal value for x3");
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x1"), 3, strategy::decided),
                                                model::Quantifier::exists)),
              "x1 = 3: x1 = 3 is not legal: no state agrees with it");
}

TEST(VerifyStrategic, ACounterStrategyMayPlayOnlyLegalMoves) {
    const model::Model model = tokens(3);
    strategy::StrategyBuilder builder;
    const strategy::NodeId three = builder.node(variable(model, "x2"), 3, strategy::decided);
    const strategy::NodeId one = builder.node(variable(model, "x2"), 1, strategy::decided);
    const strategy::NodeId root = builder.node(variable(model, "x1"), {{{2}, three}, {{1}, one}});
    EXPECT_EQ(refutation(model, builder.extract(root, model::Quantifier::forall)),
              "x1 = 1, x2 = 1: x2 = 1 is not legal: no state agrees with it");
    const strategy::NodeId two = builder.node(variable(model, "x2"), 2, strategy::decided);
    const strategy::NodeId slip = builder.node(variable(model, "x1"), {{{2}, three}, {{1}, two}});
    EXPECT_EQ(refutation(model, builder.extract(slip, model::Quantifier::forall)),
              "x1 = 1, x2 = 2, x3 = 3: all moves are made, so ∃ wins");
}

// Bessiere and Verger (2006, section 5.1): what shall hold at the end must not bind them before.
TEST(VerifyStrategic, AConstraintThatWaitsForbidsNothing) {
    const auto with_outcome = [](bool waits) {
        model::ModelBuilder game("outcome");
        const model::IntExpr flag = game.state("flag", 0, 1);
        const model::IntExpr y = game.forall_consistent("y", 0, 1);
        const model::IntExpr outcome = game.exists("outcome", 0, 1);
        game.require(y == flag);
        game.require(outcome == flag);
        game.require(waits ? outcome == 1 : flag == 1);
        return game.build();
    };
    EXPECT_EQ(refutation(with_outcome(true), strategy::Strategy{}),
              "y = 0: ∃ has no legal value for outcome");
    EXPECT_EQ(refutation(with_outcome(false), strategy::Strategy{}), "valid");
    EXPECT_EQ(refutation(with_outcome(true), strategy::Strategy{.owner = model::Quantifier::forall}),
              "y = 1, outcome = 1: all moves are made, so ∃ wins");
    const model::Model model = with_outcome(true);
    strategy::StrategyBuilder builder;
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "y"), 0, strategy::decided),
                                                model::Quantifier::forall)),
              "valid");
}

TEST(VerifyStrategic, AMoveIsLegalOnlyIfTheWholeStateAgrees) {
    model::ModelBuilder game("triangle");  // three states in two colours, all different, unless x allows it
    const model::IntExprs colour = game.state("colour", 3, 0, 1);
    const model::IntExpr x = game.exists("x", 0, 1);
    game.require(colour[0] != colour[1]);
    game.require(colour[1] != colour[2]);
    game.require(x == 0 || colour[0] != colour[2]);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x"), 0, strategy::decided),
                                                model::Quantifier::exists)),
              "valid");
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x"), 1, strategy::decided),
                                                model::Quantifier::exists)),
              "x = 1: x = 1 is not legal: no state agrees with it");
}

TEST(VerifyStrategic, WhoHasNoLegalValueHasLost) {
    const auto stuck = [](bool ours) {
        model::ModelBuilder game("stuck");
        const model::IntExpr s = game.state("s", 0, 1);
        const model::IntExpr x = ours ? game.exists("x", 0, 1) : game.forall_consistent("x", 0, 1);
        game.require(x + s > 2);
        return game.build();
    };
    EXPECT_EQ(refutation(stuck(true), strategy::Strategy{}), "∃ has no legal value for x");
    EXPECT_EQ(refutation(stuck(true), strategy::Strategy{.owner = model::Quantifier::forall}), "valid");
    EXPECT_EQ(refutation(stuck(false), strategy::Strategy{}), "valid");
    EXPECT_EQ(refutation(stuck(false), strategy::Strategy{.owner = model::Quantifier::forall}),
              "∀ has no legal value for x");
}

TEST(VerifyStrategic, WithoutMovesTheStateDecides) {
    const auto no_moves = [](model::Value sum) {
        model::ModelBuilder game("no moves");
        const model::IntExpr s = game.state("s", 0, 1);
        const model::IntExpr t = game.state("t", 0, 1);
        game.require(s + t == sum);
        return game.build();
    };
    EXPECT_EQ(refutation(no_moves(2), strategy::Strategy{}), "valid");
    EXPECT_EQ(refutation(no_moves(3), strategy::Strategy{}),
              "no state agrees with the constraints, so ∀ wins");
    EXPECT_EQ(refutation(no_moves(3), strategy::Strategy{.owner = model::Quantifier::forall}), "valid");
}

// The values of a block are judged together: x = 0 is legal because it can be completed.
TEST(VerifyStrategic, ABlockIsJudgedAsAWhole) {
    model::ModelBuilder game("block");
    const model::IntExpr s = game.state("s", 0, 3);
    const model::IntExpr x = game.exists("x", 0, 3);
    const model::IntExpr y = game.also("y", 0, 3);
    const model::IntExpr z = game.forall_consistent("z", 0, 3);
    game.require(x + y == 4);
    game.require(s == x);
    game.require(z < s);
    const model::Model model = game.build();
    const auto play = [&](model::Value first, model::Value second) {
        strategy::StrategyBuilder builder;
        const strategy::NodeId below = builder.node(variable(model, "y"), second, strategy::decided);
        return builder.extract(builder.node(variable(model, "x"), first, below), model::Quantifier::exists);
    };
    EXPECT_EQ(refutation(model, play(1, 3)), "valid");
    EXPECT_EQ(refutation(model, play(0, 3)), "x = 0: x = 0 is not legal: no state agrees with it");
    EXPECT_EQ(refutation(model, play(1, 2)), "x = 1, y = 2: y = 2 is not legal: no state agrees with it");
    EXPECT_EQ(refutation(model, strategy::Strategy{}), "valid");
}

TEST(VerifyStrategic, TheOrderIsThatOfThePrefix) {
    const model::Model model = tokens(3);
    strategy::StrategyBuilder builder;
    const strategy::NodeId x1 = builder.node(variable(model, "x1"), 1, strategy::decided);
    const strategy::NodeId root = builder.node(variable(model, "x2"), {{{2, 3}, x1}});
    EXPECT_EQ(refutation(model, builder.extract(root, model::Quantifier::exists)),
              "node 2: x2 stands above x1, which is chosen first; in a strategic model the order is that of "
              "the prefix");
}

// After each pair of moves the rest of the game is the same, though the state remembers how it came about.
TEST(VerifyStrategic, RemembersPositionsWithTheSameFuture) {
    constexpr int rounds = 40;
    model::ModelBuilder game("echo");
    const model::IntExprs total = game.state("total", rounds + 1, 0, 2 * rounds);
    game.require(total[0] == 0);
    for (int i = 1; i <= rounds; ++i) {
        const model::IntExpr y = game.forall_consistent("y" + std::to_string(i), 0, 2);
        const model::IntExpr x = game.exists("x" + std::to_string(i), 0, 2);
        const auto n = static_cast<std::size_t>(i);
        game.require(total[n] == total[n - 1] + x + y);
    }
    const model::IntExpr end = game.exists("end", 0, 2 * rounds);
    game.require(end == total.back());
    game.require(end == 2 * rounds);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    strategy::NodeId root = builder.node(variable(model, "end"), 2 * rounds, strategy::decided);
    for (int i = rounds; i >= 1; --i) {
        std::vector<strategy::Edge> edges;
        for (const model::Value y : {0, 1, 2})
            edges.push_back({{y}, builder.node(variable(model, "x" + std::to_string(i)), 2 - y, root)});
        root = builder.node(variable(model, "y" + std::to_string(i)), edges);
    }
    const strategy::Strategy strategy = builder.extract(root, model::Quantifier::exists);
    const strategy::Verification result = verify(model, strategy);
    EXPECT_TRUE(result.valid);
    EXPECT_LT(result.positions, 1000u);
    EXPECT_EQ(result.scenarios, "12157665459056928801");  // 3^40
}

TEST(Strategic, AFollowerPlaysLegalMovesAndEndsOnAState) {
    const model::Model model = tokens(3);
    const model::Structure structure = analyse(model);
    strategy::StrategyBuilder builder;
    const strategy::NodeId three = builder.node(variable(model, "x2"), 3, strategy::decided);
    const strategy::Strategy strategy =
        builder.extract(builder.node(variable(model, "x1"), {{{1, 2}, three}}), model::Quantifier::forall);
    strategy::Follower game(model, structure, strategy);
    ASSERT_EQ(game.turn(), variable(model, "x1"));
    EXPECT_FALSE(game.owners_turn(*game.turn()));
    EXPECT_EQ(game.legal(*game.turn()), (std::vector<model::Value>{1, 2}));
    game.play(*game.turn(), 1);
    ASSERT_EQ(game.turn(), variable(model, "x2"));
    EXPECT_EQ(game.move(*game.turn()), 3);
    game.play(*game.turn(), 3);
    EXPECT_EQ(game.turn(), std::nullopt);  // only token 2 is left, and 1 + 2 = 3
    EXPECT_EQ(game.winner(), model::Quantifier::forall);

    model::ModelBuilder single("single");
    const model::IntExpr s = single.state("s", 0, 9);
    const model::IntExpr x = single.exists("x", 0, 3);
    single.require(s == 3 * x);
    const model::Model other = single.build();
    const model::Structure its_structure = analyse(other);
    const strategy::Strategy free;
    strategy::Follower line(other, its_structure, free);
    line.play(variable(other, "x"), 2);
    EXPECT_EQ(line.turn(), std::nullopt);
    EXPECT_EQ(line.winner(), model::Quantifier::exists);
    EXPECT_EQ(line.rules()[variable(other, "s")].low, 6);
}

TEST(Strategic, CompletionSpellsOutLegalMoves) {
    const model::Model model = tokens(3);
    strategy::StrategyBuilder builder;
    const strategy::NodeId three = builder.node(variable(model, "x2"), 3, strategy::decided);
    const strategy::Strategy strategy =
        builder.extract(builder.node(variable(model, "x1"), {{{1, 2}, three}}), model::Quantifier::forall);
    const strategy::Strategy whole = completed(model, strategy);
    EXPECT_EQ(refutation(model, whole), "valid");
    EXPECT_EQ(whole.nodes[static_cast<std::size_t>(whole.root)].edges.size(), 2u);  // 1//2 and the illegal 3
    std::stringstream file;
    write_json(file, model, whole);
    EXPECT_EQ(fingerprint(model, strategy::read_json(file, model)), fingerprint(model, whole));
    std::ostringstream picture;
    write_dot(picture, model, whole);
    EXPECT_NE(picture.str().find("label=\"1//2\""), std::string::npos);
}

}  // namespace

}  // namespace zermelo
