// Playouts against what random play is worth exactly, by the reasoner and all its joint moves; and what they
// do when there is no time.

#include "play/mcts/playouts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <set>

#include "games.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/parse.hpp"
#include "play/mcts/playout_stream.hpp"

namespace zermelo::play {
namespace {

// What every role may expect, 0 … 1, where all moves of all roles are equally likely.
class Expectation {
public:
    explicit Expectation(const gdl::Game& game) : reasoner_(game.description()) {}

    std::vector<double> initial() { return of(reasoner_.initial()); }
    // After the first moves of each role in the order of their texts.
    std::vector<double> after_one_step() {
        const auto state = reasoner_.initial();
        gdl::Reasoner::Joint joint;
        for (std::size_t r = 0; r < reasoner_.roles().size(); ++r)
            joint.push_back(reasoner_.legal(state, r).front());
        return of(reasoner_.next(state, joint));
    }

private:
    using State = gdl::Reasoner::State;

    const std::vector<double>& of(const State& state) {
        const auto known = known_.find(state);
        if (known != known_.end()) return known->second;
        const std::size_t roles = reasoner_.roles().size();
        std::vector<double> sum(roles, 0);
        if (reasoner_.terminal(state)) {
            for (std::size_t r = 0; r < roles; ++r) sum[r] = 0.01 * reasoner_.goal(state, r).value_or(0);
        } else {
            double count = 0;
            gdl::Reasoner::Joint joint;
            add_all(state, joint, sum, count);
            for (double& one : sum) one /= count;
        }
        return known_[state] = sum;
    }
    void add_all(const State& state, gdl::Reasoner::Joint& joint, std::vector<double>& sum, double& count) {
        if (joint.size() == sum.size()) {
            const auto& next = of(reasoner_.next(state, joint));
            for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += next[r];
            ++count;
            return;
        }
        for (const auto move : reasoner_.legal(state, joint.size())) {
            joint.push_back(move);
            add_all(state, joint, sum, count);
            joint.pop_back();
        }
    }

    gdl::Reasoner reasoner_;
    std::map<State, std::vector<double>> known_;
};

// The first moves of each role in the order of their texts.
State after_one_step(const GameContext& rules) {
    InfoState info(rules);
    State state = rules.machine().initial();
    info.load(state);
    JointMove joint;
    for (std::size_t r = 0; r < rules.roles(); ++r) {
        const auto& legal = info.legal(r);
        joint.push_back(*std::min_element(legal.begin(), legal.end(), [&](MoveId a, MoveId b) {
            return rules.game().move_text(r, a) < rules.game().move_text(r, b);
        }));
    }
    info.play(joint, state);
    return state;
}

TEST(Playouts, MeansAgreeWithAllPlays) {
    for (const std::string name : {"matching-pennies", "rock-paper-scissors-once", "guess-dice", "monty-hall",
                                   "kuhn-poker", "tic-tac-toe-2x2", "subtraction", "nim"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        Expectation expectation(loaded.game);
        const State start = loaded.rules.machine().initial();
        const State second = after_one_step(loaded.rules);
        InfoState info(loaded.rules);
        info.load(second);
        std::vector<const State*> states = {&start};
        std::vector<std::vector<double>> expected = {expectation.initial()};
        if (!info.terminal()) {
            states.push_back(&second);
            expected.push_back(expectation.after_one_step());
        }
        Playouts playouts(loaded.rules, 3);
        std::vector<std::vector<double>> sum(states.size(), std::vector<double>(loaded.rules.roles(), 0));
        std::vector<double> count(states.size(), 0);
        std::vector<Playouts::Result> results;
        while (count[0] < 20000) {
            playouts.run(states, 0, false, {}, results);
            ASSERT_EQ(results.size(), states.size());
            for (std::size_t i = 0; i < states.size(); ++i) {
                EXPECT_EQ(results[i].playouts, playouts.lanes() / states.size());
                EXPECT_TRUE(results[i].uses.empty());
                count[i] += results[i].playouts;
                for (std::size_t r = 0; r < sum[i].size(); ++r)
                    sum[i][r] += results[i].goals[r] * results[i].playouts;
            }
        }
        for (std::size_t i = 0; i < states.size(); ++i) {
            // Five standard errors of something between 0 and 1.
            for (std::size_t r = 0; r < sum[i].size(); ++r)
                EXPECT_NEAR(sum[i][r] / count[i], expected[i][r], 5 * 0.5 / std::sqrt(count[i])) << i << r;
        }
    }
}

TEST(Playouts, MoreStatesThanLanesGoInSeveralBatches) {
    const Loaded loaded("tic-tac-toe");
    const State start = loaded.rules.machine().initial();
    Playouts playouts(loaded.rules, 3, 128);
    ASSERT_EQ(playouts.lanes(), 128U);
    std::vector<Playouts::Result> results;
    for (const std::size_t each : {1, 3, 50, 128}) {
        const std::vector<const State*> states(300, &start);
        playouts.run(states, each, true, {}, results);
        ASSERT_EQ(results.size(), states.size());
        for (const auto& result : results) {
            EXPECT_EQ(result.playouts, each);
            EXPECT_NEAR(result.goals[0] + result.goals[1], 1, 1e-9);
            // In every play somebody makes a first move, and both wait.
            EXPECT_FALSE(result.uses.empty());
        }
    }
}

TEST(Playouts, SameSeedSamePlays) {
    const Loaded loaded("breakthrough-small");
    const State start = loaded.rules.machine().initial();
    const std::vector<const State*> states(7, &start);
    const auto means = [&](std::uint64_t seed) {
        Playouts playouts(loaded.rules, seed, 128);
        std::vector<double> all;
        std::vector<Playouts::Result> results;
        for (int i = 0; i < 3; ++i) {
            playouts.run(states, 5, false, {}, results);
            for (const auto& result : results) all.push_back(result.goals[0]);
        }
        return all;
    };
    EXPECT_EQ(means(1), means(1));
    EXPECT_NE(means(1), means(2));
}

TEST(Playouts, UsesAreCountedAndScaled) {
    for (const std::string name : {"rock-paper-scissors-once", "matching-pennies"}) {
        const Loaded loaded(name);
        const State start = loaded.rules.machine().initial();
        const std::vector<const State*> states(3, &start);
        Playouts playouts(loaded.rules, 9);
        std::vector<Playouts::Result> results;
        playouts.run(states, 40, true, {}, results);
        for (const auto& result : results) {
            ASSERT_EQ(result.playouts, 40U);
            std::vector<double> goals(2, 0);
            std::vector<std::uint32_t> count(2, 0);
            for (const Playouts::Use& use : result.uses) {
                goals[use.role] += use.goals;
                count[use.role] += use.playouts;
                EXPECT_LE(use.goals, use.playouts);
            }
            for (std::size_t r = 0; r < 2; ++r) {
                EXPECT_EQ(count[r], 40U);
                EXPECT_NEAR(goals[r], 40 * result.goals[r], 1e-9);
            }
        }
        // What an earlier call noted is gone.
        playouts.run(states, 40, false, {}, results);
        for (const auto& result : results) EXPECT_TRUE(result.uses.empty());
    }
}

// Leaving a tree by a move is the same as playing on from the state behind.
TEST(Playouts, TellWhereExitsLead) {
    for (const std::string name : {"tic-tac-toe", "dice-race", "rock-paper-scissors-once", "kuhn-poker"}) {
        const Loaded loaded(name);
        const GameContext& rules = loaded.rules;
        InfoState info(rules);
        Random random(3);
        std::vector<State> states;
        std::vector<JointMove> joints;
        while (states.size() < 40) {
            State state = rules.machine().initial();
            for (info.load(state); !info.terminal(); info.load(state)) {
                states.push_back(state);
                random_moves(info, random, joints.emplace_back());
                info.play(joints.back(), state);
            }
        }
        std::vector<Playouts::Exit> exits;
        for (std::size_t i = 0; i < states.size(); ++i) exits.push_back({&states[i], &joints[i]});
        Playouts playouts(rules, 5);
        std::vector<Playouts::Look> looks;
        std::vector<Playouts::Result> results;
        std::size_t over = 0;
        // In batches, one by one, and without time.
        for (const std::size_t count : {exits.size(), std::size_t{1}, std::size_t{2}}) {
            for (const bool late : {false, true}) {
                const auto part = std::span(exits).last(count);
                playouts.run(part, 1, true, late ? Deadline::in(-1) : Deadline(), looks, results);
                ASSERT_EQ(looks.size(), count);
                ASSERT_EQ(results.size(), count);
                for (std::size_t i = 0; i < count; ++i) {
                    if (late && looks[i].state.empty()) {
                        EXPECT_EQ(results[i].playouts, 0U);
                        EXPECT_FALSE(looks[i].terminal);
                        continue;
                    }
                    State state = *part[i].state;
                    info.load(state);
                    info.play(*part[i].joint, state);
                    info.load(state);
                    EXPECT_EQ(looks[i].state, state);
                    EXPECT_EQ(looks[i].terminal, info.terminal());
                    EXPECT_EQ(results[i].playouts, info.terminal() || late ? 0U : 1U);
                    EXPECT_EQ(results[i].uses.empty(), results[i].playouts == 0);
                    over += info.terminal() ? 1 : 0;
                    for (std::size_t r = 0; r < rules.roles(); ++r) {
                        std::vector<MoveId> legal = looks[i].legal[r];
                        if (info.terminal()) {
                            EXPECT_EQ(std::max(0, looks[i].goals.at(r)), info.goal(r));
                            EXPECT_TRUE(legal.empty());
                        } else {
                            EXPECT_EQ(legal, info.legal(r));
                        }
                    }
                }
            }
        }
        EXPECT_GT(over, 0U);
    }
}

// Plays from two states, started whenever there is room, in words of both widths: each ends once, with a mean that
// agrees with all plays.
TEST(PlayoutStream, MeansAgreeWithAllPlays) {
    for (const std::string name : {"matching-pennies", "rock-paper-scissors-once", "guess-dice", "monty-hall",
                                   "kuhn-poker", "tic-tac-toe-2x2", "subtraction", "nim"}) {
        SCOPED_TRACE(name);
        const Loaded loaded(name);
        Expectation expectation(loaded.game);
        const State start = loaded.rules.machine().initial();
        const State second = after_one_step(loaded.rules);
        InfoState info(loaded.rules);
        info.load(second);
        const bool both = !info.terminal();
        for (const std::size_t places : {3U, 100U, 300U}) {
            PlayoutStream stream(loaded.rules, 3);
            stream.clear(places);
            const std::uint32_t plays = places == 3 ? 400 : 12'000;
            std::vector<std::uint32_t> ended(plays, 0);
            std::array<std::vector<double>, 2> sum;
            sum.fill(std::vector<double>(loaded.rules.roles(), 0));
            std::array<double, 2> count = {0, 0};
            for (std::uint32_t next = 0; next < plays || !stream.idle();) {
                for (; next < plays && !stream.full(); ++next)
                    stream.start(both && next % 3 == 0 ? second : start, next);
                for (const PlayoutStream::Ended& one : stream.step()) {
                    ++ended[one.ticket];
                    const std::size_t from = both && one.ticket % 3 == 0 ? 1 : 0;
                    ++count[from];
                    ASSERT_EQ(one.goals.size(), loaded.rules.roles());
                    for (std::size_t r = 0; r < one.goals.size(); ++r)
                        sum[from][r] += 0.01 * std::max(0, one.goals[r]);
                }
            }
            EXPECT_EQ(ended, std::vector<std::uint32_t>(plays, 1));
            for (std::size_t from = 0; from < (both ? 2U : 1U); ++from) {
                const auto expected = from == 0 ? expectation.initial() : expectation.after_one_step();
                for (std::size_t r = 0; r < expected.size(); ++r)
                    EXPECT_NEAR(sum[from][r] / count[from], expected[r], 5 * 0.5 / std::sqrt(count[from]));
            }
        }
    }
}

// A game that never ends: plays are given up, and their places are free again.
TEST(PlayoutStream, GivesUpPlaysWithoutEnd) {
    const Loaded loaded(gdl::parse(R"((role a) (init (at 0)) (succ 0 1) (succ 1 0) (legal a go)
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)) (<= terminal (true (at 2)))
        (<= (next (at 2)) (true (at 2))) (goal a 100))",
                                   "endless.kif"));
    PlayoutStream stream(loaded.rules, 1);
    stream.clear(5);
    for (int again = 0; again < 2; ++again) {
        for (std::uint32_t i = 0; i < 5; ++i) stream.start(loaded.rules.machine().initial(), i);
        EXPECT_TRUE(stream.full());
        std::set<std::uint32_t> given_up;
        while (!stream.idle()) {
            for (const PlayoutStream::Ended& one : stream.step()) {
                EXPECT_TRUE(one.endless);
                given_up.insert(one.ticket);
            }
        }
        EXPECT_EQ(given_up.size(), 5U);
    }
}

TEST(Playouts, AreNotMadeAfterTheDeadline) {
    const Loaded loaded("tic-tac-toe");
    const State start = loaded.rules.machine().initial();
    const std::vector<const State*> states(5, &start);
    Playouts playouts(loaded.rules, 9);
    std::vector<Playouts::Result> results;
    const auto expect_none = [&] {
        playouts.run(states, 2, true, Deadline::in(-1), results);
        ASSERT_EQ(results.size(), states.size());
        for (const auto& result : results) {
            EXPECT_EQ(result.playouts, 0U);
            EXPECT_TRUE(result.uses.empty());
        }
    };
    expect_none();
    playouts.run(states, 2, true, {}, results);
    for (const auto& result : results) EXPECT_EQ(result.playouts, 2U);
    expect_none();  // and nothing is left of those
}

// Where a batch takes longer than what is left, plays go one by one.
TEST(Playouts, GoOneByOneWhereABatchTakesTooLong) {
    const Loaded loaded("breakthrough");
    const State start = loaded.rules.machine().initial();
    const std::vector<const State*> states(3, &start);
    Playouts playouts(loaded.rules, 9);
    std::vector<Playouts::Result> results;
    const auto begun = Deadline::Clock::now();
    for (int i = 0; i < 8; ++i) playouts.run(std::span(states).first(1), playouts.lanes(), true, {}, results);
    const double batch = std::chrono::duration<double>(Deadline::Clock::now() - begun).count() / 8;
    std::size_t single = 0;
    for (int i = 0; i < 400 && single < 20; ++i) {
        playouts.run(states, playouts.lanes(), true, Deadline::in(batch * (0.3 + 0.05 * (i % 10))), results);
        ASSERT_EQ(results.size(), 3U);
        for (const auto& result : results) {
            if (result.playouts == 0) {
                EXPECT_TRUE(result.uses.empty());
                continue;
            }
            ASSERT_TRUE(result.playouts == 1 || result.playouts == playouts.lanes()) << result.playouts;
            EXPECT_NEAR(result.goals[0] + result.goals[1], 1, 1e-9);
            if (result.playouts != 1) continue;
            ++single;
            EXPECT_FALSE(result.uses.empty());
            for (const Playouts::Use& use : result.uses) {
                EXPECT_EQ(use.playouts, 1U);
                EXPECT_EQ(use.goals, result.goals[use.role]);
            }
        }
    }
    EXPECT_GE(single, 20U);
}

}  // namespace
}  // namespace zermelo::play
