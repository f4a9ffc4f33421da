// Lanes divided among several states: every group starts where it should, and what is said about its
// playouts is what its lanes did, move by move.

#include "gdl/circuit/bitsliced_playouts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "support/shipped.hpp"

namespace zermelo::gdl {
namespace {

constexpr std::array<std::size_t, 3> widths = {128, 256, 512};

// Random legal moves in the state that the runner has loaded.
JointMove random_joint(const Machine& machine, const Runner& runner, Random& random) {
    JointMove joint;
    std::vector<MoveId> legal;
    for (std::size_t r = 0; r < machine.roles(); ++r) {
        runner.legal(r, legal);
        joint.push_back(legal.at(random.below(legal.size())));
    }
    return joint;
}

// The states of a random play, the terminal one last.
std::vector<State> random_play(const Machine& machine, std::uint64_t seed) {
    Runner runner(machine);
    Random random(seed);
    std::vector<State> states = {machine.initial()};
    for (runner.load(states.back()); !runner.terminal(); runner.load(states.back())) {
        runner.play(random_joint(machine, runner, random));
        State next;
        runner.next(next);
        states.push_back(next);
    }
    return states;
}

// Some states that are not terminal, from as many plays.
std::vector<State> some_states(const Machine& machine, std::size_t count) {
    std::vector<State> states;
    for (std::size_t i = 0; i < count; ++i) {
        const auto play = random_play(machine, i + 1);
        states.push_back(play[i % (play.size() - 1)]);
    }
    return states;
}

std::vector<const State*> pointers(const std::vector<State>& states) {
    std::vector<const State*> all;
    for (const State& state : states) all.push_back(&state);
    return all;
}

// A playout as its lane shows it.
struct Followed {
    bool over = false;
    std::set<std::pair<std::uint32_t, MoveId>> made = {};
    std::vector<int> goals = {};
};

// Lanes were divided among the states: steps through the playouts one move at a time next to the plain
// machine, and compares the sums.
void expect_what_dealt_lanes_show(BitslicedPlayouts& bitsliced, const Machine& machine,
                                  const std::vector<State>& states, std::size_t each) {
    const std::size_t size = each > 0 ? each : bitsliced.lanes() / states.size();
    std::vector<Followed> lanes(states.size() * size);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        ASSERT_EQ(bitsliced.state(lane), states[lane / size]) << "lane " << lane;

    Runner runner(machine);
    Tally tally;
    State next;
    int steps = 0;
    for (bool done = false; !done;) {
        ASSERT_LT(++steps, 1000) << "some lane never ends";
        std::vector<State> before;
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) before.push_back(bitsliced.state(lane));
        done = bitsliced.drain(tally, 1);
        for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
            Followed& play = lanes[lane];
            if (play.over) continue;
            const JointMove moves = bitsliced.moves(lane);
            runner.load(before[lane]);
            for (std::uint32_t r = 0; r < moves.size(); ++r) {
                ASSERT_LT(moves[r], machine.network().moves[r].size());
                ASSERT_TRUE(runner.holds(machine.network().moves[r][moves[r]].legal)) << "lane " << lane;
                play.made.insert({r, moves[r]});
            }
            runner.play(moves);
            runner.next(next);
            ASSERT_EQ(bitsliced.state(lane), next) << "lane " << lane;
            runner.load(next);
            play.over = runner.terminal();
            for (std::size_t r = 0; r < moves.size(); ++r) play.goals.push_back(runner.goal(r));
            if (!play.over) play.goals.clear();
        }
    }

    std::uint64_t playouts = 0;
    for (std::size_t group = 0; group < states.size(); ++group) {
        SCOPED_TRACE("group " + std::to_string(group));
        std::vector<double> goals(machine.roles(), 0);
        std::map<std::pair<std::uint32_t, MoveId>, std::pair<std::uint32_t, double>> uses;
        for (std::size_t lane = group * size; lane < (group + 1) * size; ++lane) {
            ASSERT_TRUE(lanes[lane].over) << "lane " << lane;
            for (std::size_t r = 0; r < goals.size(); ++r) goals[r] += std::max(0, lanes[lane].goals[r]);
            for (const auto& move : lanes[lane].made) {
                ++uses[move].first;
                uses[move].second += std::max(0, lanes[lane].goals[move.first]);
            }
        }
        BitslicedPlayouts::GroupResult yield;
        bitsliced.group_result(group, yield);
        EXPECT_EQ(yield.playouts, size);
        EXPECT_EQ(yield.goals, goals);
        playouts += yield.playouts;
        std::vector<BitslicedPlayouts::MoveStatistics> said;
        bitsliced.move_statistics(group, said);
        EXPECT_EQ(said.size(), uses.size());
        for (const BitslicedPlayouts::MoveStatistics& use : said) {
            const auto& [number, sum] = uses[{use.role, use.move}];
            EXPECT_EQ(use.playouts, number) << "role " << use.role << " move " << use.move;
            EXPECT_EQ(use.goals, sum) << "role " << use.role << " move " << use.move;
        }
    }
    EXPECT_EQ(tally.playouts, playouts) << "other lanes must be idle";
}

void expect_what_the_lanes_show(BitslicedPlayouts& bitsliced, const Machine& machine,
                                const std::vector<State>& states, std::size_t each) {
    bitsliced.assign_groups(pointers(states), each, true);
    expect_what_dealt_lanes_show(bitsliced, machine, states, each);
}

TEST(GroupedPlayouts, SayWhatTheirLanesDid) {
    for (const std::string name : {"tic-tac-toe", "four-in-turn", "kuhn-poker", "dice-race", "mastermind",
                                   "rock-paper-scissors", "breakthrough-small"}) {
        const Game game(shipped(name));
        const auto states = some_states(game.machine(), 11);
        for (const std::size_t width : widths) {
            SCOPED_TRACE(name + ", width " + std::to_string(width));
            const auto bitsliced = BitslicedPlayouts::make(game.machine(), 7, width);
            // A second deal must not remember the first.
            for (const std::size_t each : {3, 0, 1, 11}) {
                SCOPED_TRACE("each " + std::to_string(each));
                ASSERT_NO_FATAL_FAILURE(expect_what_the_lanes_show(*bitsliced, game.machine(), states, each));
            }
        }
    }
}

// What bit-sliced playouts say about the groups is what the plain machine says.
void expect_to_look_like(const BitslicedPlayouts& bitsliced, const Machine& machine,
                         const std::vector<State>& states) {
    std::vector<BitslicedPlayouts::GroupState> looks;
    bitsliced.group_states(looks);
    ASSERT_EQ(looks.size(), states.size());
    Runner runner(machine);
    for (std::size_t group = 0; group < states.size(); ++group) {
        SCOPED_TRACE("group " + std::to_string(group));
        runner.load(states[group]);
        const BitslicedPlayouts::GroupState& look = looks[group];
        EXPECT_EQ(look.state, states[group]);
        EXPECT_EQ(look.terminal, runner.terminal());
        ASSERT_EQ(look.goals.size(), runner.terminal() ? machine.roles() : 0);
        ASSERT_EQ(look.legal.size(), machine.roles());
        for (std::size_t r = 0; r < machine.roles(); ++r) {
            std::vector<MoveId> legal;
            if (runner.terminal())
                EXPECT_EQ(look.goals[r], runner.goal(r));
            else
                runner.legal(r, legal);
            EXPECT_EQ(look.legal[r], legal);
        }
    }
}

TEST(GroupedPlayouts, AreLedByGivenMoves) {
    for (const std::string name : {"tic-tac-toe", "four-in-turn", "kuhn-poker", "dice-race", "mastermind",
                                   "rock-paper-scissors", "rock-paper-scissors-once"}) {
        const Game game(shipped(name));
        const Machine& machine = game.machine();
        auto before = some_states(machine, 9);
        before.push_back(random_play(machine, 3).back());  // terminal: stays where it is
        Runner runner(machine);
        Random random(5);
        std::vector<JointMove> joints;
        std::vector<State> after;
        for (const State& state : before) {
            runner.load(state);
            if (runner.terminal()) {
                joints.emplace_back(machine.roles(), 0);
                after.push_back(state);
                continue;
            }
            joints.push_back(random_joint(machine, runner, random));
            runner.play(joints.back());
            runner.next(after.emplace_back());
        }
        std::vector<const JointMove*> led;
        for (const JointMove& joint : joints) led.push_back(&joint);
        for (const std::size_t width : widths) {
            SCOPED_TRACE(name + ", width " + std::to_string(width));
            const auto bitsliced = BitslicedPlayouts::make(machine, 7, width);
            for (const std::size_t each : {0, 1, 12}) {
                bitsliced->assign_groups(pointers(before), each, true);
                expect_to_look_like(*bitsliced, machine, before);
                bitsliced->play_in_groups(led);
                expect_to_look_like(*bitsliced, machine, after);
                Tally tally;
                ASSERT_TRUE(bitsliced->drain(tally, 500));
                const std::size_t size = each > 0 ? each : bitsliced->lanes() / before.size();
                std::uint64_t sum = 0;
                for (std::size_t group = 0; group < after.size(); ++group) {
                    runner.load(after[group]);
                    BitslicedPlayouts::GroupResult yield;
                    bitsliced->group_result(group, yield);
                    EXPECT_EQ(yield.playouts, runner.terminal() ? 0 : size) << "group " << group;
                    sum += yield.playouts;
                }
                EXPECT_EQ(tally.playouts, sum);
            }
            // Led lanes play on like lanes that were dealt out to the states behind.
            std::vector<State> from;
            std::vector<State> to;
            led.clear();
            for (std::size_t i = 0; i < after.size(); ++i) {
                runner.load(after[i]);
                if (runner.terminal()) continue;
                from.push_back(before[i]);
                to.push_back(after[i]);
                led.push_back(&joints[i]);
            }
            if (!to.empty()) {
                bitsliced->assign_groups(pointers(from), 5, true);
                bitsliced->play_in_groups(led);
                ASSERT_NO_FATAL_FAILURE(expect_what_dealt_lanes_show(*bitsliced, machine, to, 5));
            }
            led.clear();
            for (const JointMove& joint : joints) led.push_back(&joint);
        }
    }
}

TEST(GroupedPlayouts, TakeAsManyStatesAsThereAreLanes) {
    const Game game(shipped("nim"));
    for (const std::size_t width : widths) {
        const auto bitsliced = BitslicedPlayouts::make(game.machine(), 3, width);
        const auto states = some_states(game.machine(), bitsliced->lanes());
        for (const std::size_t each : {0, 1})
            ASSERT_NO_FATAL_FAILURE(expect_what_the_lanes_show(*bitsliced, game.machine(), states, each));
        const std::vector<State> one = {states.front()};
        ASSERT_NO_FATAL_FAILURE(expect_what_the_lanes_show(*bitsliced, game.machine(), one, 0));
        ASSERT_NO_FATAL_FAILURE(
            expect_what_the_lanes_show(*bitsliced, game.machine(), one, bitsliced->lanes()));
    }
}

TEST(GroupedPlayouts, TerminalStatesHaveNoPlayouts) {
    const Game game(shipped("tic-tac-toe"));
    const auto play = random_play(game.machine(), 5);
    const std::vector<State> states = {play.back(), play.front(), play.back(), play[play.size() - 2]};
    for (const std::size_t width : widths) {
        const auto bitsliced = BitslicedPlayouts::make(game.machine(), 3, width);
        bitsliced->assign_groups(pointers(states), 20, true);
        Tally tally;
        EXPECT_TRUE(bitsliced->drain(tally, 9));
        for (std::size_t group = 0; group < states.size(); ++group) {
            const bool over = group % 2 == 0;
            BitslicedPlayouts::GroupResult yield;
            bitsliced->group_result(group, yield);
            EXPECT_EQ(yield.playouts, over ? 0U : 20U);
            EXPECT_EQ(yield.goals.size(), 2U);
            EXPECT_EQ(yield.goals[0] + yield.goals[1], over ? 0 : 2000);
            std::vector<BitslicedPlayouts::MoveStatistics> uses;
            bitsliced->move_statistics(group, uses);
            EXPECT_EQ(uses.empty(), over);
        }
        EXPECT_EQ(tally.playouts, 40U);
    }
}

TEST(GroupedPlayouts, DoNotCountPlayoutsThatAreNotOver) {
    const Game game(shipped("tic-tac-toe"));
    const auto bitsliced = BitslicedPlayouts::make(game.machine(), 3);
    bitsliced->assign_groups(pointers({game.machine().initial()}), 0, true);
    Tally tally;
    BitslicedPlayouts::GroupResult yield;
    std::vector<BitslicedPlayouts::MoveStatistics> uses;
    EXPECT_FALSE(bitsliced->drain(tally, 4));
    bitsliced->group_result(0, yield);
    bitsliced->move_statistics(0, uses);
    EXPECT_EQ(yield.playouts, 0U);
    EXPECT_TRUE(uses.empty());
    EXPECT_FALSE(bitsliced->drain(tally, 2));  // some have a line by now, but not all
    bitsliced->group_result(0, yield);
    EXPECT_GT(yield.playouts, 0U);
    EXPECT_LT(yield.playouts, bitsliced->lanes());
    EXPECT_EQ(yield.playouts, tally.playouts);
    EXPECT_TRUE(bitsliced->drain(tally, 3));
    bitsliced->group_result(0, yield);
    EXPECT_EQ(yield.playouts, bitsliced->lanes());
}

// In these games every role makes one of its moves once.
TEST(GroupedPlayouts, UsesAddUpToThePlayouts) {
    for (const std::string name : {"matching-pennies", "rock-paper-scissors-once", "guess-dice"}) {
        const Game game(shipped(name));
        const std::vector<State> states(5, game.machine().initial());
        for (const std::size_t width : widths) {
            SCOPED_TRACE(name + ", width " + std::to_string(width));
            const auto bitsliced = BitslicedPlayouts::make(game.machine(), 11, width);
            bitsliced->assign_groups(pointers(states), 0, true);
            Tally tally;
            ASSERT_TRUE(bitsliced->drain(tally, 1));
            for (std::size_t group = 0; group < states.size(); ++group) {
                BitslicedPlayouts::GroupResult yield;
                bitsliced->group_result(group, yield);
                EXPECT_EQ(yield.playouts, bitsliced->lanes() / states.size());
                std::vector<BitslicedPlayouts::MoveStatistics> uses;
                bitsliced->move_statistics(group, uses);
                std::vector<std::uint32_t> playouts(game.machine().roles(), 0);
                std::vector<double> goals(game.machine().roles(), 0);
                for (const BitslicedPlayouts::MoveStatistics& use : uses) {
                    playouts[use.role] += use.playouts;
                    goals[use.role] += use.goals;
                }
                for (const std::uint32_t sum : playouts) EXPECT_EQ(sum, yield.playouts);
                EXPECT_EQ(goals, yield.goals);
            }
        }
    }
}

TEST(GroupedPlayouts, MeansAgreeWithPlayoutsOneByOne) {
    for (const std::string name : {"tic-tac-toe", "dice-race", "four-in-turn"}) {
        SCOPED_TRACE(name);
        const Game game(shipped(name));
        const Machine& machine = game.machine();
        const auto states = some_states(machine, 4);
        constexpr double playouts = 2000;
        const auto bitsliced = BitslicedPlayouts::make(machine, 17);
        std::vector<std::vector<double>> sliced(states.size(), std::vector<double>(machine.roles(), 0));
        std::vector<double> count(states.size(), 0);
        Tally tally;
        BitslicedPlayouts::GroupResult yield;
        while (count.front() < playouts) {
            bitsliced->assign_groups(pointers(states), 0, false);
            ASSERT_TRUE(bitsliced->drain(tally, 500));
            for (std::size_t group = 0; group < states.size(); ++group) {
                bitsliced->group_result(group, yield);
                count[group] += yield.playouts;
                for (std::size_t r = 0; r < machine.roles(); ++r) sliced[group][r] += yield.goals[r];
            }
        }
        Runner runner(machine);
        Random random(23);
        for (std::size_t group = 0; group < states.size(); ++group) {
            std::vector<double> sum(machine.roles(), 0);
            for (int i = 0; i < playouts; ++i) {
                State state = states[group];
                for (runner.load(state); !runner.terminal(); runner.load(state)) {
                    runner.play(random_joint(machine, runner, random));
                    runner.next(state);
                }
                for (std::size_t r = 0; r < sum.size(); ++r) sum[r] += std::max(0, runner.goal(r));
            }
            // Five standard errors of the difference, for a goal that is 0 or 100.
            const double generous = 5 * 50 * std::sqrt(2 / playouts);
            for (std::size_t r = 0; r < sum.size(); ++r)
                EXPECT_NEAR(sliced[group][r] / count[group], sum[r] / playouts, generous) << "role " << r;
        }
    }
}

TEST(GroupedPlayouts, PlayOnFromTheStartAfterwards) {
    const Game game(shipped("tic-tac-toe"));
    const auto bitsliced = BitslicedPlayouts::make(game.machine(), 3);
    const auto states = some_states(game.machine(), 3);
    Tally tally;
    bitsliced->assign_groups(pointers(states), 2, true);
    EXPECT_TRUE(bitsliced->drain(tally, 9));
    EXPECT_EQ(tally.playouts, 6U);
    bitsliced->start(game.machine().initial());
    Tally again;
    for (int step = 0; step < 9; ++step) bitsliced->step(again);
    EXPECT_EQ(again.states, 9 * bitsliced->lanes());
    EXPECT_GE(again.playouts, bitsliced->lanes());  // a play has nine moves at most
}

}  // namespace
}  // namespace zermelo::gdl
