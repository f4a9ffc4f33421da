// What the solvers of a turn are compared with: the turns of the machine.

#pragma once

#include <gtest/gtest.h>

#include "all_games.hpp"
#include "scsp/micro_scsp.hpp"

namespace zermelo::scsp {

// The solutions are the joint moves of the machine with its next states. All moves of chance come with each of
// them, once, so that the outcomes are equally likely, as in GDL.
template <class Solver>
void expect_turn_of_machine(const gdl::Game& game, Solver& solver, const gdl::State& state) {
    const auto chance = chance_role(game.machine().network());
    Moves found;
    gdl::Runner now(game.machine());
    gdl::Runner after(game.machine());
    now.load(state);
    std::vector<gdl::MoveId> dice;
    if (chance) now.legal(*chance, dice);
    solver.solve(state, [&](const gdl::JointMove& moves, const auto& outcomes) {
        EXPECT_EQ(outcomes.size(), chance ? dice.size() : 1U);
        for (const auto& outcome : outcomes) {
            gdl::JointMove joint = moves;
            if (chance) joint[*chance] = outcome.chance;
            EXPECT_TRUE(found.emplace(joint, outcome.next).second) << "a solution came twice";
            after.load(outcome.next);
            EXPECT_EQ(outcome.over, after.terminal());
            for (std::size_t r = 0; outcome.over && r < joint.size(); ++r)
                EXPECT_EQ(outcome.goals[r], after.goal(r));
        }
        return true;
    });
    EXPECT_EQ(found, by_machine(game.machine(), state)) << game.description().file;
}

// By the players' moves: the sum of a role's goals over the moves of chance, 100 where the game goes on, and how
// many these are.
using GoalSums = std::map<gdl::JointMove, std::pair<int, int>>;

inline GoalSums goal_sums(const gdl::Machine& machine, std::size_t role, const gdl::State& state) {
    const auto chance = chance_role(machine.network());
    GoalSums sums;
    gdl::Runner after(machine);
    for (const auto& [made, next] : by_machine(machine, state)) {
        gdl::JointMove joint = made;
        if (chance) joint[*chance] = 0;
        after.load(next);
        auto& [sum, count] = sums[joint];
        sum += after.terminal() ? std::max(after.goal(role), 0) : 100;
        ++count;
    }
    return sums;
}

}  // namespace zermelo::scsp
