// Learning in the start clock: what is learned from a fixed number of plays helps, and is the same for the same seed; where
// there is too little time or memory nothing is learned; and no net is used that has not won.

#include "play/learn/start_learning.hpp"

#include <gtest/gtest.h>

#include "games.hpp"
#include "play/champion/champion.hpp"
#include "play/learn/duel.hpp"

namespace zermelo::play {
namespace {

constexpr std::size_t start_memory = std::size_t{64} << 20;

std::shared_ptr<const learn::Judgement> learned_at_start(const GameContext& rules, std::uint64_t games,
                                                         std::uint64_t seed = 1,
                                                         std::size_t bytes = start_memory) {
    StartLearningOptions options;
    options.least_games = options.most_games = games;
    options.training.seed = seed;
    StartLearning learning(rules, options);
    EXPECT_FALSE(learning.done());
    learning.run({}, 1, bytes);
    EXPECT_TRUE(learning.done());
    return learning.judgement();
}

MakePlayer player_of_net(const GameContext& rules, const std::shared_ptr<const learn::Judgement>& judgement) {
    return [&rules, judgement](const Settings& settings) {
        ChampionOptions options;
        options.engine.judgement = judgement;
        options.config = {.resolve = 0, .net = judgement ? 1U : 0U};
        return make_champion(rules, settings, options, nullptr);
    };
}

TEST(StartLearning, HelpsAfterSomeHundredPlays) {
    const Loaded loaded("breakthrough-small");
    const auto net = learned_at_start(loaded.rules, 400);
    ASSERT_NE(net, nullptr);
    const DuelScore score = duel(loaded.rules, player_of_net(loaded.rules, net),
                                 player_of_net(loaded.rules, nullptr), {.games = 60, .playouts = 24});
    EXPECT_EQ(score.games, 60U);
    EXPECT_GE(score.score, 0.6);
}

TEST(StartLearning, IsTheSameForTheSameSeed) {
    const Loaded loaded("breakthrough-small");
    const auto one = learned_at_start(loaded.rules, 96);
    ASSERT_NE(one, nullptr);
    EXPECT_EQ(one->network().weights().rows, learned_at_start(loaded.rules, 96)->network().weights().rows);
    EXPECT_NE(one->network().weights().rows, learned_at_start(loaded.rules, 96, 2)->network().weights().rows);
}

TEST(StartLearning, GivesNoNetWhereThereAreTooFewPlays) {
    const Loaded loaded("breakthrough-small");
    StartLearning learning(loaded.rules, {.least_games = 65, .most_games = 64});
    learning.run({}, 1, start_memory);
    EXPECT_EQ(learning.games(), 64U);
    EXPECT_EQ(learning.judgement(), nullptr);
    // It is over once and for all.
    learning.run({}, 1, start_memory);
    EXPECT_EQ(learning.games(), 64U);
}

TEST(StartLearning, GivesUpAtOnceWhereTheClockIsTooShort) {
    const Loaded loaded("breakthrough-small");
    StartLearningOptions options;
    options.least_games = 1'000'000'000;
    StartLearning learning(loaded.rules, options);
    learning.run(Deadline::in(3600), 1, start_memory);
    EXPECT_TRUE(learning.done());
    EXPECT_EQ(learning.games(), 0U);
    EXPECT_EQ(learning.judgement(), nullptr);

    StartLearning late(loaded.rules);
    late.run(Deadline::in(0), 1, start_memory);
    EXPECT_FALSE(late.done());
    EXPECT_EQ(late.judgement(), nullptr);
}

TEST(StartLearning, StaysWithinItsMemory) {
    const Loaded loaded("breakthrough-small");
    EXPECT_EQ(learned_at_start(loaded.rules, 64, 1, std::size_t{1} << 20), nullptr);

    TrainingOptions options = brief_training();
    options.memory = std::size_t{100} << 10;
    Training training(loaded.rules, options);
    for (int round = 0; round < 4; ++round) {
        ASSERT_TRUE(training.round());
        EXPECT_LE(training.bytes(), options.memory);
    }
    EXPECT_GT(training.bytes(), options.memory / 2);
}

TEST(StartLearning, IsForTwoOpponentsWhoSeeEverything) {
    for (const std::string name : {"breakthrough-small", "connect-four-simultaneous", "einstein"})
        EXPECT_TRUE(StartLearning::supports(Loaded(name).rules)) << name;
    for (const std::string name : {"kuhn-poker", "eight-puzzle", "free-for-all"})
        EXPECT_FALSE(StartLearning::supports(Loaded(name).rules)) << name;
}

TEST(ConfigRacing, UseNoNetThatHasNotWon) {
    const Loaded loaded("subtraction");
    const auto net = learned_at_start(loaded.rules, 64);
    ASSERT_NE(net, nullptr);
    ConfigRacing racing(loaded.rules, {}, {}, {});
    racing.offer(net);
    EXPECT_EQ(racing.judgement(), net);
    EXPECT_FALSE(racing.decided());
    EXPECT_EQ(racing.best().net, 0U);
    // Both play this game perfectly, so the one with a net cannot be better.
    for (int i = 0; i < 400 && !racing.decided(); ++i) racing.run(Deadline::in(0.3), 0.01);
    ASSERT_TRUE(racing.decided());
    EXPECT_EQ(racing.best().net, 0U);
    // What was decided about one net is not asked again about another.
    racing.offer(learned_at_start(loaded.rules, 64, 2));
    EXPECT_EQ(racing.judgement(), net);
    EXPECT_TRUE(racing.decided());
}

TEST(ConfigRacing, LeaveANetThatWasAskedFor) {
    const Loaded loaded("subtraction");
    ChampionEngineOptions options;
    options.judgement = learned_at_start(loaded.rules, 64);
    const ChampionConfig with_net{.net = 1};
    ConfigRacing racing(loaded.rules, options, with_net, {.drop_net = false});
    EXPECT_GT(racing.best().net, 0U);
    for (int i = 0; i < 400 && !racing.decided(); ++i) racing.run(Deadline::in(0.3), 0.01);
    ASSERT_TRUE(racing.decided());
    EXPECT_GT(racing.best().net, 0U);
}

}  // namespace
}  // namespace zermelo::play
