// What a move is worth elsewhere: how much it counts is measured, and with symmetric states as one it is
// turned back to the position that was asked about.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "games.hpp"
#include "play/mcts/mcts.hpp"

namespace zermelo::play {
namespace {

MctsOptions blending(bool symmetry) {
    MctsOptions options;
    options.grave = true;
    options.blend = 10;
    options.symmetry = symmetry;
    return options;
}

// An arm after so many tries, each of which was worth 0 or 1.
Arm tried(std::uint32_t visits, double mean) {
    Arm arm{.move = 0, .visits = visits};
    arm.sum = arm.squares = visits * mean;
    return arm;
}

TEST(Transfer, IsBiasedWhereElsewhereTellsSomethingElse) {
    Transfer same;
    Transfer other;
    const Count elsewhere{.playouts = 1000, .sum = 500};
    for (int i = 0; i < 200; ++i) {
        same.compare(tried(100, i % 2 == 0 ? 0.45 : 0.55), elsewhere);
        other.compare(tried(100, i % 2 == 0 ? 0.1 : 0.9), elsewhere);
    }
    EXPECT_GT(same.bias(), 0);
    EXPECT_GT(other.bias(), 10 * same.bias());
}

TEST(Transfer, WeighsByTheBias) {
    const Arm arm = tried(10, 0.2);
    const Count elsewhere{.playouts = 1000, .sum = 800};
    // Without exploration the worth is a mean.
    const double trusting = blended_worth(0, 0, arm, 3, &elsewhere);
    const double doubting = blended_worth(0, 1, arm, 3, &elsewhere);
    const double alone = blended_worth(0, 1, arm, 3, nullptr);
    EXPECT_NEAR(trusting, (2 + 800) / 1010.0, 1e-9);
    EXPECT_NEAR(alone, 0.2, 1e-9);
    EXPECT_GT(doubting, alone);
    EXPECT_LT(doubting, 0.3);
    // What is known from elsewhere need not be explored again.
    EXPECT_LT(blended_worth(1, 0, arm, 3, &elsewhere) - trusting,
              blended_worth(1, 0, arm, 3, nullptr) - alone);
}

TEST(TreeWithTransferAndSymmetry, ListsLegalMovesAndNeedsFewerNodes) {
    const Loaded loaded("tic-tac-toe");
    InfoState info(loaded.rules);
    JointMove joint;
    for (const bool bounds : {true, false}) {
        MctsOptions with = blending(true);
        MctsOptions without = blending(false);
        with.bounds = without.bounds = bounds;
        Mcts tree(loaded.rules, with);
        Mcts plain(loaded.rules, without);
        tree.search(loaded.game.machine().initial(), 0, {.playouts = 3000});
        plain.search(loaded.game.machine().initial(), 0, {.playouts = 3000});
        EXPECT_LT(tree.nodes(), plain.nodes());
        Random random(5);
        for (int play = 0; play < 20; ++play) {
            State state = loaded.game.machine().initial();
            for (info.load(state); !info.terminal(); info.load(state)) {
                const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
                if (info.legal(mover).size() > 1) {
                    const std::vector<MoveId> legal = info.legal(mover);
                    tree.search(state, mover, {.playouts = 200});
                    std::set<MoveId> listed;
                    for (const Estimate& one : tree.estimates()) listed.insert(one.move);
                    EXPECT_EQ(listed, std::set<MoveId>(legal.begin(), legal.end()));
                }
                random_moves(info, random, joint);
                info.play(joint, state);
            }
        }
    }
}

State turned(const symmetry::Symmetry& by, const State& state) {
    State image(state.size(), 0);
    for (std::size_t f = 0; f < by.fluent.size(); ++f) {
        if ((state[f / 64] >> (f % 64) & 1) != 0)
            image[by.fluent[f] / 64] |= std::uint64_t{1} << (by.fluent[f] % 64);
    }
    return image;
}

// Wherever exactly one move wins at once, it never fails in any picture of the position.
TEST(TreeWithTransferAndSymmetry, KnowsTheWinInEveryPictureOfAPosition) {
    const Loaded loaded("tic-tac-toe");
    const auto& symmetries = loaded.rules.canonical({}).symmetries();
    ASSERT_EQ(symmetries.size(), 7U);
    InfoState info(loaded.rules);
    JointMove joint;
    Random random(2);
    std::size_t found = 0;
    std::size_t told_apart = 0;
    for (int play = 0; play < 40; ++play) {
        State state = loaded.game.machine().initial();
        for (info.load(state); !info.terminal(); info.load(state)) {
            const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
            const std::vector<MoveId> legal = info.legal(mover);
            std::vector<MoveId> wins;
            for (const MoveId move : legal) {
                info.load(state);
                joint = {info.legal(0).front(), info.legal(1).front()};
                joint[mover] = move;
                State next = state;
                info.play(joint, next);
                info.load(next);
                if (info.terminal() && info.goal(mover) == 100) wins.push_back(move);
            }
            if (legal.size() > 1 && wins.size() == 1) {
                MctsOptions options = blending(true);
                options.bounds = false;
                Mcts tree(loaded.rules, options);
                for (const symmetry::Symmetry& by : symmetries) {
                    tree.search(turned(by, state), mover, {.playouts = 300});
                    const std::vector<Estimate> all = tree.estimates();
                    const auto win = std::ranges::find(all, by.move[mover][wins.front()], &Estimate::move);
                    ASSERT_NE(win, all.end());
                    // A move that wins more slowly may have been tried more often.
                    EXPECT_NEAR(win->mean, 100, 1e-6);
                    EXPECT_NEAR(all.front().mean, 100, 1e-6);
                    if (all.back().mean < 99) ++told_apart;
                    ++found;
                }
            }
            info.load(state);
            random_moves(info, random, joint);
            info.play(joint, state);
        }
    }
    EXPECT_GT(found, 100U);
    EXPECT_GT(told_apart, 100U);
}

}  // namespace
}  // namespace zermelo::play
