#include "scsp/turn_solver.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "gdl/syntax/parse.hpp"
#include "scsp/network/gecode_micro.hpp"
#include "support/published.hpp"
#include "support/random_gdl.hpp"
#include "turns.hpp"

namespace zermelo::scsp {
namespace {

// Of a state that is looked at. The solver and the machine are beside one another with all their next states.
std::size_t most_joint_moves() { return published::everything() ? 100'000 : 2000; }

std::size_t count_joint_moves(gdl::Runner& runner, const gdl::State& state, std::size_t roles) {
    runner.load(state);
    std::size_t count = 1;
    std::vector<gdl::MoveId> legal;
    for (std::size_t r = 0; r < roles; ++r) {
        runner.legal(r, legal);
        count *= legal.size();
    }
    return count;
}

// Games with chance or percepts along a hundred plays, others along a few; with singleton consistency and c_s
// on and off in turn. With ZERMELO_ALL_STEPS set, in every state all four.
TEST(TurnSolver, FindsTheTurnsOfTheMachineInEveryGame) {
    std::size_t number = 0;
    for (const std::string& file : all_games()) {
        if (!published::in_part(number++)) continue;
        const gdl::Game game(file);
        const gdl::Network& network = game.machine().network();
        const bool uncertain =
            chance_role(network) ||
            std::ranges::any_of(network.sees, [](const auto& sees) { return !sees.empty(); });
        const MutexGroups groups = quick_mutex_groups(game.machine());
        const TurnProgram plain(game.machine(), groups, {.singleton = false});
        const TurnProgram prepared(game.machine(), groups, {.most_work = 1'000'000});
        std::vector<std::unique_ptr<TurnSolver>> solvers;
        for (const TurnProgram* program : {&plain, &prepared}) {
            for (const bool first : {false, true}) {
                solvers.push_back(std::make_unique<TurnSolver>(
                    *program, TurnSolverOptions{.thresholds = {}, .stochastic_first = first, .order = {}}));
            }
        }
        gdl::Runner runner(game.machine());
        std::size_t turn = 0;
        std::size_t turns = 0;
        std::size_t too_wide = 0;
        for (std::uint64_t seed = 1; seed <= (uncertain ? 100U : 5U); ++seed) {
            play_at_random(game.machine(), seed, 200, [&](const gdl::State& state) {
                // Every state of the first plays, then some.
                if (++turn % 7 != 0 && seed > 2 && !published::everything()) return;
                if (count_joint_moves(runner, state, network.roles.size()) > most_joint_moves()) {
                    ++too_wide;
                    return;
                }
                ++turns;
                for (std::size_t i = 0; i < solvers.size(); ++i) {
                    if (published::everything() || i == turn % solvers.size())
                        expect_turn_of_machine(game, *solvers[i], state);
                }
            });
            ASSERT_FALSE(HasFailure()) << file << ", seed " << seed;
        }
        if (published::everything())
            std::cout << file << ": " << turns << " turns, " << too_wide << " too wide" << std::endl;
    }
}

TEST(TurnSolver, FindsTheSameOnRandomGames) {
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        const gdl::Game game(gdl::parse(random_gdl(seed), "random.kif"));
        const TurnProgram program(game.machine(), find_mutex_groups(game.machine()));
        TurnSolver solver(program);
        for (std::uint64_t play = 1; play <= 5; ++play) {
            play_at_random(game.machine(), play, 10,
                           [&](const gdl::State& state) { expect_turn_of_machine(game, solver, state); });
        }
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

// Where a state has more joint moves than a table, players are assigned one after the other.
TEST(TurnSolver, DividesATurnThatIsTooLargeForOneTable) {
    std::string rules = "(role a) (role b) (role random) (init start) (<= terminal (not (true start)))";
    for (int i = 0; i < 90; ++i) {
        const std::string n = std::to_string(i);
        rules += "(number " + n + ")";
    }
    rules += R"((<= (legal ?r (take ?n)) (player ?r) (number ?n)) (player a) (player b)
        (legal random heads) (legal random tails)
        (<= (next (has ?r ?n)) (does ?r (take ?n))) (<= (next (coin ?s)) (does random ?s))
        (<= (goal a 100) (true (has a ?n)) (true (has b ?n))) (<= (goal b 50) (true (coin heads)))
        (<= (goal b 0) (true (coin tails))))";
    const gdl::Game game(gdl::parse(rules, "large.kif"));
    const TurnProgram program(game.machine());
    TurnSolver solver(program);
    expect_turn_of_machine(game, solver, game.machine().initial());
    EXPECT_EQ(solver.counts().solutions, 8100U);
}

// The mean over chance, with 100 for games that go on, reaches the threshold; c_s is there before MAC, or not.
TEST(TurnSolver, ForwardCheckingKeepsWhatMayStillBeGoodEnough) {
    std::size_t refused = 0;
    for (const char* name : {"tic-tac-toe", "tic-tac-toe-2x2", "guess-dice", "dice-race", "monty-hall",
                             "matching-pennies", "subtraction", "rock-paper-scissors-once", "kuhn-poker"}) {
        const gdl::Game game(game_file(name));
        const gdl::Machine& machine = game.machine();
        const auto chance = chance_role(machine.network());
        const TurnProgram program(machine, find_mutex_groups(machine));
        for (const int threshold : {1, 30, 50, 67, 100}) {
            for (std::size_t role = 0; role < machine.roles(); ++role) {
                if (role == chance) continue;
                std::vector<double> thresholds(machine.roles(), 0);
                thresholds[role] = threshold;
                TurnSolver with(program, {.thresholds = thresholds, .stochastic_first = true, .order = {}});
                TurnSolver without(program,
                                   {.thresholds = thresholds, .stochastic_first = false, .order = {}});
                for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                    play_at_random(machine, seed, 30, [&](const gdl::State& state) {
                        const GoalSums sums = goal_sums(machine, role, state);
                        std::set<gdl::JointMove> expected;
                        for (const auto& [joint, sum] : sums) {
                            if (sum.first >= threshold * sum.second) expected.insert(joint);
                        }
                        refused += sums.size() - expected.size();
                        for (TurnSolver* solver : {&with, &without}) {
                            std::set<gdl::JointMove> found;
                            solver->solve(state, [&](gdl::JointMove joint, auto) {
                                if (chance) joint[*chance] = 0;
                                return found.insert(joint).second;
                            });
                            ASSERT_EQ(found, expected)
                                << name << ", threshold " << threshold << ", seed " << seed;
                        }
                    });
                }
            }
        }
    }
    EXPECT_GT(refused, 100U);
}

// What is removed does not come, whether before the search or during it; what is left in the domains of the
// next state is what some solution has.
TEST(TurnSolver, RemovedTuplesDoNotComeAndDomainsFollow) {
    for (const char* name :
         {"tic-tac-toe", "rock-paper-scissors", "connect-four-simultaneous", "dice-race"}) {
        const gdl::Game game(game_file(name));
        const TurnProgram program(game.machine(), find_mutex_groups(game.machine()));
        TurnSolver solver(program);
        Random random(7);
        play_at_random(game.machine(), 3, 10, [&](const gdl::State& state) {
            if (!solver.load(state)) return;
            std::vector<gdl::JointMove> all;
            solver.enumerate([&](const gdl::JointMove& joint, auto) {
                all.push_back(joint);
                return true;
            });
            std::set<gdl::JointMove> left(all.begin(), all.end());
            for (const auto& joint : all) {
                if (random.below(2) == 0) continue;
                solver.remove(joint);
                left.erase(joint);
            }
            std::set<gdl::JointMove> found;
            std::set<std::uint32_t> held;
            solver.enumerate([&](const gdl::JointMove& joint, std::span<const Outcome> outcomes) {
                found.insert(joint);
                for (const Outcome& outcome : outcomes) {
                    for (std::uint32_t f = 0; f < game.machine().network().fluents.size(); ++f) {
                        const bool holds = (outcome.next[f / 64] >> (f % 64) & 1) != 0;
                        if (holds) held.insert(f);
                        EXPECT_TRUE(holds ? solver.may_hold_next(f) : solver.may_fail_next(f));
                        if (outcomes.size() == 1) {
                            EXPECT_FALSE(holds ? solver.may_fail_next(f) : solver.may_hold_next(f));
                        }
                    }
                }
                return true;
            });
            EXPECT_EQ(found, left) << name;
            for (std::uint32_t f = 0; f < game.machine().network().fluents.size(); ++f)
                EXPECT_EQ(solver.may_hold_next(f), held.contains(f)) << name << ", fluent " << f;
            // The first one that comes takes the last one out.
            found.clear();
            solver.enumerate([&](const gdl::JointMove& joint, auto) {
                found.insert(joint);
                if (found.size() == 1 && *left.rbegin() != joint) {
                    solver.remove(*left.rbegin());
                    left.erase(std::prev(left.end()));
                }
                return true;
            });
            EXPECT_EQ(found, left) << name;
            EXPECT_GT(solver.counts().propagations, 0U);
        });
    }
}

// The joint moves and next states that Gecode finds in the micro-SCSP.
TEST(TurnSolver, AgreesWithGecodeOnSmallGames) {
    for (const char* name : {"tic-tac-toe-2x2", "guess-dice", "dice-race", "monty-hall", "kuhn-poker",
                             "rock-paper-scissors", "subtraction", "nim"}) {
        const gdl::Game game(game_file(name));
        const MutexGroups groups = find_mutex_groups(game.machine());
        const MicroScsp whole = make_micro_scsp(game, groups);
        const TurnProgram program(game.machine(), groups);
        TurnSolver solver(program);
        play_at_random(game.machine(), 1, 8, [&](const gdl::State& state) {
            std::multiset<gdl::State> ours;
            solver.solve(state, [&](const auto&, std::span<const Outcome> outcomes) {
                for (const Outcome& outcome : outcomes) ours.insert(outcome.next);
                return true;
            });
            MicroScsp micro = whole;
            micro.load(state);
            GecodeMicro root(micro, false);
            Gecode::DFS<GecodeMicro> search(&root);
            std::multiset<gdl::State> theirs;
            while (const std::unique_ptr<GecodeMicro> found{search.next()}) {
                gdl::State next(state.size(), 0);
                const auto values = found->assignment();
                for (VariableId v = 0; v < values.size(); ++v) {
                    const Variable& variable = micro.variables[v];
                    if (variable.kind != Kind::next) continue;
                    const std::uint32_t f = variable.meaning[values[v]];
                    if (f != Variable::nothing) next[f / 64] |= std::uint64_t{1} << (f % 64);
                }
                theirs.insert(next);
            }
            EXPECT_EQ(ours, theirs) << name;
        });
    }
}

std::set<std::string> solutions(const std::string& rules, double threshold) {
    const gdl::Game game(gdl::parse(rules, "example.kif"));
    const TurnProgram program(game.machine(), find_mutex_groups(game.machine()));
    TurnSolver solver(program, {.thresholds = {threshold}, .stochastic_first = true, .order = {}});
    std::set<std::string> found;
    solver.solve(game.machine().initial(), [&](const gdl::JointMove& joint, auto outcomes) {
        EXPECT_EQ(outcomes.size(), 3U);
        return found.insert(game.move_text(0, joint[0])).second;
    });
    return found;
}

// Koriche et al. (2015), examples 1 and 2, as games of one turn: a player chooses both decision variables, and
// chance the third one.
TEST(TurnSolver, SolvesTheExamplesOfThePaper) {
    const std::string turn = R"((role p) (role random) (init open) (value 0) (value 1) (value 2)
        (<= (legal random ?y) (value ?y))
        (<= (next (x ?x)) (does p (choose ?x ?z))) (<= (next (z ?z)) (does p (choose ?x ?z)))
        (<= (next (y ?y)) (does random ?y))
        (<= terminal (not (true open))) (goal random 0)
        (<= (goal p 100) good) (<= (goal p 0) (not good)))";
    // x1 = x2, and 1 where x1 + y >= 1.
    const std::string first = turn + R"((<= (legal p (choose ?x ?x)) (value ?x))
        (<= good (true (x ?x)) (true (y ?y)) (or (distinct ?x 0) (distinct ?y 0))))";
    EXPECT_EQ(solutions(first, 50).size(), 3U);
    EXPECT_EQ(solutions(first, 67), (std::set<std::string>{"(choose 1 1)", "(choose 2 2)"}));
    // x = z, x + y > 1 and y + z > 1, at least 7/10: only x = z = 2.
    const std::string second = turn + R"((<= (legal p (choose ?x ?x)) (value ?x) (distinct ?x 0))
        (over_one 0 2) (over_one 1 1) (over_one 1 2) (over_one 2 0) (over_one 2 1) (over_one 2 2)
        (<= good (true (x ?x)) (true (y ?y)) (true (z ?z)) (over_one ?x ?y) (over_one ?y ?z)))";
    EXPECT_EQ(solutions(second, 70), (std::set<std::string>{"(choose 2 2)"}));
    EXPECT_EQ(solutions(second, 60), (std::set<std::string>{"(choose 1 1)", "(choose 2 2)"}));
}

// Koriche et al. (2016), section 4: three moves of o; after (mark 1 2) chance completes no row or column with
// one of its two moves, after (mark 2 2) with both.
TEST(TurnSolver, SolvesTicTacToeTwoByTwoAgainstChance) {
    const gdl::Game game(game_file("tic-tac-toe-2x2"));
    const TurnProgram program(game.machine(), find_mutex_groups(game.machine()));
    TurnSolver solver(program);
    std::map<std::string, gdl::State> after;
    solver.solve(game.machine().initial(), [&](const gdl::JointMove& joint, auto outcomes) {
        EXPECT_EQ(outcomes.size(), 1U);
        after[game.move_text(0, joint[0])] = outcomes.front().next;
        return true;
    });
    ASSERT_EQ(after.size(), 3U);
    for (const auto& [move, lost] :
         std::map<std::string, int>{{"(mark 1 2)", 1}, {"(mark 2 1)", 1}, {"(mark 2 2)", 2}}) {
        int over = 0;
        ASSERT_TRUE(solver.solve(after.at(move), [&](const auto&, std::span<const Outcome> outcomes) {
            EXPECT_EQ(outcomes.size(), 2U);
            for (const Outcome& outcome : outcomes) over += outcome.over && outcome.goals[0] == 0 ? 1 : 0;
            return true;
        }));
        EXPECT_EQ(over, lost) << move;
    }
}

}  // namespace
}  // namespace zermelo::scsp
