// Quantified models as games: minimax over the game says what the oracle and the quantified search say.

#include "game/views/model_game.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "quantified/solve.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/random_strategic.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo::game {
namespace {

int minimax(ModelGame& game, const ModelGame::State& state) {
    game.look(state);
    if (game.turn().over()) return game.payoff(ModelGame::exists);
    const bool ours = game.turn().player == ModelGame::exists;
    std::vector<ModelGame::State> next(game.moves());
    for (std::size_t m = 0; m < next.size(); ++m) game.successor(m, next[m]);
    for (const auto& each : next) {
        if (minimax(game, each) == (ours ? win : loss)) return ours ? win : loss;
    }
    return ours ? loss : win;
}

void expect_the_oracles_value(std::uint64_t seed, Shape shape) {
    shape.blocks = 4;
    shape.values = 3;
    const model::ModelBuilder builder = random_model(seed, shape);
    const model::Model model = builder.build();
    ModelGame game(model);
    const bool won = minimax(game, game.initial()) == win;
    ASSERT_EQ(won, oracle::won(builder.source())) << "seed " << seed;
    ASSERT_EQ(won, zermelo::quantified::solve(model).verdict == quantified::Verdict::won) << "seed " << seed;
}

TEST(ModelGame, HasTheValueOfTheOracleOnRandomModels) {
    for (const auto seed : seeds(400))
        ASSERT_NO_FATAL_FAILURE(expect_the_oracles_value(seed, Shape::plain()));
}

TEST(ModelGame, HasTheValueOfTheOracleOnRandomModelsWithRules) {
    for (const auto seed : seeds(400)) {
        ASSERT_NO_FATAL_FAILURE(expect_the_oracles_value(seed, Shape::with_rules()));
    }
}

TEST(ModelGame, HasTheValueOfTheOracleOnRandomStrategicModels) {
    std::size_t won = 0;
    const auto drawn = seeds(600);
    for (const auto seed : drawn) {
        const model::ModelBuilder builder = random_strategic_model(seed);
        const model::Model model = builder.build();
        ModelGame game(model);
        const bool ours = minimax(game, game.initial()) == win;
        ASSERT_EQ(ours, oracle::strategically_won(builder.source())) << "seed " << seed;
        won += ours ? 1 : 0;
    }
    EXPECT_GT(won, drawn.size() / 10);
    EXPECT_LT(won, drawn.size() * 9 / 10);
}

// What is demanded at the end does not bind them before, and what they have done binds the state.
TEST(ModelGame, MovesOfAStrategicModelAreThoseWithAState) {
    model::ModelBuilder builder;
    const model::IntExpr s = builder.state("s", 0, 3);
    const model::IntExpr y = builder.forall_consistent("y", 0, 5);
    const model::IntExpr x = builder.exists("x", 0, 1);
    builder.require(y == s + 1);
    builder.require(iff(x == 1, s >= 2));
    builder.require(x == 1);
    const model::Model model = builder.build();
    ModelGame game(model);
    ASSERT_EQ(game.turn().player, ModelGame::forall);
    ASSERT_EQ(game.moves(), 4U);
    EXPECT_EQ(game.move_name(0), "y = 1");
    EXPECT_EQ(game.move_name(3), "y = 4");
    game.look({2});
    EXPECT_TRUE(game.turn().over());
    EXPECT_EQ(game.payoff(ModelGame::exists), loss);
    game.look({4});
    ASSERT_EQ(game.moves(), 1U);
    EXPECT_EQ(game.move_name(0), "x = 1");
    game.look({4, 1});
    EXPECT_TRUE(game.turn().over());
    EXPECT_EQ(game.payoff(ModelGame::exists), win);
}

TEST(ModelGame, WhoHasNoLegalValueHasLost) {
    for (const bool ours : {true, false}) {
        model::ModelBuilder builder;
        const model::IntExpr first = ours ? builder.exists("first", 1, 2) : builder.forall("first", 1, 2);
        const model::IntExpr second = builder.also("second", 1, 2);
        builder.rule(first + second > 4);
        builder.win(first == 1);
        const model::Model model = builder.build();
        ModelGame game(model);
        EXPECT_TRUE(game.turn().over());
        EXPECT_EQ(game.payoff(ModelGame::exists), ours ? loss : win);
        EXPECT_EQ(game.payoff(ModelGame::forall), ours ? win : loss);
    }
}

TEST(ModelGame, AMoveMustLeaveTheBlockAWayToKeepItsRule) {
    model::ModelBuilder builder;
    const model::IntExpr first = builder.exists("first", 0, 5);
    const model::IntExpr second = builder.also("second", 0, 2);
    builder.rule(first + second == 6);
    const model::Model model = builder.build();
    ModelGame game(model);
    ASSERT_EQ(game.moves(), 2U);
    EXPECT_EQ(game.move_name(0), "first = 4");
    ModelGame::State next;
    game.successor(0, next);
    game.look(next);
    ASSERT_EQ(game.moves(), 1U);
    EXPECT_EQ(game.move_name(0), "second = 2");
    EXPECT_EQ(game.state_name(next), "first = 4");
}

TEST(ModelGame, MovesAreInBytewiseOrderOfTheirNames) {
    model::ModelBuilder builder;
    builder.exists("x", -12, 12);
    const model::Model model = builder.build();
    ModelGame game(model);
    std::vector<std::string> names;
    for (std::size_t m = 0; m < game.moves(); ++m) names.push_back(game.move_name(m));
    EXPECT_EQ(names.size(), 25U);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(ModelGame, LookingAroundInAnyOrderChangesNothing) {
    for (const auto seed : seeds(100)) {
        const model::Model model = seed % 2 == 0 ? random_model(seed, Shape::with_rules()).build()
                                                 : random_strategic_model(seed).build();
        ModelGame jumping(model);
        Random random(seed);
        std::vector<ModelGame::State> states = {{}};
        for (int step = 0; step < 60; ++step) {
            const auto state = states[random.below(states.size())];
            ModelGame fresh(model);
            fresh.look(state);
            jumping.look(state);
            ASSERT_EQ(jumping.turn(), fresh.turn()) << "seed " << seed;
            ASSERT_EQ(jumping.moves(), fresh.moves()) << "seed " << seed;
            if (fresh.turn().over()) {
                ASSERT_EQ(jumping.payoff(0), fresh.payoff(0)) << "seed " << seed;
                continue;
            }
            const std::size_t move = random.below(fresh.moves());
            ModelGame::State next;
            jumping.successor(move, next);
            ASSERT_EQ(jumping.move_name(move), fresh.move_name(move)) << "seed " << seed;
            states.push_back(next);
        }
    }
}

}  // namespace
}  // namespace zermelo::game
