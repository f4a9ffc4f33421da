// Strategies of strategic models: what is legal, who has lost, and what the checker says about it.

#include <gtest/gtest.h>

#include "games.hpp"
#include "refutation.hpp"
#include "strategy/dot.hpp"
#include "strategy/follow.hpp"
#include "strategy/json.hpp"
#include "strategy/verify.hpp"

namespace zermelo {

namespace {

// Section 3 of the seed: tokens 1 … k on the table; whose sum becomes a multiple of 3 has lost.
Model tokens(int k) {
    ModelBuilder game("tokens");
    IntExprs taken;
    IntExpr sum = 0;
    for (int turn = 1; turn <= k; ++turn) {
        const std::string name = "x" + std::to_string(turn);
        const IntExpr x = turn % 2 == 1 ? game.exists(name, 1, k) : game.forall_consistent(name, 1, k);
        for (const IntExpr& other : taken) game.require(x != other);
        taken.push_back(x);
        if (turn % 2 == 0) continue;
        sum = sum + x;
        game.require(sum % 3 != 0);
    }
    return game.build();
}

// Three tokens: 1, then against 2 the 3, and against 3 nothing is left but 2, and 1 + 2 = 3.
TEST(VerifyStrategic, TheTokenGameWithThreeTokensIsLost) {
    const Model model = tokens(3);
    StrategyBuilder builder;
    const NodeId three = builder.node(variable(model, "x2"), 3, decided);
    const NodeId counter = builder.node(variable(model, "x1"), {{{1, 2}, three}});
    EXPECT_EQ(refutation(model, builder.extract(counter, Quantifier::forall)), "valid");

    const NodeId hope = builder.node(
        variable(model, "x1"), 1,
        builder.node(variable(model, "x2"), {{{2}, builder.node(variable(model, "x3"), 3, decided)}}));
    EXPECT_EQ(refutation(model, builder.extract(hope, Quantifier::exists)),
              "x1 = 1, x2 = 3: x2 = 3 is legal, but the strategy has no answer to it");
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x1"), 1, decided),
                                                Quantifier::exists)),
              "x1 = 1, x2 = 3: ∃ has no legal value for x3");
    EXPECT_EQ(refutation(model, builder.extract(builder.node(variable(model, "x1"), 3, decided),
                                                Quantifier::exists)),
              "x1 = 3: x1 = 3 is not legal: no state agrees with it");
}

TEST(VerifyStrategic, ACounterStrategyMayPlayOnlyLegalMoves) {
    const Model model = tokens(3);
    StrategyBuilder builder;
    const NodeId three = builder.node(variable(model, "x2"), 3, decided);
    const NodeId one = builder.node(variable(model, "x2"), 1, decided);
    const NodeId root = builder.node(variable(model, "x1"), {{{2}, three}, {{1}, one}});
    EXPECT_EQ(refutation(model, builder.extract(root, Quantifier::forall)),
              "x1 = 1, x2 = 1: x2 = 1 is not legal: no state agrees with it");
    const NodeId two = builder.node(variable(model, "x2"), 2, decided);
    const NodeId slip = builder.node(variable(model, "x1"), {{{2}, three}, {{1}, two}});
    EXPECT_EQ(refutation(model, builder.extract(slip, Quantifier::forall)),
              "x1 = 1, x2 = 2, x3 = 3: all moves are made, so ∃ wins");
}

// Section 5.1 of the seed: what shall hold at the end must not bind them before.
TEST(VerifyStrategic, AConstraintThatWaitsForbidsNothing) {
    const auto with_outcome = [](bool waits) {
        ModelBuilder game("outcome");
        const IntExpr flag = game.state("flag", 0, 1);
        const IntExpr y = game.forall_consistent("y", 0, 1);
        const IntExpr outcome = game.exists("outcome", 0, 1);
        game.require(y == flag);
        game.require(outcome == flag);
        game.require(waits ? outcome == 1 : flag == 1);
        return game.build();
    };
    EXPECT_EQ(refutation(with_outcome(true), Strategy{}), "y = 0: ∃ has no legal value for outcome");
    EXPECT_EQ(refutation(with_outcome(false), Strategy{}), "valid");
    EXPECT_EQ(refutation(with_outcome(true), Strategy{.owner = Quantifier::forall}),
              "y = 1, outcome = 1: all moves are made, so ∃ wins");
    const Model model = with_outcome(true);
    StrategyBuilder builder;
    EXPECT_EQ(refutation(model,
                         builder.extract(builder.node(variable(model, "y"), 0, decided), Quantifier::forall)),
              "valid");
}

TEST(VerifyStrategic, AMoveIsLegalOnlyIfTheWholeStateAgrees) {
    ModelBuilder game("triangle");  // three states in two colours, all different, unless x allows it
    const IntExprs colour = game.state("colour", 3, 0, 1);
    const IntExpr x = game.exists("x", 0, 1);
    game.require(colour[0] != colour[1]);
    game.require(colour[1] != colour[2]);
    game.require(x == 0 || colour[0] != colour[2]);
    const Model model = game.build();
    StrategyBuilder builder;
    EXPECT_EQ(refutation(model,
                         builder.extract(builder.node(variable(model, "x"), 0, decided), Quantifier::exists)),
              "valid");
    EXPECT_EQ(refutation(model,
                         builder.extract(builder.node(variable(model, "x"), 1, decided), Quantifier::exists)),
              "x = 1: x = 1 is not legal: no state agrees with it");
}

TEST(VerifyStrategic, WhoHasNoLegalValueHasLost) {
    const auto stuck = [](bool ours) {
        ModelBuilder game("stuck");
        const IntExpr s = game.state("s", 0, 1);
        const IntExpr x = ours ? game.exists("x", 0, 1) : game.forall_consistent("x", 0, 1);
        game.require(x + s > 2);
        return game.build();
    };
    EXPECT_EQ(refutation(stuck(true), Strategy{}), "∃ has no legal value for x");
    EXPECT_EQ(refutation(stuck(true), Strategy{.owner = Quantifier::forall}), "valid");
    EXPECT_EQ(refutation(stuck(false), Strategy{}), "valid");
    EXPECT_EQ(refutation(stuck(false), Strategy{.owner = Quantifier::forall}), "∀ has no legal value for x");
}

TEST(VerifyStrategic, WithoutMovesTheStateDecides) {
    const auto no_moves = [](Value sum) {
        ModelBuilder game("no moves");
        const IntExpr s = game.state("s", 0, 1);
        const IntExpr t = game.state("t", 0, 1);
        game.require(s + t == sum);
        return game.build();
    };
    EXPECT_EQ(refutation(no_moves(2), Strategy{}), "valid");
    EXPECT_EQ(refutation(no_moves(3), Strategy{}), "no state agrees with the constraints, so ∀ wins");
    EXPECT_EQ(refutation(no_moves(3), Strategy{.owner = Quantifier::forall}), "valid");
}

// The values of a block are judged together: x = 0 is legal because it can be completed.
TEST(VerifyStrategic, ABlockIsJudgedAsAWhole) {
    ModelBuilder game("block");
    const IntExpr s = game.state("s", 0, 3);
    const IntExpr x = game.exists("x", 0, 3);
    const IntExpr y = game.also("y", 0, 3);
    const IntExpr z = game.forall_consistent("z", 0, 3);
    game.require(x + y == 4);
    game.require(s == x);
    game.require(z < s);
    const Model model = game.build();
    const auto play = [&](Value first, Value second) {
        StrategyBuilder builder;
        const NodeId below = builder.node(variable(model, "y"), second, decided);
        return builder.extract(builder.node(variable(model, "x"), first, below), Quantifier::exists);
    };
    EXPECT_EQ(refutation(model, play(1, 3)), "valid");
    EXPECT_EQ(refutation(model, play(0, 3)), "x = 0: x = 0 is not legal: no state agrees with it");
    EXPECT_EQ(refutation(model, play(1, 2)), "x = 1, y = 2: y = 2 is not legal: no state agrees with it");
    EXPECT_EQ(refutation(model, Strategy{}), "valid");
}

TEST(VerifyStrategic, TheOrderIsThatOfThePrefix) {
    const Model model = tokens(3);
    StrategyBuilder builder;
    const NodeId x1 = builder.node(variable(model, "x1"), 1, decided);
    const NodeId root = builder.node(variable(model, "x2"), {{{2, 3}, x1}});
    EXPECT_EQ(refutation(model, builder.extract(root, Quantifier::exists)),
              "node 2: x2 stands above x1, which is chosen first; in a strategic model the order is that of "
              "the prefix");
}

// After each pair of moves the rest of the game is the same, though the state remembers how it came about.
TEST(VerifyStrategic, RemembersPositionsWithTheSameFuture) {
    constexpr int rounds = 40;
    ModelBuilder game("echo");
    const IntExprs total = game.state("total", rounds + 1, 0, 2 * rounds);
    game.require(total[0] == 0);
    for (int i = 1; i <= rounds; ++i) {
        const IntExpr y = game.forall_consistent("y" + std::to_string(i), 0, 2);
        const IntExpr x = game.exists("x" + std::to_string(i), 0, 2);
        const auto n = static_cast<std::size_t>(i);
        game.require(total[n] == total[n - 1] + x + y);
    }
    const IntExpr end = game.exists("end", 0, 2 * rounds);
    game.require(end == total.back());
    game.require(end == 2 * rounds);
    const Model model = game.build();
    StrategyBuilder builder;
    NodeId root = builder.node(variable(model, "end"), 2 * rounds, decided);
    for (int i = rounds; i >= 1; --i) {
        std::vector<Edge> edges;
        for (const Value y : {0, 1, 2})
            edges.push_back({{y}, builder.node(variable(model, "x" + std::to_string(i)), 2 - y, root)});
        root = builder.node(variable(model, "y" + std::to_string(i)), edges);
    }
    const Strategy strategy = builder.extract(root, Quantifier::exists);
    const Verification result = verify(model, strategy);
    EXPECT_TRUE(result.valid);
    EXPECT_LT(result.positions, 1000u);
    EXPECT_EQ(result.scenarios, "12157665459056928801");  // 3^40
}

TEST(Strategic, AFollowerPlaysLegalMovesAndEndsOnAState) {
    const Model model = tokens(3);
    const Structure structure = analyse(model);
    StrategyBuilder builder;
    const NodeId three = builder.node(variable(model, "x2"), 3, decided);
    const Strategy strategy =
        builder.extract(builder.node(variable(model, "x1"), {{{1, 2}, three}}), Quantifier::forall);
    Follower game(model, structure, strategy);
    ASSERT_EQ(game.turn(), variable(model, "x1"));
    EXPECT_FALSE(game.owners_turn(*game.turn()));
    EXPECT_EQ(game.legal(*game.turn()), (std::vector<Value>{1, 2}));
    game.play(*game.turn(), 1);
    ASSERT_EQ(game.turn(), variable(model, "x2"));
    EXPECT_EQ(game.move(*game.turn()), 3);
    game.play(*game.turn(), 3);
    EXPECT_EQ(game.turn(), std::nullopt);  // only token 2 is left, and 1 + 2 = 3
    EXPECT_EQ(game.winner(), Quantifier::forall);

    ModelBuilder single("single");
    const IntExpr s = single.state("s", 0, 9);
    const IntExpr x = single.exists("x", 0, 3);
    single.require(s == 3 * x);
    const Model other = single.build();
    const Structure its_structure = analyse(other);
    const Strategy free;
    Follower line(other, its_structure, free);
    line.play(variable(other, "x"), 2);
    EXPECT_EQ(line.turn(), std::nullopt);
    EXPECT_EQ(line.winner(), Quantifier::exists);
    EXPECT_EQ(line.outlook()[variable(other, "s")].low, 6);
}

TEST(Strategic, CompletionSpellsOutLegalMoves) {
    const Model model = tokens(3);
    StrategyBuilder builder;
    const NodeId three = builder.node(variable(model, "x2"), 3, decided);
    const Strategy strategy =
        builder.extract(builder.node(variable(model, "x1"), {{{1, 2}, three}}), Quantifier::forall);
    const Strategy whole = completed(model, strategy);
    EXPECT_EQ(refutation(model, whole), "valid");
    EXPECT_EQ(whole.nodes[static_cast<std::size_t>(whole.root)].edges.size(), 2u);  // 1//2 and the illegal 3
    std::stringstream file;
    write_json(file, model, whole);
    EXPECT_EQ(fingerprint(model, read_json(file, model)), fingerprint(model, whole));
    std::ostringstream picture;
    write_dot(picture, model, whole);
    EXPECT_NE(picture.str().find("label=\"1//2\""), std::string::npos);
}

}  // namespace

}  // namespace zermelo
