#include "play/learn/self_play.hpp"

#include <gtest/gtest.h>

#include "games.hpp"
#include "gdl/stepper.hpp"

namespace zermelo::play {
namespace {

// States of random plays that are not over.
std::vector<State> states_of(const GameContext& rules, std::size_t plays) {
    std::vector<State> states;
    InfoState info(rules);
    Random random(3);
    JointMove joint;
    for (std::size_t i = 0; i < plays; ++i) {
        State state = rules.machine().initial();
        for (info.load(state); !info.terminal(); info.load(state)) {
            states.push_back(state);
            random_moves(info, random, joint);
            info.play(joint, state);
        }
    }
    return states;
}

TEST(ValueNetwork, SaysFirstWhatRandomPlaysTaught) {
    const Loaded loaded("einstein");
    const game::LearnedHeuristic learned = game::learn(loaded.game.machine(), {.playouts = 200});
    const ValueNetwork network(learned);
    for (const State& state : states_of(loaded.rules, 3))
        EXPECT_NEAR(100 * network.value(state), learned.payoff(state, 0), 1e-2);
    EXPECT_EQ(ValueNetwork().value(loaded.game.machine().initial()), 0.5);
}

// Either of two fluents is worth something, both together are not: no weighted sum says that.
TEST(ValueNetwork, LearnsWhatNoSumOfWeightsSays) {
    game::LearnedHeuristic nothing;
    nothing.of_player.resize(1);
    nothing.of_player.front().of_fluent.assign(2, 0);
    ValueNetwork network(nothing);
    network.begin(5);
    for (int round = 0; round < 20'000; ++round) {
        for (std::uint64_t both = 0; both < 4; ++both) network.learn({both}, both == 1 || both == 2 ? 1 : 0);
    }
    EXPECT_LT(network.value({0}), 0.1);
    EXPECT_GT(network.value({1}), 0.9);
    EXPECT_GT(network.value({2}), 0.9);
    EXPECT_LT(network.value({3}), 0.1);
}

TEST(ValueNetwork, TellsWhatItSaidBeforeItLearned) {
    const Loaded loaded("tic-tac-toe");
    ValueNetwork network(game::learn(loaded.game.machine(), {.playouts = 50}));
    network.begin(1);
    const State& start = loaded.game.machine().initial();
    const double before = network.value(start);
    EXPECT_EQ(network.learn(start, 1), before);
    EXPECT_GT(network.value(start), before);
}

// What the first seat scores when it moves by one network and the second by another, one step ahead.
double match(const GameContext& rules, const ValueNetwork& first, const ValueNetwork& second,
             Random& random) {
    gdl::Stepper stepper(rules.game());
    stepper.load(rules.machine().initial());
    std::vector<MoveId> legal;
    for (std::size_t moves = 0; !stepper.terminal(); ++moves) {
        std::size_t mover = 0;
        while (mover + 1 < rules.roles() && stepper.choices(mover) == 1) ++mover;
        stepper.legal(mover, legal);
        MoveId taken = legal[random.below(legal.size())];
        if (moves > 1 && !rules.chance(mover)) {
            const bool ours = mover == rules.seats().front();
            double best = -1;
            for (const MoveId move : legal) {
                stepper.play(mover, move);
                double value = stepper.terminal() ? 0.01 * stepper.goal(rules.seats().front())
                                                  : (ours ? first : second).value(stepper.state());
                stepper.undo();
                if (!ours) value = 1 - value;
                if (value > best) {
                    best = value;
                    taken = move;
                }
            }
        }
        stepper.play(mover, taken);
    }
    return 0.01 * stepper.goal(rules.seats().front());
}

// The plays that teach depend on the width of the machine's words, so the games are evaluated together.
TEST(SelfPlay, MakesABetterPlayer) {
    double total = 0;
    double all = 0;
    for (const std::string name : {"breakthrough-small", "dice-breakthrough", "connect-four"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        const ValueNetwork before(game::learn(loaded.game.machine(), {.playouts = 1000}));
        ValueNetwork after = before;
        EXPECT_EQ(self_play(loaded.rules, after, {.most_matches = 3000}), 3000U);
        constexpr int pairs = 150;
        double score = 0;
        Random random(9);
        for (int i = 0; i < pairs; ++i)
            score +=
                match(loaded.rules, after, before, random) + 1 - match(loaded.rules, before, after, random);
        EXPECT_GT(score, pairs);
        total += score;
        all += 2 * pairs;
    }
    EXPECT_GT(total, 0.56 * all);  // more than three deviations
}

TEST(SelfPlay, IsTheSameWithTheSameSeed) {
    const Loaded loaded("einstein");
    const ValueNetwork before(game::learn(loaded.game.machine(), {.playouts = 100}));
    ValueNetwork one = before;
    ValueNetwork same = before;
    ValueNetwork other = before;
    self_play(loaded.rules, one, {.most_matches = 50, .seed = 4});
    self_play(loaded.rules, same, {.most_matches = 50, .seed = 4});
    self_play(loaded.rules, other, {.most_matches = 50, .seed = 5});
    const State& start = loaded.game.machine().initial();
    EXPECT_EQ(one.value(start), same.value(start));
    EXPECT_NE(one.value(start), other.value(start));
}

TEST(SelfPlay, LeavesOtherGamesAlone) {
    const Loaded loaded("rock-paper-scissors");
    const ValueNetwork before(game::learn(loaded.game.machine(), {.playouts = 50}));
    ValueNetwork network = before;
    EXPECT_EQ(self_play(loaded.rules, network, {.most_matches = 5}), 0U);
    const State& start = loaded.game.machine().initial();
    EXPECT_EQ(network.value(start), before.value(start));
}

TEST(SelfPlay, EndsInTime) {
    const Loaded loaded("connect-four");
    ValueNetwork network(game::learn(loaded.game.machine(), {.playouts = 50}));
    EXPECT_EQ(self_play(loaded.rules, network, {.seconds = 0}), 0U);
}

}  // namespace
}  // namespace zermelo::play
