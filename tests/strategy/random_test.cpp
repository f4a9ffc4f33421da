// The checker against brute force: random models, naive strategies, and strategies damaged in one place.

#include <gtest/gtest.h>

#include "damage.hpp"
#include "model/structure.hpp"
#include "reference.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"
#include "strategy/rules/evaluate.hpp"
#include "support/random_model.hpp"

namespace zermelo {

namespace {

Tally compare(const NaiveModel& game, std::uint64_t seed) {
    Tally tally;
    const model::Model& model = game.model;
    const model::Structure structure = analyse(model);
    Reference reference(game);
    const strategy::Strategy strategy = reference.winning_strategy();
    (strategy.owner == model::Quantifier::exists ? tally.exists : tally.forall)++;

    const auto check = [&](const strategy::Strategy& each, const std::string& what) {
        const bool expected = reference.valid(each);
        for (const std::size_t remembered : {std::size_t{1} << 20, std::size_t{0}}) {
            const strategy::Verification result =
                verify(model, each, {.apply_cuts = false, .remembered = remembered});
            EXPECT_EQ(result.valid, expected)
                << what << ", seed " << seed << (remembered > 0 ? " with" : " without")
                << " memory: " << (result.counterexample ? result.counterexample->text(model) : "valid");
            EXPECT_EQ(result.counterexample.has_value(), !result.valid);
        }
        return expected;
    };
    EXPECT_TRUE(check(strategy, "naive strategy"));
    EXPECT_TRUE(verify(model, strategy, {.apply_cuts = true}).valid)
        << "with cuts, seed " << seed;  // the cuts of theorem 1 change nothing
    const strategy::Strategy whole = completed(model, strategy);
    EXPECT_TRUE(verify(model, whole).valid) << "completed, seed " << seed;
    EXPECT_EQ(fingerprint(model, completed(model, whole)), fingerprint(model, whole)) << "seed " << seed;

    Random random(seed);
    for (int i = 0; i < 12; ++i) {
        strategy::Strategy damaged = i % 3 == 2 ? whole : strategy;
        if (!damage(damaged, model, structure, reference, random)) continue;
        (check(damaged, "damaged strategy " + std::to_string(i)) ? tally.harmless : tally.rejected)++;
    }
    return tally;
}

void compare_shaped(const Shape& shape, std::size_t models) {
    compare_many(models, [&](std::uint64_t seed) {
        const model::ModelBuilder builder = random_model(seed, shape);
        const model::Model model = builder.build();
        return compare(naive(model, builder.source()), seed);
    });
}

TEST(VerifyRandom, AgreesWithBruteForceOnPlainModels) { compare_shaped({.blocks = 4, .values = 3}, 1500); }

TEST(VerifyRandom, AgreesWithBruteForceOnModelsWithRules) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true, .forall_rules = true}, 1500);
}

TEST(VerifyRandom, AgreesWithBruteForceOnModelsWithCuts) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true, .forall_rules = true, .cuts = true}, 700);
}

TEST(VerifyRandom, AgreesWithBruteForceWhenOnlyExistsHasRules) {
    compare_shaped({.blocks = 4, .values = 3, .exists_rules = true}, 700);
}

// Constraints as they come, over four moves and three auxiliary variables that may be free or have no value.
model::Model raw_model(std::uint64_t seed) {
    Random random(seed);
    model::Model model;
    model.name = "raw-" + std::to_string(seed);
    for (int i = 0; i < 7; ++i) {
        const model::Value low = random.between(-1, 1);
        const model::Value high = low + static_cast<model::Value>(random.between(1, i < 4 ? 2 : 3));
        const model::VarId v =
            model.add_variable((i < 4 ? "m" : "a") + std::to_string(i), model::Domain(low, high));
        if (i >= 4) continue;
        model.prefix.push_back(
            {random.chance(0.5) ? model::Quantifier::exists : model::Quantifier::forall, {v}, std::nullopt});
    }
    const auto any = [&] { return static_cast<model::VarId>(random.below(7)); };
    const auto auxiliary = [&] { return static_cast<model::VarId>(4 + random.below(3)); };
    for (auto n = random.between(1, 4); n > 0; --n) {
        const model::VarId a = any();
        const model::VarId b = (a + static_cast<model::VarId>(random.between(1, 6))) % 7;
        switch (random.below(6)) {
            case 0:
                model.constraints.push_back({model::Arithmetic{
                    model::Operation{static_cast<int>(random.below(4))}, a, b, auxiliary()}});
                break;
            case 1:
                model.constraints.push_back({model::Element{a, {any(), any(), any()}, auxiliary()}});
                break;
            case 2:
                model.constraints.push_back({model::Extremum{random.chance(0.5), {a, b}, auxiliary()}});
                break;
            case 3:
                model.constraints.push_back({model::Linear{{{1, a}, {random.chance(0.5) ? 1 : -1, b}},
                                                           model::Relation::equal,
                                                           random.between(-1, 2),
                                                           std::nullopt}});
                break;
            case 4:
                model.constraints.push_back({model::Linear{
                    {{1, a}, {2, b}}, model::Relation::at_most, random.between(0, 4), std::nullopt}});
                break;
            default:
                model.constraints.push_back({model::AllDifferent{{a, b}}});
        }
    }
    return model;
}

TEST(VerifyRandom, AgreesWithBruteForceOnRawConstraints) {
    compare_many(3000, [](std::uint64_t seed) {
        const model::Model model = raw_model(seed);
        const model::Structure structure = analyse(model);
        // Won when the variables that nobody chooses have some values with which all constraints hold.
        const auto wins = [&](const oracle::Assignment& play) {
            strategy::Intervals point;
            for (const model::Value value : play) point.push_back({value, value});
            const std::function<bool(std::size_t)> some = [&](std::size_t v) {
                if (v == point.size()) {
                    return std::all_of(model.constraints.begin(), model.constraints.end(),
                                       [&](const model::Constraint& c) {
                                           return strategy::truth(c, point) == strategy::Truth::yes;
                                       });
                }
                if (structure.block_of[v] >= 0) return some(v + 1);
                for (const model::Value value : model.variables[v].domain.values()) {
                    point[v] = {value, value};
                    if (some(v + 1)) return true;
                }
                return false;
            };
            return some(0);
        };
        return compare({model, structure.prefix, [](std::size_t, const auto&) { return true; }, wins}, seed);
    });
}

}  // namespace

}  // namespace zermelo
