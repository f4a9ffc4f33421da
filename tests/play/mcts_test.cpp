// Monte Carlo tree search: what is proven is right, what is estimated comes close, memory and deadlines hold.

#include "play/mcts/mcts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "games.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/mcts/uct.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::play {
namespace {

// What a role can be sure of against all others, straight from the rules: the best of its own moves, the
// worst of the others', and the mean where chance moves. One role moves at a time.
class Security {
public:
    Security(const GameContext& rules, std::size_t role) : rules_(rules), role_(role), info_(rules) {}

    double value(const State& state) {
        if (const auto known = values_.find(state); known != values_.end()) return known->second;
        info_.load(state);
        if (info_.terminal()) return values_[state] = info_.goal(role_);
        JointMove joint;
        std::size_t mover = 0;
        for (std::size_t r = 0; r < rules_.roles(); ++r) {
            joint.push_back(info_.legal(r).front());
            if (info_.legal(r).size() > 1) mover = r;
        }
        const std::vector<MoveId> moves = info_.legal(mover);
        double best = mover == role_ ? 0 : 100;
        double sum = 0;
        for (const MoveId move : moves) {
            info_.load(state);
            joint[mover] = move;
            State next = state;
            info_.play(joint, next);
            const double one = value(next);
            best = mover == role_ ? std::max(best, one) : std::min(best, one);
            sum += one;
        }
        return values_[state] = rules_.chance(mover) ? sum / static_cast<double>(moves.size()) : best;
    }

private:
    const GameContext& rules_;
    std::size_t role_;
    InfoState info_;
    std::map<State, double> values_;
};

TEST(Mcts, ProvesTicTacToeAndPlaysItPerfectly) {
    const gdl::Game game(shipped("tic-tac-toe"));
    const GameContext rules(game);
    std::vector<Security> exact;
    for (std::size_t r = 0; r < rules.roles(); ++r) exact.emplace_back(rules, r);
    for (const bool grave : {false, true}) {
        Mcts tree(rules, {.grave = grave});
        // Along random plays: the move that comes first is a best one once the tree says solved.
        Random random(7);
        for (int play = 0; play < 20; ++play) {
            InfoState info(rules);
            State state = rules.machine().initial();
            JointMove joint;
            for (info.load(state); !info.terminal(); info.load(state)) {
                const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
                if (info.legal(mover).size() > 1) {
                    tree.search(state, mover, {.playouts = 500'000});
                    ASSERT_TRUE(tree.solved());
                    const auto best = tree.estimates().front();
                    EXPECT_TRUE(best.proven);
                    EXPECT_NEAR(best.mean, exact[mover].value(state), 0.01);
                }
                info.load(state);
                random_moves(info, random, joint);
                info.play(joint, state);
            }
        }
    }
}

TEST(Mcts, BoundsHoldInRandomGamesWithAndWithoutDice) {
    std::size_t solved = 0;
    std::size_t with_dice = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        std::string text = RandomGdl(seed).text();
        const bool dice = seed % 3 == 0;
        if (dice) {
            // The second role becomes chance.
            for (std::size_t at = 0; (at = text.find(" b", at)) != std::string::npos; ++at) {
                const char after = text[at + 2];
                if (after == ' ' || after == ')') text.replace(at, 2, " random");
            }
        }
        std::optional<gdl::Game> game;
        try {
            game.emplace(gdl::parse(text, "random"));
        } catch (const Error&) {
            continue;
        }
        const GameContext rules(*game);
        const std::size_t role = rules.seats()[seed % rules.seats().size()];
        InfoState info(rules);
        info.load(rules.machine().initial());
        if (info.terminal()) continue;
        const double exact = Security(rules, role).value(rules.machine().initial());
        for (const std::uint64_t playouts : {20, 300, 30'000}) {
            Mcts tree(rules, {.grave = seed % 2 == 0,
                              .leaves = 1 + seed % 9,
                              .threads = seed % 2 == 0 ? 1U : 2U,
                              .seed = seed});
            tree.search(rules.machine().initial(), role, {.playouts = playouts});
            const auto [low, high] = tree.bounds();
            EXPECT_LE(low, exact + 0.01) << text;
            EXPECT_GE(high, exact - 0.01) << text;
            if (!tree.solved()) continue;
            EXPECT_NEAR(tree.estimates().front().mean, exact, 0.01) << text;
            ++solved;
            if (dice) ++with_dice;
        }
    }
    EXPECT_GT(solved, 150U);
    EXPECT_GT(with_dice, 20U);
}

// With symmetric states as one, the moves must still be those of the position that was asked about.
TEST(Mcts, SymmetricStatesAreOneAndMovesAreTurnedBack) {
    const gdl::Game game(shipped("tic-tac-toe"));
    const GameContext rules(game);
    EXPECT_EQ(rules.canonical({}).size(), 8U);
    std::vector<Security> exact;
    for (std::size_t r = 0; r < rules.roles(); ++r) exact.emplace_back(rules, r);
    Mcts plain(rules, {});
    plain.search(rules.machine().initial(), 0, {.playouts = 500'000});
    Mcts tree(rules, {.symmetry = true});
    tree.search(rules.machine().initial(), 0, {.playouts = 500'000});
    ASSERT_TRUE(tree.solved());
    EXPECT_LE(tree.nodes(), 765U);  // classes of positions
    EXPECT_LT(3 * tree.nodes(), plain.nodes());
    Random random(5);
    InfoState info(rules);
    JointMove joint;
    for (int play = 0; play < 60; ++play) {
        State state = rules.machine().initial();
        for (info.load(state); !info.terminal(); info.load(state)) {
            const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
            if (info.legal(mover).size() > 1) {
                const std::vector<MoveId> legal = info.legal(mover);
                tree.search(state, mover, {.playouts = 500'000});
                ASSERT_TRUE(tree.solved());
                auto all = tree.estimates();
                for (const Estimate& one : all) {
                    ASSERT_NE(std::find(legal.begin(), legal.end(), one.move), legal.end());
                    if (!one.proven) continue;
                    info.load(state);
                    joint = {info.legal(0).front(), info.legal(1).front()};
                    joint[mover] = one.move;
                    State next = state;
                    info.play(joint, next);
                    EXPECT_NEAR(one.mean, exact[mover].value(next), 0.01);
                }
                EXPECT_NEAR(all.front().mean, exact[mover].value(state), 0.01);
                // The line can be played.
                State at = state;
                for (const JointMove& step : tree.line()) {
                    info.load(at);
                    ASSERT_FALSE(info.terminal());
                    for (std::size_t r = 0; r < rules.roles(); ++r) {
                        const auto& moves = info.legal(r);
                        ASSERT_NE(std::find(moves.begin(), moves.end(), step[r]), moves.end());
                    }
                    info.play(step, at);
                }
            }
            info.load(state);
            random_moves(info, random, joint);
            info.play(joint, state);
        }
    }
}

TEST(Mcts, OneThreadAndASeedGiveTheSameSearchTwice) {
    const gdl::Game game(shipped("breakthrough-small"));
    const GameContext rules(game);
    const auto run = [&](std::uint64_t seed) {
        Mcts tree(rules, {.seed = seed});
        tree.search(rules.machine().initial(), 0, {.playouts = 3000});
        std::vector<std::pair<MoveId, double>> all;
        for (const Estimate& one : tree.estimates()) all.emplace_back(one.move, one.mean);
        return all;
    };
    EXPECT_EQ(run(1), run(1));
    EXPECT_NE(run(1), run(2));
}

TEST(Mcts, ForgetsWhatIsOldWhenMemoryIsUsedUp) {
    const gdl::Game game(shipped("connect-four"));
    const GameContext rules(game);
    constexpr std::size_t memory = std::size_t{2} << 20;
    Mcts tree(rules, {.memory = memory});
    InfoState info(rules);
    State state = rules.machine().initial();
    std::size_t nodes = 0;
    JointMove joint;
    for (int move = 0; move < 12; ++move) {
        info.load(state);
        ASSERT_FALSE(info.terminal());
        const std::size_t mover = info.legal(0).size() > 1 ? 0 : 1;
        tree.search(state, mover, {.playouts = 100'000});
        EXPECT_LE(tree.bytes(), memory + (std::size_t{64} << 10));
        nodes = std::max(nodes, tree.nodes());
        EXPECT_GT(tree.estimates().front().visits, 100U);  // it goes on searching
        info.load(state);
        joint = {info.legal(0).front(), info.legal(1).front()};
        joint[mover] = tree.estimates().front().move;
        info.play(joint, state);
    }
    EXPECT_GT(nodes, 1000U);
}

// In a game with thousands of moves, whose statistics are large.
TEST(Mcts, ThriftyTreesHaveRoomForMoreNodes) {
    const Loaded loaded("english-draughts");
    constexpr std::size_t memory = std::size_t{2} << 20;
    const auto nodes = [&](bool thrifty) {
        Mcts tree(loaded.rules, {.grave = true, .leaves = 8, .thrifty = thrifty, .memory = memory});
        tree.search(loaded.rules.machine().initial(), loaded.rules.seats()[0], {.playouts = 4000});
        EXPECT_LE(tree.bytes(), memory + (std::size_t{64} << 10));
        EXPECT_GT(tree.estimates().front().visits, 100U);
        return tree.nodes();
    };
    EXPECT_GT(nodes(true), 2 * nodes(false));
}

TEST(Mcts, SeveralThreadsAgreeOnWhatIsProven) {
    const gdl::Game game(shipped("tic-tac-toe"));
    const GameContext rules(game);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Mcts tree(rules, {.threads = 3, .seed = seed});
        tree.search(rules.machine().initial(), 0, {.playouts = 2'000'000});
        EXPECT_TRUE(tree.solved());
        EXPECT_NEAR(tree.estimates().front().mean, 50, 0.01);
    }
}

// Both choose at the same time, once: what a gets by which choices.
std::string matrix_game(const std::vector<std::vector<int>>& goals) {
    std::string text =
        "(role a) (role b) (init (step 0)) (<= (next (step 1)) (true (step 0))) (<= terminal (true (step "
        "1)))\n";
    for (std::size_t i = 0; i < goals.size(); ++i) {
        text += fmt::format("(<= (legal a (m {0})) (true (step 0)))\n", i);
        for (std::size_t j = 0; j < goals[i].size(); ++j) {
            if (i == 0) text += fmt::format("(<= (legal b (m {0})) (true (step 0)))\n", j);
            text += fmt::format(
                "(<= (next (out {0} {1})) (does a (m {0})) (does b (m {1})))\n"
                "(<= (goal a {2}) (true (out {0} {1})))\n(<= (goal b {3}) (true (out {0} {1})))\n",
                i, j, goals[i][j], 100 - goals[i][j]);
        }
    }
    return text;
}

TEST(Mcts, BoundsOfSimultaneousMovesAreWhatEitherCanForce) {
    std::size_t saddles = 0;
    std::size_t tight = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Random random(seed);
        std::vector<std::vector<int>> goals(2 + seed % 3, std::vector<int>(2 + seed % 2));
        for (auto& row : goals) {
            for (int& goal : row) goal = 50 * static_cast<int>(random.below(3));
        }
        const std::string text = matrix_game(goals);
        const gdl::Game game(gdl::parse(text, "matrix"));
        const GameContext rules(game);
        ASSERT_TRUE(rules.opposed()) << text;
        int most_for_sure = 0;
        std::vector<int> worst(goals.front().size(), 0);
        for (const auto& row : goals) {
            most_for_sure = std::max(most_for_sure, *std::min_element(row.begin(), row.end()));
            for (std::size_t j = 0; j < row.size(); ++j) worst[j] = std::max(worst[j], row[j]);
        }
        const int least_possible = *std::min_element(worst.begin(), worst.end());
        Mcts tree(rules, {.saddle = true, .seed = seed});
        tree.search(rules.machine().initial(), rules.seats()[0], {.playouts = 3000});
        const auto [low, high] = tree.bounds();
        EXPECT_LE(low, most_for_sure + 0.01) << text;
        EXPECT_GE(high, least_possible - 0.01) << text;
        if (low > most_for_sure - 0.01 && high < least_possible + 0.01) ++tight;
        if (high - low > 0.01) continue;
        ++saddles;
        // Nothing is better than what is sure.
        const MoveId best = tree.estimates().front().move;
        const std::string name = game.move_text(rules.seats()[0], best);
        const auto& row = goals.at(static_cast<std::size_t>(name.at(name.size() - 2) - '0'));
        EXPECT_EQ(*std::min_element(row.begin(), row.end()), most_for_sure) << text << name;
    }
    EXPECT_GT(saddles, 10U);
    EXPECT_GT(tight, 40U);
}

// A judge that is sure of the first seat, in a game too long for the search to reach an end.
TEST(Mcts, LeavesAreWorthWhatTheJudgeAndPlayoutsSay) {
    const Loaded loaded("connect-four-20x20");
    const GameContext& rules = loaded.rules;
    const auto mean = [&](double share) {
        Mcts tree(rules, {.values = [](const State&) { return 1.0; }, .values_share = share});
        tree.search(rules.machine().initial(), rules.seats()[0], {.playouts = 500});
        return tree.estimates().front().mean;
    };
    EXPECT_NEAR(mean(0), 50, 30);
    EXPECT_NEAR(mean(1), 100, 0.01);
    EXPECT_GT(mean(0.5), 60);
    EXPECT_LT(mean(0.5), 95);
}

TEST(Uct, KnowsWhatInformationIsWorth) {
    // Monty Hall: whoever believes knows that switching wins two times out of three.
    const gdl::Game game(shipped("monty-hall"));
    const GameContext rules(game);
    for (const bool grave : {false, true}) {
        Settings settings;
        settings.role = rules.seats().front();
        const auto player = make_uct(rules, settings, {.grave = grave});
        InfoState info(rules);
        Position position = info.initial();
        Random random(3);
        JointMove joint;
        for (info.load(position.state); !info.terminal(); info.load(position.state)) {
            random_moves(info, random, joint);
            joint[settings.role] = player->choose({.playouts = 20'000});
            if (game.move_text(settings.role, joint[settings.role]) == "switch" ||
                game.move_text(settings.role, joint[settings.role]) == "stay") {
                EXPECT_EQ(game.move_text(settings.role, joint[settings.role]), "switch");
                EXPECT_NEAR(player->thought().estimates.front().mean, 66.7, 2);
            }
            info.play(joint, position);
            player->see({.joint = {}, .own = joint[settings.role], .percepts = info.percepts(settings.role)});
        }
    }
}

}  // namespace
}  // namespace zermelo::play
