// Sums that determine a ∀ variable: a value of it that no choice reaches is lost at once.

#include <gtest/gtest.h>

#include "quantified/certified.hpp"
#include "support/oracle.hpp"
#include "support/random_model.hpp"
#include "support/search_options.hpp"

namespace zermelo {
namespace {

// We buy weights, they bring a load, we place the weights and perhaps something else that has a weight of its own.
model::ModelBuilder random_balance(std::uint64_t seed) {
    Random random(seed);
    model::ModelBuilder game("balance-" + std::to_string(seed));
    const int count = static_cast<int>(random.between(1, 3));
    const model::Value heaviest = random.between(1, 4);
    const auto weights = game.exists("weight", count, random.between(0, 1), heaviest);
    std::vector<model::Value> loads;
    for (model::Value load = -2; load <= 6; ++load) {
        if (random.chance(0.35)) loads.push_back(load);
    }
    if (loads.size() < 2) loads = {0, 1};
    const auto load = game.forall("load", model::Domain(loads));
    const auto places = game.exists("place", count, random.between(-1, 0), 1);
    model::IntExpr balance = random.between(-1, 1);
    for (std::size_t i = 0; i < weights.size(); ++i) balance += weights[i] * places[i];
    if (random.chance(0.5)) balance += random.between(1, 3) * game.also("more", 0, random.between(1, 2));
    if (random.chance(0.5)) {
        game.require(balance == load);
    } else {
        game.require(balance - load == 0);
    }
    return game;
}

TEST(ReachableSums, ChangeNoVerdict) {
    std::size_t won = 0;
    const auto drawn = seeds(1500);
    for (const auto seed : drawn) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const model::ModelBuilder game = random_balance(seed);
        const bool expected = oracle::won(game.source());
        const quantified::Answer answer = certified(game.build(), options_number(seed));
        ASSERT_EQ(answer.verdict, expected ? quantified::Verdict::won : quantified::Verdict::lost);
        won += expected ? 1 : 0;
    }
    EXPECT_GT(won, drawn.size() / 30);
    EXPECT_LT(won, drawn.size() * 29 / 30);
}

// The baker's formula alone: each purchase that leaves a load without a placement fails without one being tried.
TEST(ReachableSums, SeeThatWeightsDoNotSuffice) {
    model::ModelBuilder game("baker");
    const auto weights = game.exists("weight", 4, 1, 30);
    const auto load = game.forall("load", 1, 30);
    const auto places = game.exists("place", 4, -1, 1);
    model::IntExpr balance = 0;
    for (std::size_t i = 0; i < 4; ++i) balance += weights[i] * places[i];
    game.require(balance == load);
    const model::Model model = game.build();
    quantified::SolveOptions options;
    options.goods = false;
    options.values = quantified::ValueOrder::ascending;
    const quantified::Answer ours = certified(model, options);
    options.kernel = quantified::KernelChoice::gecode;
    const quantified::Answer gecode = certified(model, options);
    EXPECT_EQ(ours.verdict, quantified::Verdict::won);
    EXPECT_EQ(gecode.verdict, quantified::Verdict::won);
    // A leaf for each purchase, and what follows the right one.
    EXPECT_LT(5 * ours.statistics.nodes, gecode.statistics.nodes);
}

}  // namespace
}  // namespace zermelo
