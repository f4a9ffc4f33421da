// Monte Carlo tree search: what is proven is right, what is estimated comes close, memory and deadlines hold.

#include "play/tree.hpp"

#include <gtest/gtest.h>

#include <map>

#include "games.hpp"
#include "play/uct.hpp"

namespace zermelo::play {
namespace {

// The exact value of a state for all roles in a game of turns, straight from the rules.
class Minimax {
public:
    explicit Minimax(const Rules& rules) : rules_(rules), scene_(rules) {}

    std::vector<double> value(const State& state) {
        if (const auto known = values_.find(state); known != values_.end()) return known->second;
        scene_.load(state);
        std::vector<double> best;
        if (scene_.terminal()) {
            for (std::size_t r = 0; r < rules_.roles(); ++r) best.push_back(scene_.goal(r));
            return values_[state] = best;
        }
        JointMove joint;
        std::size_t mover = rules_.roles();
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            joint.push_back(scene_.legal(r).front());
            if (scene_.legal(r).size() > 1) mover = r;
        }
        const std::size_t chooser = mover == rules_.roles() ? 0 : mover;
        const std::vector<MoveId> moves = scene_.legal(chooser);
        for (const MoveId move : moves) {
            scene_.load(state);
            joint[chooser] = move;
            State next = state;
            scene_.play(joint, next);
            const auto one = value(next);
            if (best.empty())
                best = one;
            else if (rules_.chance(chooser))
                for (std::size_t r = 0; r < best.size(); ++r) best[r] += one[r];
            else if (one[chooser] > best[chooser])
                best = one;
        }
        if (rules_.chance(chooser))
            for (double& v : best) v /= static_cast<double>(moves.size());
        return values_[state] = best;
    }

private:
    const Rules& rules_;
    Scene scene_;
    std::map<State, std::vector<double>> values_;
};

TEST(Tree, ProvesTicTacToeAndPlaysItPerfectly) {
    const gdl::Game game(shipped("tic-tac-toe"));
    const Rules rules(game);
    Minimax minimax(rules);
    for (const bool grave : {false, true}) {
        Tree tree(rules, {.grave = grave});
        // Along random plays: the move that comes first is a best one once the tree says solved.
        Random random(7);
        for (int play = 0; play < 20; ++play) {
            Scene scene(rules);
            State state = rules.machine().initial();
            JointMove joint;
            for (scene.load(state); !scene.terminal(); scene.load(state)) {
                const std::size_t mover = scene.legal(0).size() > 1 ? 0 : 1;
                if (scene.legal(mover).size() > 1) {
                    tree.search(state, mover, {.playouts = 500'000});
                    ASSERT_TRUE(tree.solved());
                    const auto best = tree.estimates().front();
                    EXPECT_TRUE(best.proven);
                    EXPECT_NEAR(best.mean, minimax.value(state)[mover], 0.01);
                }
                scene.load(state);
                random_moves(scene, random, joint);
                scene.play(joint, state);
            }
        }
    }
}

TEST(Tree, BoundsAreSoundWithDiceManyPlayersAndSimultaneousMoves) {
    // Bounds claim what a role can be sure of; in games of turns with chance these are the exact values.
    for (const char* name : {"nim", "subtraction", "four-in-turn", "tic-tac-toe-2x2", "breakthrough-small"}) {
        const gdl::Game game(shipped(name));
        const Rules rules(game);
        if (!rules.turns() || rules.seats().size() != 2) continue;
        const bool small = std::string(name) != "breakthrough-small";
        Tree tree(rules, {});
        tree.search(rules.machine().initial(), 0, {.playouts = 20'000});
        if (!small) continue;
        Minimax minimax(rules);
        EXPECT_TRUE(tree.solved()) << name;
        EXPECT_NEAR(tree.estimates().front().mean, minimax.value(rules.machine().initial())[0], 0.01) << name;
    }
}

TEST(Tree, OneThreadAndASeedGiveTheSameSearchTwice) {
    const gdl::Game game(shipped("breakthrough-small"));
    const Rules rules(game);
    const auto run = [&](std::uint64_t seed) {
        Tree tree(rules, {.seed = seed});
        tree.search(rules.machine().initial(), 0, {.playouts = 3000});
        std::vector<std::pair<MoveId, double>> all;
        for (const Estimate& one : tree.estimates()) all.emplace_back(one.move, one.mean);
        return all;
    };
    EXPECT_EQ(run(1), run(1));
    EXPECT_NE(run(1), run(2));
}

TEST(Tree, ForgetsWhatIsOldWhenMemoryIsUsedUp) {
    const gdl::Game game(shipped("connect-four"));
    const Rules rules(game);
    constexpr std::size_t memory = std::size_t{2} << 20;
    Tree tree(rules, {.memory = memory});
    Scene scene(rules);
    State state = rules.machine().initial();
    std::size_t nodes = 0;
    JointMove joint;
    for (int move = 0; move < 12; ++move) {
        scene.load(state);
        ASSERT_FALSE(scene.terminal());
        const std::size_t mover = scene.legal(0).size() > 1 ? 0 : 1;
        tree.search(state, mover, {.playouts = 100'000});
        EXPECT_LE(tree.bytes(), memory + (std::size_t{64} << 10));
        nodes = std::max(nodes, tree.nodes());
        EXPECT_GT(tree.estimates().front().visits, 100U);  // it goes on searching
        scene.load(state);
        joint = {scene.legal(0).front(), scene.legal(1).front()};
        joint[mover] = tree.estimates().front().move;
        scene.play(joint, state);
    }
    EXPECT_GT(nodes, 1000U);
}

TEST(Tree, SeveralThreadsAgreeOnWhatIsProven) {
    const gdl::Game game(shipped("tic-tac-toe"));
    const Rules rules(game);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Tree tree(rules, {.threads = 3, .seed = seed});
        tree.search(rules.machine().initial(), 0, {.playouts = 2'000'000});
        EXPECT_TRUE(tree.solved());
        EXPECT_NEAR(tree.estimates().front().mean, 50, 0.01);
    }
}

TEST(Uct, KnowsWhatInformationIsWorth) {
    // Monty Hall: whoever believes knows that switching wins two times out of three.
    const gdl::Game game(shipped("monty-hall"));
    const Rules rules(game);
    for (const bool grave : {false, true}) {
        Settings settings;
        settings.role = rules.seats().front();
        const auto player = make_uct(rules, settings, {.grave = grave});
        Scene scene(rules);
        Position position = scene.initial();
        Random random(3);
        JointMove joint;
        for (scene.load(position.state); !scene.terminal(); scene.load(position.state)) {
            random_moves(scene, random, joint);
            joint[settings.role] = player->choose({.playouts = 20'000});
            if (game.move_text(settings.role, joint[settings.role]) == "switch" ||
                game.move_text(settings.role, joint[settings.role]) == "stay") {
                EXPECT_EQ(game.move_text(settings.role, joint[settings.role]), "switch");
                EXPECT_NEAR(player->thought().estimates.front().mean, 66.7, 2);
            }
            scene.play(joint, position);
            player->see(
                {.joint = {}, .own = joint[settings.role], .percepts = scene.percepts(settings.role)});
        }
    }
}

}  // namespace
}  // namespace zermelo::play
