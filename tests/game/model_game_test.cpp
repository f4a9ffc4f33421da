// Quantified models as games: minimax over the game says what the oracle and the quantified search say.

#include "game/model_game.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "quantified/solve.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"

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
    const ModelBuilder builder = random_model(seed, shape);
    const Model model = builder.build();
    ModelGame game(model);
    const bool won = minimax(game, game.initial()) == win;
    ASSERT_EQ(won, oracle::won(builder.source())) << "seed " << seed;
    ASSERT_EQ(won, solve(model).verdict == Verdict::won) << "seed " << seed;
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

TEST(ModelGame, WhoHasNoLegalValueHasLost) {
    for (const bool ours : {true, false}) {
        ModelBuilder builder;
        const IntExpr first = ours ? builder.exists("first", 1, 2) : builder.forall("first", 1, 2);
        const IntExpr second = builder.also("second", 1, 2);
        builder.rule(first + second > 4);
        builder.win(first == 1);
        const Model model = builder.build();
        ModelGame game(model);
        EXPECT_TRUE(game.turn().over());
        EXPECT_EQ(game.payoff(ModelGame::exists), ours ? loss : win);
        EXPECT_EQ(game.payoff(ModelGame::forall), ours ? win : loss);
    }
}

TEST(ModelGame, AMoveMustLeaveTheBlockAWayToKeepItsRule) {
    ModelBuilder builder;
    const IntExpr first = builder.exists("first", 0, 5);
    const IntExpr second = builder.also("second", 0, 2);
    builder.rule(first + second == 6);
    const Model model = builder.build();
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
    ModelBuilder builder;
    builder.exists("x", -12, 12);
    const Model model = builder.build();
    ModelGame game(model);
    std::vector<std::string> names;
    for (std::size_t m = 0; m < game.moves(); ++m) names.push_back(game.move_name(m));
    EXPECT_EQ(names.size(), 25U);
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
}

TEST(ModelGame, LookingAroundInAnyOrderChangesNothing) {
    for (const auto seed : seeds(50)) {
        const Model model = random_model(seed, Shape::with_rules()).build();
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
