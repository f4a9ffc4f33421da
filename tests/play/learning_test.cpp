// Learning by self-play: a trained net beats an untrained one, in the same number of evaluations; a training that is resumed
// is the one that was not interrupted; and all kinds of games can be learned.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "games.hpp"
#include "play/champion/champion.hpp"
#include "play/learn/duel.hpp"
#include "play/learn/known_nets.hpp"
#include "play/learn/training.hpp"
#include "play/mcts/mcts.hpp"
#include "play/player_registry.hpp"
#include "support/run.hpp"

namespace zermelo::play {
namespace {

TrainingOptions small_training() {
    TrainingOptions options;
    options.hidden = 32;
    options.gates = 32;
    options.play.simulations = 48;
    options.play.brief = 16;
    options.plays = 16;
    options.first_plays = 32;
    options.batch = 64;
    options.uses = 4;
    return options;
}

MakePlayer player_with(const GameContext& rules, std::shared_ptr<const learn::Judgement> judgement) {
    return [&rules, judgement](const Settings& settings) {
        ChampionOptions options;
        options.engine.judgement = judgement;
        options.config = {.resolve = 0, .filter = 0, .transfer = 0, .net = 1};
        return make_champion(rules, settings, options, nullptr);
    };
}

void train(Training& training, std::uint64_t games) {
    while (training.games() < games) ASSERT_TRUE(training.round());
}

// Without the filter, which would see wins and losses for it.
void expect_better_by_training(const std::string& name, std::uint64_t games, double least) {
    const Loaded loaded(name);
    Training training(loaded.rules, small_training());
    const auto before = training.judgement();
    train(training, games);
    const DuelScore score = duel(loaded.rules, player_with(loaded.rules, training.judgement()),
                                 player_with(loaded.rules, before), {.games = 60, .playouts = 16});
    EXPECT_EQ(score.games, 60U);
    EXPECT_GE(score.score, least) << name;
}

TEST(Training, BeatsItsUntrainedSelf) {
    expect_better_by_training("breakthrough-small", 320, 0.7);
    expect_better_by_training("connect-four", 1600, 0.7);
}

TEST(Training, LearnsSimultaneousMovesAndDice) {
    expect_better_by_training("connect-four-simultaneous", 320, 0.55);
    expect_better_by_training("einstein", 320, 0.5);
}

TEST(Training, IsTheSameForTheSameSeed) {
    const Loaded loaded("breakthrough-small");
    const auto learned = [&](std::uint64_t seed) {
        TrainingOptions options = small_training();
        options.seed = seed;
        Training training(loaded.rules, options);
        train(training, 64);
        return training.judgement()->network().weights().rows;
    };
    const auto one = learned(1);
    EXPECT_EQ(one, learned(1));
    EXPECT_NE(one, learned(2));
}

TEST(Training, GoesOnWhereItsCheckpointEnds) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("training");
    const Loaded loaded("breakthrough-small");
    Training whole(loaded.rules, small_training());
    train(whole, 96);
    {
        Training first(loaded.rules, small_training());
        train(first, 64);
        first.save(file);
    }
    Training second(loaded.rules, small_training());
    second.resume(file);
    EXPECT_EQ(second.games(), 64U);
    train(second, 96);
    EXPECT_EQ(whole.positions(), second.positions());
    EXPECT_EQ(whole.judgement()->network().weights().rows, second.judgement()->network().weights().rows);
    EXPECT_EQ(whole.judgement()->network().weights().policy, second.judgement()->network().weights().policy);
}

TEST(Training, RefusesCheckpointsOfOtherTrainings) {
    const TemporaryDirectory scratch;
    const std::string file = scratch.path("training");
    const Loaded loaded("tic-tac-toe");
    Training training(loaded.rules, small_training());
    train(training, 32);
    training.save(file);
    TrainingOptions other = small_training();
    other.hidden = 64;
    EXPECT_THROW(Training(loaded.rules, other).resume(file), Error);
    const Loaded another("breakthrough-small");
    EXPECT_THROW(Training(another.rules, small_training()).resume(file), Error);
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    Random random(1);
    for (int i = 0; i < 50; ++i) {
        std::string damaged = whole;
        if (i % 2 == 0)
            damaged.resize(random.below(whole.size()));
        else
            damaged[random.below(whole.size())] ^= static_cast<char>(1 + random.below(255));
        std::ofstream(file, std::ios::binary | std::ios::trunc) << damaged;
        EXPECT_THROW(training.resume(file), Error) << "mutation " << i;
    }
    // What was refused has changed nothing.
    EXPECT_EQ(training.games(), 32U);
}

TEST(Training, RefusesHiddenMoves) {
    const Loaded loaded("kuhn-poker");
    EXPECT_THROW(Training(loaded.rules, small_training()), Error);
}

TEST(Training, RunsInGamesOfEveryKind) {
    for (const std::string name :
         {"eight-puzzle", "connect-four-simultaneous", "free-for-all", "einstein", "hex-small"}) {
        const Loaded loaded(name);
        TrainingOptions options = small_training();
        options.first_plays = options.plays = 4;
        options.play.most_moves = 100;
        Training training(loaded.rules, options);
        EXPECT_TRUE(training.round()) << name;
        EXPECT_TRUE(training.round()) << name;
        EXPECT_EQ(training.games(), 8U);
    }
}

TEST(SearchPlay, LessonsArePositionsWithValuesAndPolicies) {
    for (const std::string name : {"breakthrough-small", "connect-four-simultaneous", "einstein"}) {
        const Loaded loaded(name);
        std::size_t policies = 0;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            const auto lessons =
                search_play(loaded.rules, nullptr, nullptr, {.simulations = 32, .brief = 8}, seed);
            EXPECT_FALSE(lessons.empty());
            gdl::Runner runner(loaded.rules.machine());
            for (const Lesson& lesson : lessons) {
                runner.load(lesson.state);
                EXPECT_FALSE(runner.terminal());
                for (const float value : lesson.values) EXPECT_TRUE(value >= 0 && value <= 1) << value;
                if (loaded.rules.opposed()) {
                    EXPECT_NEAR(lesson.values[0] + lesson.values[1], 1, 1e-4);
                }
                for (const auto& target : lesson.policies) {
                    ++policies;
                    float sum = 0;
                    std::vector<MoveId> legal;
                    runner.legal(target.role, legal);
                    for (std::size_t m = 0; m < target.moves.size(); ++m) {
                        sum += target.shares[m];
                        EXPECT_NE(std::ranges::find(legal, target.moves[m]), legal.end());
                    }
                    EXPECT_NEAR(sum, 1, 1e-4);
                }
            }
        }
        EXPECT_GT(policies, 4U) << name;
    }
}

// The bounds are those of the rules, whatever a net says: an untrained one finds what is proven.
TEST(Mcts, ProvesWithANetWhatItProvesWithout) {
    const Loaded loaded("tic-tac-toe");
    Training training(loaded.rules, small_training());
    MctsOptions options;
    options.judgement = training.judgement();
    Mcts tree(loaded.rules, options);
    (void)tree.search(loaded.rules.machine().initial(), 0, {.playouts = 40'000});
    EXPECT_TRUE(tree.solved());
    EXPECT_EQ(tree.bounds(), (std::pair<double, double>{50, 50}));
}

TEST(Champion, PlaysLegallyWithEveryUseOfANet) {
    for (const std::string name :
         {"breakthrough-small", "connect-four-simultaneous", "einstein", "hex-small"}) {
        const TemporaryDirectory scratch;
        const std::string file = scratch.path("a.net");
        const Loaded loaded(name);
        Training training(loaded.rules, small_training());
        learn::write_net(file, training.form().fingerprint,
                         learn::net_of(*training.judgement(), training.form(), 0));
        for (const std::string use :
             {"net-use=1", "net-use=2", "net-use=1,resolve=50", "net-use=1,symmetry=1,threads=2"}) {
            Shared shared;
            const Spec spec = read_spec("zermelo:adapt=0,net=" + file + "," + use);
            const MakePlayer make = [&](const Settings& settings) {
                return make_player(spec, loaded.rules, settings, shared);
            };
            const DuelScore score =
                duel(loaded.rules, make, make, {.games = 2, .playouts = 40, .most_moves = 30});
            EXPECT_EQ(score.games, 2U) << name << " " << use;
        }
    }
}

TEST(KnownNets, AreFoundInTheCacheFolderUnderOtherNames) {
    const TemporaryDirectory scratch;
    const char* before = std::getenv("XDG_CACHE_HOME");
    const std::string old = before == nullptr ? "" : before;
    setenv("XDG_CACHE_HOME", scratch.path("cache").c_str(), 1);
    const Loaded loaded("breakthrough-small");
    EXPECT_EQ(load_judgement(loaded.rules, ""), nullptr);
    Training training(loaded.rules, small_training());
    const std::string file = learn::cache_file(training.form().fingerprint);
    EXPECT_EQ(file.find(scratch.path("cache")), 0U);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    learn::write_net(file, training.form().fingerprint,
                     learn::net_of(*training.judgement(), training.form(), 0));
    EXPECT_NE(load_judgement(loaded.rules, ""), nullptr);
    EXPECT_EQ(load_judgement(Loaded("tic-tac-toe").rules, ""), nullptr);
    EXPECT_THROW((void)load_judgement(Loaded("tic-tac-toe").rules, file), Error);
    std::ofstream(file) << "no net";
    EXPECT_EQ(load_judgement(loaded.rules, ""), nullptr);
    EXPECT_THROW((void)load_judgement(loaded.rules, file), Error);
    if (old.empty())
        unsetenv("XDG_CACHE_HOME");
    else
        setenv("XDG_CACHE_HOME", old.c_str(), 1);
}

}  // namespace
}  // namespace zermelo::play
