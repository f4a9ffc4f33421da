#include "scsp/filter.hpp"

#include <gtest/gtest.h>

#include <map>

#include "all_games.hpp"
#include "gdl/syntax/parse.hpp"
#include "random_network.hpp"
#include "scsp/micro_scsp.hpp"
#include "support/random_gdl.hpp"

namespace zermelo::scsp {
namespace {

using gdl::Network;
using gdl::Signal;
using gdl::Truth;

// The truth of all nodes of a turn in each of its solutions, found by trying every state and every move.
class AllTurns {
public:
    AllTurns(const gdl::Machine& machine, const Turn& turn) : turn_(turn) {
        const Network& network = machine.network();
        gdl::Runner runner(machine);
        gdl::Runner after(machine);
        const std::size_t fluents = network.fluents.size();
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << fluents; ++bits) {
            const gdl::State state = {bits};
            runner.load(state);
            for (const auto& joint : legal_joint_moves(machine, runner)) {
                runner.play(joint);
                gdl::State next;
                runner.next(next);
                after.load(next);
                if (respects_groups(state) && respects_groups(next)) add(runner, after);
            }
            runner.load(state);
        }
    }

    [[nodiscard]] const std::vector<std::vector<bool>>& all() const { return all_; }

private:
    [[nodiscard]] bool respects_groups(const gdl::State& state) const {
        // The groups stand in the turn as fluents now, then next; moves come last.
        for (std::size_t g = 0; g + turn_.network.moves.size() < turn_.groups.size(); g += 2) {
            int held = 0;
            for (const Signal s : turn_.groups[g].members)
                held += (state[0] >> (s.node() - 1) & 1) != 0 ? 1 : 0;
            if (held > 1 || (held == 0 && turn_.groups[g].exact)) return false;
        }
        return true;
    }

    void add(const gdl::Runner& now, const gdl::Runner& after) {
        const Network& network = turn_.network;
        std::vector<bool> truth;
        for (std::uint32_t node = 0; node < network.nodes; ++node)
            truth.push_back(now.holds(Signal(node, false)));
        // The next outcome is checked where it is read: what it says of the next state.
        truth.push_back(after.terminal());
        for (std::size_t r = 0; r < network.roles.size(); ++r) {
            for (const auto& goal : network.goals[r]) truth.push_back(after.holds(goal.holds));
        }
        all_.push_back(std::move(truth));
    }

    const Turn& turn_;
    std::vector<std::vector<bool>> all_;
};

// The signals of a turn whose truth AllTurns tells, in its order.
std::vector<Signal> observed(const Turn& turn) {
    std::vector<Signal> signals;
    for (std::uint32_t node = 0; node < turn.network.nodes; ++node) signals.emplace_back(node, false);
    signals.push_back(turn.next_terminal);
    for (const auto& goals : turn.next_goals) {
        for (const auto& goal : goals) signals.push_back(goal.holds);
    }
    return signals;
}

std::vector<Truth> truths(const Filter& filter, const std::vector<Signal>& signals) {
    std::vector<Truth> result;
    for (const Signal s : signals) result.push_back(filter.truth(s));
    return result;
}

// Assumes one thing after the other, sometimes takes some back, and compares with all turns.
void check_against_all_turns(const gdl::Machine& machine, const MutexGroups& mutex_groups, std::uint64_t seed,
                             int walks) {
    const Turn turn(machine.network(), mutex_groups);
    const AllTurns turns(machine, turn);
    const std::vector<Signal> signals = observed(turn);
    Filter filter(turn);
    Random random(seed);
    for (int walk = 0; walk < walks; ++walk) {
        filter.undo(0);
        std::vector<std::vector<Truth>> before;  // by level
        std::vector<std::pair<std::size_t, bool>> assumed;
        while (assumed.size() < 8) {
            if (!assumed.empty() && random.chance(0.2)) {
                const std::size_t back = random.below(assumed.size());
                filter.undo(back);
                ASSERT_EQ(truths(filter, signals), before[back]) << "seed " << seed;
                assumed.resize(back);
                before.resize(back);
            }
            const std::size_t chosen = random.below(signals.size());
            const bool value = random.chance(0.5);
            before.push_back(truths(filter, signals));
            assumed.emplace_back(chosen, value);
            const bool fits = filter.assume(value ? signals[chosen] : !signals[chosen]);
            std::vector<bool> possible[2];
            possible[0].assign(signals.size(), false);
            possible[1].assign(signals.size(), false);
            bool any = false;
            for (const auto& truth : turns.all()) {
                const bool agrees = std::ranges::all_of(
                    assumed, [&](const auto& one) { return truth[one.first] == one.second; });
                if (!agrees) continue;
                any = true;
                for (std::size_t i = 0; i < truth.size(); ++i) possible[truth[i] ? 1 : 0][i] = true;
            }
            if (!fits) {
                ASSERT_FALSE(any) << "seed " << seed << ": a solution was lost";
                break;
            }
            for (std::size_t i = 0; i < signals.size(); ++i) {
                const Truth truth = filter.truth(signals[i]);
                ASSERT_FALSE(truth == Truth::yes && possible[0][i]) << "seed " << seed << ", signal " << i;
                ASSERT_FALSE(truth == Truth::no && possible[1][i]) << "seed " << seed << ", signal " << i;
            }
        }
    }
}

TEST(Filter, LosesNoSolutionOfRandomNetworks) {
    for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
        const gdl::Machine machine(RandomNetwork(seed).make());
        check_against_all_turns(machine, {}, seed, 20);
        if (HasFatalFailure()) return;
    }
}

TEST(Filter, LosesNoSolutionOfRandomGames) {
    int small = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        if (game.machine().network().fluents.size() > 9) continue;
        ++small;
        const MutexGroups mutex_groups = find_mutex_groups(game.machine());
        check_against_all_turns(game.machine(), mutex_groups, seed, 20);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(small, 20);
}

// With a state and a joint move everything is decided, in the same way as by the machine.
TEST(Filter, DecidesEverythingOnceStateAndMovesAreGiven) {
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const gdl::Machine machine(RandomNetwork(seed).make());
        const Turn turn(machine.network(), {}, {.next_legal = true});
        Filter filter(turn);
        gdl::Runner runner(machine);
        gdl::Runner after(machine);
        for (std::uint64_t bits = 0; bits < std::uint64_t{1} << machine.network().fluents.size(); ++bits) {
            const gdl::State state = {bits};
            runner.load(state);
            const bool possible = filter.load(state);
            const auto joints = legal_joint_moves(machine, runner);
            ASSERT_EQ(possible, !joints.empty()) << "seed " << seed << ", state " << bits;
            for (const auto& joint : joints) {
                runner.play(joint);
                bool fits = true;
                for (std::size_t r = 0; r < joint.size(); ++r)
                    fits = fits && filter.assume(Signal(machine.network().moves[r][joint[r]].node, false));
                ASSERT_TRUE(fits) << "seed " << seed << ", state " << bits;
                for (std::uint32_t node = 0; node < machine.network().nodes; ++node) {
                    const Signal s(node, false);
                    ASSERT_EQ(filter.truth(s), runner.holds(s) ? Truth::yes : Truth::no)
                        << "seed " << seed << ", state " << bits << ", node " << node;
                }
                gdl::State next;
                gdl::State same;
                runner.next(next);
                filter.next(same);
                ASSERT_EQ(next, same);
                // And what the next outcome says is so in the next state.
                after.load(next);
                const auto expect_next = [&](Signal s, bool holds) {
                    ASSERT_EQ(filter.truth(s), holds ? Truth::yes : Truth::no)
                        << "seed " << seed << ", state " << bits;
                };
                expect_next(turn.next_terminal, after.terminal());
                for (std::size_t r = 0; r < joint.size(); ++r) {
                    for (std::size_t g = 0; g < turn.next_goals[r].size(); ++g)
                        expect_next(turn.next_goals[r][g].holds,
                                    after.holds(machine.network().goals[r][g].holds));
                    for (std::size_t m = 0; m < turn.next_legal[r].size(); ++m)
                        expect_next(turn.next_legal[r][m], after.holds(machine.network().moves[r][m].legal));
                    for (const int value : {1, 50, 100}) {
                        const auto& goals = machine.network().goals[r];
                        const bool high = std::ranges::any_of(goals, [&](const auto& goal) {
                            return goal.value >= value && after.holds(goal.holds);
                        });
                        expect_next(turn.at_least(r, value).reached, after.terminal() && high);
                        expect_next(turn.at_least(r, value).tolerable, !after.terminal() || high);
                    }
                }
                if (HasFatalFailure()) return;
                filter.undo(1);
            }
        }
    }
}

// In a given state exactly the legal moves are left.
TEST(Filter, LeavesTheLegalMovesOfEveryGame) {
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const Turn turn(game.machine().network(), quick_mutex_groups(game.machine()));
        Filter filter(turn);
        gdl::Runner runner(game.machine());
        std::vector<gdl::MoveId> legal;
        std::vector<gdl::MoveId> left;
        for (std::uint64_t seed = 1; seed <= 3; ++seed) {
            play_at_random(game.machine(), seed, 40, [&](const gdl::State& state) {
                runner.load(state);
                const bool going_on = filter.load(state);
                ASSERT_EQ(going_on, !legal_joint_moves(game.machine(), runner).empty()) << file;
                for (std::size_t r = 0; going_on && r < game.machine().roles(); ++r) {
                    runner.legal(r, legal);
                    filter.possible(r, left);
                    ASSERT_EQ(legal, left) << file;
                    ASSERT_EQ(filter.count_possible(r), legal.size()) << file;
                }
            });
        }
    }
}

// Who wants to reach a goal at once keeps all moves with which that can happen, and where only one role has a
// choice, no others.
TEST(Filter, KeepsExactlyTheMovesThatReachAGoalAtOnce) {
    std::map<std::string, int> ends;
    for (const std::string& file : all_games()) {
        const gdl::Game game(file);
        const gdl::Machine& machine = game.machine();
        const Turn turn(machine.network(), quick_mutex_groups(machine));
        Filter filter(turn);
        gdl::Runner runner(machine);
        gdl::Runner after(machine);
        gdl::State next;
        std::vector<gdl::MoveId> left;
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            play_at_random(machine, seed, 60, [&](const gdl::State& state) {
                runner.load(state);
                const auto joints = legal_joint_moves(machine, runner);
                if (joints.empty() || joints.size() > 400) return;
                int choosing = 0;
                for (std::size_t r = 0; r < machine.roles(); ++r) {
                    runner.legal(r, left);
                    choosing += left.size() > 1 ? 1 : 0;
                }
                for (std::size_t role = 0; role < machine.roles(); ++role) {
                    int best = -1;
                    std::vector<std::vector<bool>> good;
                    for (const auto& joint : joints) {
                        runner.play(joint);
                        runner.next(next);
                        after.load(next);
                        if (!after.terminal() || after.goal(role) < best) continue;
                        if (after.goal(role) > best) {
                            best = after.goal(role);
                            good.clear();
                            for (const auto& moves : machine.network().moves)
                                good.emplace_back(moves.size(), false);
                        }
                        for (std::size_t r = 0; r < joint.size(); ++r) good[r][joint[r]] = true;
                    }
                    runner.load(state);
                    ASSERT_TRUE(filter.load(state)) << file;
                    if (best < 0) {
                        const Signal over = turn.next_terminal;
                        ASSERT_FALSE(filter.assume(over) && filter.probe() && choosing <= 1) << file;
                        continue;
                    }
                    ++ends[file];
                    ASSERT_TRUE(filter.assume(turn.at_least(role, best).reached) && filter.probe()) << file;
                    for (std::size_t r = 0; r < good.size(); ++r) {
                        for (gdl::MoveId m = 0; m < good[r].size(); ++m) {
                            if (good[r][m]) {
                                ASSERT_TRUE(filter.is_possible(r, m)) << file;
                            } else if (choosing <= 1) {
                                ASSERT_FALSE(filter.is_possible(r, m)) << file;
                            }
                        }
                    }
                }
            });
        }
    }
    EXPECT_GT(ends.size(), 15U);
}

TEST(Filter, TellsAThresholdThatNoGoalReaches) {
    const gdl::Game game(game_file("tic-tac-toe"));
    const Turn turn(game.machine().network());
    EXPECT_EQ(turn.at_least(0, 101).reached, Network::never);
    EXPECT_EQ(turn.at_least(0, 101).tolerable, !turn.next_terminal);
    EXPECT_EQ(turn.at_least(0, 51).reached, turn.at_least(0, 100).reached);
}

}  // namespace
}  // namespace zermelo::scsp
