// Many states stepped by a caller's moves: every lane goes where a Runner goes with the same moves, and says the same.

#include "gdl/circuit/bitsliced_batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

struct BatchCase {
    const char* file;
    std::size_t states;
    std::size_t lanes;
};

class EveryBatch : public testing::TestWithParam<BatchCase> {};

std::vector<std::size_t> first_actions(const Network& network) {
    std::vector<std::size_t> first = {0};
    for (const auto& moves : network.moves) first.push_back(first.back() + moves.size());
    return first;
}

// One state of a batch beside a Runner.
class Follower {
public:
    Follower(const Game& game, std::uint64_t seed)
        : machine_(game.machine()), runner_(machine_), random_(seed), state_(machine_.initial()) {
        runner_.load(state_);
    }

    // By role, an action for each role with a choice, and -1 for the others.
    std::vector<std::int32_t> choose(const std::vector<std::size_t>& first) {
        std::vector<std::int32_t> actions(machine_.roles(), -1);
        joint_.clear();
        if (runner_.terminal()) return actions;
        for (std::size_t r = 0; r < machine_.roles(); ++r) {
            runner_.legal(r, legal_);
            joint_.push_back(legal_.at(random_.below(legal_.size())));
            if (legal_.size() > 1) actions[r] = static_cast<std::int32_t>(first[r] + joint_.back());
        }
        return actions;
    }
    void step() {
        if (runner_.terminal()) return;
        runner_.play(joint_);
        runner_.next(state_);
        runner_.load(state_);
    }
    // By action: what legal() of the batch says, the first role being a player.
    [[nodiscard]] std::vector<std::uint8_t> legal(const std::vector<std::size_t>& first) {
        std::vector<std::uint8_t> all(first.back(), 0);
        bool choice = false;
        for (std::size_t r = 0; r < machine_.roles() && !runner_.terminal(); ++r) {
            runner_.legal(r, legal_);
            if (legal_.size() == 1) continue;
            choice = true;
            for (const MoveId move : legal_) all[first[r] + move] = 1;
        }
        if (choice || runner_.terminal()) return all;
        const bool chance_is_first =
            machine_.network().terms.symbol(machine_.network().roles[0]) == kw_random;
        const std::size_t player = chance_is_first ? 1 : 0;
        runner_.legal(player, legal_);
        all[first[player] + legal_.front()] = 1;
        return all;
    }
    [[nodiscard]] const State& state() const { return state_; }
    [[nodiscard]] bool over() const { return runner_.terminal(); }
    [[nodiscard]] int goal(std::size_t role) const { return runner_.goal(role); }

private:
    const Machine& machine_;
    Runner runner_;
    Random random_;
    State state_;
    JointMove joint_;
    std::vector<MoveId> legal_;
};

TEST_P(EveryBatch, GoesLaneByLaneWhereARunnerGoes) {
    const auto [file, states, lanes] = GetParam();
    const Game game(shipped(file));
    const auto first = first_actions(game.machine().network());
    const std::size_t roles = game.machine().roles();
    const auto batch = BitslicedBatch::make(game.machine(), states, 1, lanes);
    std::vector<Follower> followers;
    for (std::size_t i = 0; i < states; ++i) followers.emplace_back(game, i + 1);
    std::vector<std::uint8_t> legal(states * first.back());
    std::vector<std::uint8_t> over(states);
    std::vector<std::int16_t> goals(states * roles);
    for (int step = 0; step < 40; ++step) {
        batch->legal(legal);
        batch->over(over);
        batch->goals(goals);
        std::vector<std::int32_t> actions;
        for (std::size_t i = 0; i < states; ++i) {
            ASSERT_EQ(batch->state(i), followers[i].state()) << file << " state " << i << " step " << step;
            ASSERT_EQ(over[i] != 0, followers[i].over());
            const auto expected = followers[i].legal(first);
            ASSERT_TRUE(std::equal(expected.begin(), expected.end(), legal.begin() + i * first.back()))
                << file << " state " << i << " step " << step;
            for (std::size_t r = 0; r < roles; ++r)
                ASSERT_EQ(goals[i * roles + r], over[i] != 0 ? followers[i].goal(r) : -1);
            const auto chosen = followers[i].choose(first);
            actions.insert(actions.end(), chosen.begin(), chosen.end());
            followers[i].step();
        }
        batch->step(actions, roles);
    }
}

INSTANTIATE_TEST_SUITE_P(Batch, EveryBatch,
                         testing::Values(BatchCase{"tic-tac-toe", 700, 0}, BatchCase{"tic-tac-toe", 130, 128},
                                         BatchCase{"connect-four", 257, 256},
                                         BatchCase{"connect-four-simultaneous", 70, 512},
                                         BatchCase{"dice-race", 100, 0}, BatchCase{"kuhn-poker", 90, 128},
                                         BatchCase{"eight-puzzle", 33, 0}));

TEST(Batch, DrawsLegalActionsAndBeginsAgain) {
    const Game game(shipped("tic-tac-toe"));
    constexpr std::size_t states = 300;
    const auto batch = BitslicedBatch::make(game.machine(), states, 7);
    std::vector<std::int32_t> actions(states);
    std::vector<std::int8_t> movers(states);
    for (int ply = 0; ply < 9; ++ply) {
        batch->movers(movers);
        for (const std::int8_t mover : movers)
            EXPECT_TRUE(mover == ply % 2 || mover == BitslicedBatch::nobody);
        batch->random_actions(actions, 1);
        batch->step(actions, 1);
    }
    batch->movers(movers);
    EXPECT_EQ(std::ranges::count(movers, BitslicedBatch::nobody), 300);
    EXPECT_EQ(batch->restart(), states);
    EXPECT_EQ(batch->restart(), 0U);
    EXPECT_EQ(batch->state(299), game.machine().initial());
}

TEST(Batch, RefusesWhatIsIllegalAndStaysAsItWas) {
    const Game game(shipped("tic-tac-toe"));
    const auto batch = BitslicedBatch::make(game.machine(), 3, 1);
    std::vector<std::int32_t> actions = {0, 0, -1};
    EXPECT_THROW(batch->step(actions, 1), Error);  // x has a choice, and no action in the last state
    actions = {0, 0, 1000};
    EXPECT_THROW(batch->step(actions, 1), Error);
    EXPECT_EQ(batch->state(0), game.machine().initial());
    actions = {0, 0, 0};
    batch->step(actions, 1);
    EXPECT_THROW(batch->step(actions, 1), Error);  // it is the turn of o
    EXPECT_THROW((void)BitslicedBatch::make(game.machine(), 0, 1), Error);
}

}  // namespace
}  // namespace zermelo::gdl
