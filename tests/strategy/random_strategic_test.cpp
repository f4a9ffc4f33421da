// The checker of strategic models against brute force, as in random_test.cpp.

#include <gtest/gtest.h>

#include "damage.hpp"
#include "strategic_reference.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/follow.hpp"
#include "strategy/format/json.hpp"
#include "support/random_strategic.hpp"
#include "support/strategic_oracle.hpp"

namespace zermelo {

namespace {

// Against a random opponent a winning strategy wins, and the referee's legal moves are the reference's.
void follow(const model::Model& model, const model::Structure& structure, const strategy::Strategy& strategy,
            StrategicReference& reference, Random& random, std::uint64_t seed) {
    strategy::Follower game(model, structure, strategy);
    std::size_t i = 0;
    while (const auto variable = game.turn()) {
        ASSERT_EQ(*variable, reference.turns()[i]) << "seed " << seed;
        const std::vector<model::Value> legal = game.legal(*variable);
        for (const model::Value value : model.domain(*variable).values()) {
            reference.play(i, value);
            ASSERT_EQ(std::binary_search(legal.begin(), legal.end(), value), reference.legal(i + 1))
                << "seed " << seed << ", " << model.name_of(*variable) << " = " << value;
        }
        const model::Value value =
            game.owners_turn(*variable) ? game.move(*variable) : legal[random.below(legal.size())];
        reference.play(i++, value);
        game.play(*variable, value);
    }
    ASSERT_EQ(game.winner(), strategy.owner) << "seed " << seed;
}

Tally compare_strategic(std::uint64_t seed) {
    Tally tally;
    const model::ModelBuilder builder = random_strategic_model(seed);
    const model::Model model = builder.build();
    const model::Structure structure = analyse(model);
    StrategicReference reference(builder.source());
    const strategy::Strategy strategy = reference.winning_strategy();
    (strategy.owner == model::Quantifier::exists ? tally.exists : tally.forall)++;
    EXPECT_EQ(strategy.owner == model::Quantifier::exists, oracle::strategically_won(builder.source()));

    const auto check = [&](const strategy::Strategy& each, const std::string& what) {
        const bool expected = reference.valid(each, each.root, 0);
        for (const std::size_t remembered : {std::size_t{1} << 12, std::size_t{0}}) {
            const strategy::Verification result = verify(model, each, {.remembered = remembered});
            EXPECT_EQ(result.valid, expected)
                << what << ", seed " << seed << (remembered > 0 ? " with" : " without")
                << " memory: " << (result.counterexample ? result.counterexample->text(model) : "valid");
            EXPECT_EQ(result.counterexample.has_value(), !result.valid);
        }
        return expected;
    };
    EXPECT_TRUE(check(strategy, "naive strategy"));
    const strategy::Strategy whole = completed(model, strategy);
    EXPECT_TRUE(check(whole, "completed strategy"));
    EXPECT_EQ(fingerprint(model, completed(model, whole)), fingerprint(model, whole)) << "seed " << seed;

    Random random(seed);
    for (int i = 0; i < 3; ++i) follow(model, structure, strategy, reference, random, seed);
    for (int i = 0; i < 12; ++i) {
        strategy::Strategy damaged = i % 3 == 2 ? whole : strategy;
        if (!damage(damaged, model, structure, reference, random)) continue;
        (check(damaged, "damaged strategy " + std::to_string(i)) ? tally.harmless : tally.rejected)++;
    }
    return tally;
}

TEST(VerifyStrategicRandom, AgreesWithBruteForce) { compare_many(3000, compare_strategic); }

}  // namespace

}  // namespace zermelo
