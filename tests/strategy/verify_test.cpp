#include "strategy/check/verify.hpp"

#include <gtest/gtest.h>

#include "games.hpp"
#include "refutation.hpp"

namespace zermelo {

namespace {

strategy::Strategy single(model::VarId variable, std::vector<strategy::Edge> edges, model::Quantifier owner) {
    strategy::StrategyBuilder builder;
    return builder.extract(builder.node(variable, std::move(edges)), owner);
}

TEST(Verify, AcceptsFigureOneOfTheSeed) {
    const model::Model model = section_two();
    const strategy::Verification result = verify(model, section_two_strategy(model));
    EXPECT_TRUE(result.valid);
    EXPECT_EQ(result.scenarios, "3");
    EXPECT_GT(result.positions, 0u);
    EXPECT_FALSE(result.counterexample);
}

TEST(Verify, FindsThePlayThatAWrongMoveLoses) {
    const model::Model model = section_two();
    strategy::Strategy strategy = section_two_strategy(model);
    strategy.nodes[3].edges[0].values[0] = 1;  // y = 1
    EXPECT_EQ(refutation(model, strategy),
              "x = 0, y = 1, z = 1: the winning condition fails: a constraint is broken");
}

TEST(Verify, WantsAnAnswerToEveryLegalValue) {
    const model::Model model = section_two();
    strategy::Strategy strategy = section_two_strategy(model);
    strategy.nodes[2].edges[0].values = {0, 2};
    EXPECT_EQ(refutation(model, strategy),
              "x = 0, y = 0, z = 1: z = 1 is legal, but the strategy has no answer to it");
}

TEST(Verify, AcceptsNimWithoutTheIllegalValue) {
    const model::Model nim = fibonacci_nim_4();
    EXPECT_EQ(refutation(nim, compact_nim_strategy(nim)), "valid");
}

TEST(Verify, RefusesNimWithALegalValueLeftOut) {
    const model::Model nim = fibonacci_nim_4();
    strategy::Strategy strategy = compact_nim_strategy(nim);
    strategy.nodes[3].edges.pop_back();
    EXPECT_EQ(refutation(nim, strategy),
              "x1 = 1, y1 = 2: y1 = 2 is legal, but the strategy has no answer to it");
}

TEST(Verify, RefusesAnIllegalMoveOfTheOwner) {
    const model::Model nim = fibonacci_nim_4();
    strategy::Strategy strategy = compact_nim_strategy(nim);
    strategy.nodes[2].edges[0].values[0] = 2;  // four matches are gone with one more
    EXPECT_EQ(refutation(nim, strategy), "x1 = 1, y1 = 2, x2 = 2: ∃ breaks the rule for x2");
}

TEST(Verify, RefusesAMoveThatLetsTheOpponentMove) {
    const model::Model nim = fibonacci_nim_4();
    strategy::Strategy strategy = compact_nim_strategy(nim);
    strategy.nodes[1].edges[0].values[0] = 1;
    EXPECT_EQ(refutation(nim, strategy), "x1 = 1, y1 = 1, x2 = 1, y2 = 1: the winning condition fails");
}

TEST(Verify, TheOwnerWithoutALegalValueHasLost) {
    model::ModelBuilder game("stuck");
    const auto y = game.forall("y", 0, 1);
    const auto x = game.exists("x", 0, 1);
    game.rule(x > y);
    game.win(true);
    const model::Model model = game.build();
    EXPECT_EQ(refutation(model, strategy::Strategy{}), "y = 1: ∃ has no legal value for x");
}

TEST(Verify, TheOpponentWithoutALegalValueHasLost) {
    model::ModelBuilder game("stuck");
    const auto x = game.exists("x", 0, 1);
    const auto y = game.forall("y", 0, 1);
    game.rule(y < x);
    game.win(x == 0);
    const model::Model model = game.build();
    EXPECT_EQ(refutation(model,
                         single(variable(model, "x"), {{{0}, strategy::decided}}, model::Quantifier::exists)),
              "valid");
    EXPECT_NE(refutation(model,
                         single(variable(model, "x"), {{{1}, strategy::decided}}, model::Quantifier::exists)),
              "valid");
}

TEST(Verify, AcceptsACounterStrategy) {
    model::ModelBuilder game("guess");
    const auto x = game.exists("x", 0, 2);
    const auto y = game.forall("y", 0, 2);
    game.win(x == y);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    const strategy::NodeId y0 = builder.node(variable(model, "y"), 0, strategy::decided);
    const strategy::NodeId y1 = builder.node(variable(model, "y"), 1, strategy::decided);
    const strategy::NodeId good = builder.node(variable(model, "x"), {{{1, 2}, y0}, {{0}, y1}});
    const strategy::NodeId bad = builder.node(variable(model, "x"), {{{0, 1}, y1}, {{2}, y0}});
    EXPECT_EQ(refutation(model, builder.extract(good, model::Quantifier::forall)), "valid");
    EXPECT_EQ(refutation(model, builder.extract(bad, model::Quantifier::forall)),
              "x = 1, y = 1: the winning condition holds, so ∃ wins");
}

TEST(Verify, ACounterStrategyMayPlayOnlyLegalMoves) {
    model::ModelBuilder game("rule");
    const auto x = game.exists("x", 0, 2);
    const auto y = game.forall("y", 0, 2);
    game.rule(y > x);
    game.win(x == 2);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    const strategy::NodeId y1 = builder.node(variable(model, "y"), 1, strategy::decided);
    const strategy::NodeId y2 = builder.node(variable(model, "y"), 2, strategy::decided);
    const strategy::NodeId root = builder.node(variable(model, "x"), {{{0}, y2}, {{1, 2}, y1}});
    EXPECT_EQ(refutation(model, builder.extract(root, model::Quantifier::forall)),
              "x = 1, y = 1: ∀ breaks the rule for y");
}

// ∃x ∀y: z is x / y in 0..1, written by hand. It has no value for y = 0, nor for x = 2, y = 1.
model::Model partial_definition() {
    model::Model model;
    model.name = "partial";
    const model::VarId x = model.add_variable("x", model::Domain(0, 2));
    const model::VarId y = model.add_variable("y", model::Domain(0, 1));
    const model::VarId z = model.add_variable("z", model::Domain(0, 1));
    model.prefix.push_back({model::Quantifier::exists, {x}, std::nullopt});
    model.prefix.push_back({model::Quantifier::exists, {y}, std::nullopt});
    model.constraints.push_back({model::Arithmetic{model::Operation::divide, x, y, z}});
    return model;
}

TEST(Verify, AValueOutsideTheDomainLoses) {
    const model::Model model = partial_definition();
    const auto play = [&](model::Value x, model::Value y) {
        strategy::StrategyBuilder builder;
        return builder.extract(builder.node(0, x, builder.node(1, y, strategy::decided)),
                               model::Quantifier::exists);
    };
    EXPECT_EQ(refutation(model, play(1, 1)), "valid");
    EXPECT_EQ(refutation(model, play(0, 1)), "valid");
    EXPECT_EQ(refutation(model, play(1, 0)),
              "x = 1, y = 0: the winning condition fails: z has no value in its domain 0..1");
    EXPECT_EQ(refutation(model, play(2, 1)),
              "x = 2: the winning condition fails: z has no value in its domain 0..1");
}

TEST(Verify, FreeVariablesAreChosenLast) {
    model::Model model;  // ∀y ∃z: z·z = y·y, and z is free because squares define nothing
    const model::VarId y = model.add_variable("y", model::Domain(0, 2));
    const model::VarId z = model.add_variable("z", model::Domain(-2, 0));
    const model::VarId square = model.add_variable("square", model::Domain(0, 4));
    model.prefix.push_back({model::Quantifier::forall, {y}, std::nullopt});
    model.constraints.push_back({model::Arithmetic{model::Operation::times, y, y, square}});
    model.constraints.push_back({model::Arithmetic{model::Operation::times, z, z, square}});
    strategy::StrategyBuilder builder;
    std::vector<strategy::Edge> edges;
    for (const model::Value value : {0, 1, 2})
        edges.push_back({{value}, builder.node(z, -value, strategy::decided)});
    EXPECT_EQ(refutation(model, builder.extract(builder.node(y, edges), model::Quantifier::exists)), "valid");
    EXPECT_NE(refutation(model, single(y, {{{0, 1, 2}, strategy::decided}}, model::Quantifier::exists)),
              "valid");
}

TEST(Verify, SkippedVariablesMayTakeAnyValue) {
    model::ModelBuilder game("skip");
    const auto x = game.exists("x", 0, 3);
    const auto y = game.forall("y", 0, 3);
    const auto z = game.exists("z", 0, 3);
    game.win(z >= 2 && x + y >= 0);
    const model::Model model = game.build();
    EXPECT_EQ(refutation(model,
                         single(variable(model, "z"), {{{2}, strategy::decided}}, model::Quantifier::exists)),
              "valid");
    EXPECT_EQ(refutation(model,
                         single(variable(model, "z"), {{{1}, strategy::decided}}, model::Quantifier::exists)),
              "z = 1: the winning condition fails");
    EXPECT_NE(refutation(model,
                         single(variable(model, "x"), {{{2}, strategy::decided}}, model::Quantifier::exists)),
              "valid");
}

TEST(Verify, ASkippedVariableOfTheOwnerMustWorkWithEveryLegalValue) {
    model::ModelBuilder game("skip");
    const auto x = game.exists("x", 0, 3);
    game.rule(x != 1);
    const auto y = game.forall("y", 0, 1);
    game.win(x * y != 1);
    EXPECT_EQ(refutation(game.build(), strategy::Strategy{}), "valid");
    game.win(x != 3);
    EXPECT_NE(refutation(game.build(), strategy::Strategy{}), "valid");
}

TEST(Verify, AChoiceMayNotDependOnTheFuture) {
    model::ModelBuilder game("future");
    const auto x = game.exists("x", 0, 1);
    const auto y = game.forall("y", 0, 1);
    game.win(x == y);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    const strategy::NodeId x0 = builder.node(variable(model, "x"), 0, strategy::decided);
    const strategy::NodeId x1 = builder.node(variable(model, "x"), 1, strategy::decided);
    const strategy::NodeId root = builder.node(variable(model, "y"), {{{0}, x0}, {{1}, x1}});
    EXPECT_EQ(refutation(model, builder.extract(root, model::Quantifier::exists)),
              "y = 0: the choice of x depends on a later move of ∀");
}

TEST(Verify, AVariableHasOneValueOnly) {
    model::ModelBuilder game("twice");
    const auto x = game.exists("x", 0, 1);
    const auto y = game.forall("y", 0, 1);
    game.win(x == 0 || y == 0);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    const strategy::NodeId x0 = builder.node(variable(model, "x"), 0, strategy::decided);
    const strategy::NodeId root = builder.node(variable(model, "x"), 1, x0);
    EXPECT_EQ(refutation(model, builder.extract(root, model::Quantifier::exists)),
              "x = 1: the strategy comes to x twice");
}

TEST(Verify, RefusesMalformedStrategies) {
    const model::Model model = section_two();
    const auto with = [&](auto change) {
        strategy::Strategy strategy = section_two_strategy(model);
        change(strategy);
        return refutation(model, strategy);
    };
    EXPECT_EQ(with([](strategy::Strategy& s) { s.nodes[1].variable = 1000; }),
              "node 1: it names a variable that does not exist");
    EXPECT_EQ(with([](strategy::Strategy& s) { s.nodes[1].edges[0].values = {7}; }),
              "node 1: t = 7 is outside the domain 0..2");
    EXPECT_EQ(with([](strategy::Strategy& s) {
                  s.nodes[1].edges[0].values = {0, 1};
              }),
              "node 1: t belongs to the strategy's owner, but a node offers 2 values");
    EXPECT_EQ(with([](strategy::Strategy& s) { s.nodes[1].edges[0].to = 4; }),
              "node 1: an edge leads to 4, which is not an earlier node");
    EXPECT_EQ(with([](strategy::Strategy& s) { s.root = 9; }), "the root does not exist");
    EXPECT_EQ(with([](strategy::Strategy& s) {
                  s.nodes[2].edges.push_back({{1}, strategy::decided});
              }),
              "node 2: z = 1 is named twice in one node");
}

TEST(Verify, BelievesCutsOnlyWhenAsked) {
    model::ModelBuilder game("cut");
    const auto y = game.forall("y", 0, 1);
    const auto x = game.exists("x", 0, 1);
    game.cut({}, y == 0);  // y = 1 is said to be won
    game.win(x == 0 && y == 0);
    const model::Model model = game.build();
    const strategy::Strategy strategy =
        single(variable(model, "x"), {{{0}, strategy::decided}}, model::Quantifier::exists);
    EXPECT_TRUE(verify(model, strategy, {.apply_cuts = true}).valid);
    EXPECT_FALSE(verify(model, strategy, {.apply_cuts = false}).valid);
}

// Every path of this strategy is different, but after each pair of moves the rest of the game is the same.
TEST(Verify, RemembersPositionsWithTheSameFuture) {
    constexpr int rounds = 40;
    model::ModelBuilder game("echo");
    model::IntExpr sum = 0;
    for (int i = 1; i <= rounds; ++i) {
        const auto y = game.forall("y" + std::to_string(i), 0, 2);
        const auto x = game.exists("x" + std::to_string(i), 0, 2);
        sum = sum + x + y;
    }
    game.win(sum == 2 * rounds);
    const model::Model model = game.build();
    strategy::StrategyBuilder builder;
    strategy::NodeId root = strategy::decided;
    for (int i = rounds; i >= 1; --i) {
        std::vector<strategy::Edge> edges;
        for (const model::Value y : {0, 1, 2}) {
            edges.push_back({{y}, builder.node(variable(model, "x" + std::to_string(i)), 2 - y, root)});
        }
        root = builder.node(variable(model, "y" + std::to_string(i)), edges);
    }
    const strategy::Strategy strategy = builder.extract(root, model::Quantifier::exists);
    const strategy::Verification result = verify(model, strategy);
    EXPECT_TRUE(result.valid);
    EXPECT_LT(result.positions, 1000u);
    EXPECT_EQ(result.scenarios, "12157665459056928801");  // 3^40

    const strategy::Verification stopped =
        verify(model, strategy, {.limits = Limits(0.05, std::nullopt), .remembered = 0});
    EXPECT_FALSE(stopped.valid);
    EXPECT_EQ(stopped.stop, Stop::time);
    EXPECT_FALSE(stopped.counterexample);
}

}  // namespace

}  // namespace zermelo
