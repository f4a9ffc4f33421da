// Resolution of turns with chance or percepts, in every shipped game that has them: the solutions are the joint moves of
// the machine, and the outcomes its next states with their probabilities; also of beliefs, where states are hidden.

#include "play/mac_ucb/resolution.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "games.hpp"
#include "play/mac_ucb/mac_ucb.hpp"

namespace zermelo::play {
namespace {

constexpr double tolerance = 1e-9;
constexpr std::size_t most_joint_moves = 3000;  // of a turn that is looked at
constexpr std::size_t most_states = 8;          // of a belief that is looked at

using Distribution = std::map<State, double>;
using Turns = std::map<JointMove, Distribution>;  // by the seats' moves; that of chance is 0

// What the machine says of a belief: of joint moves that are legal in all its states, the next states. Empty where there
// are too many.
class ByMachine {
public:
    explicit ByMachine(const GameContext& rules) : rules_(rules), info_(rules) {}

    Turns turns(const std::vector<MicroNode::Possible>& belief) {
        std::map<JointMove, double> feasible;
        Turns turns;
        for (const auto& now : belief) {
            info_.load(now.state);
            std::vector<std::vector<MoveId>> legal;
            std::size_t all = 1;
            for (std::size_t r = 0; r < rules_.roles(); ++r) {
                legal.push_back(info_.legal(r));
                all *= legal.back().size();
            }
            if (all > most_joint_moves) return {};
            for (std::size_t number = 0; number < all; ++number) {
                JointMove joint;
                double dice = 1;
                std::size_t left = number;
                for (std::size_t r = 0; r < legal.size(); ++r) {
                    joint.push_back(legal[r][left % legal[r].size()]);
                    left /= legal[r].size();
                    if (rules_.chance(r)) dice = static_cast<double>(legal[r].size());
                }
                State next = now.state;
                info_.load(now.state);
                info_.play(joint, next);
                for (std::size_t r = 0; r < legal.size(); ++r) {
                    if (rules_.chance(r)) joint[r] = 0;
                }
                turns[joint][next] += now.probability / dice;
                feasible[joint] += now.probability / dice;
            }
        }
        std::erase_if(turns, [&](const auto& turn) { return feasible[turn.first] < 1 - tolerance; });
        return turns;
    }

private:
    const GameContext& rules_;
    InfoState info_;
};

// The same, read off a resolved micro-SCSP.
Turns turns_of(const GameContext& rules, const MicroNode& node, const std::vector<MicroNode>& next) {
    InfoState info(rules);
    info.load(node.states.front().state);
    JointMove joint;
    for (std::size_t r = 0; r < rules.roles(); ++r)
        joint.push_back(rules.chance(r) ? 0 : info.legal(r).front());
    Turns turns;
    for (std::size_t s = 0; s < node.solutions.size(); ++s) {
        for (const auto& chooser : node.choosers)
            joint[rules.seats()[chooser.seat]] = chooser.arms[s / chooser.stride % chooser.arms.size()].move;
        for (const auto& outcome : node.outcomes_of(node.solutions[s])) {
            for (const auto& possible : next.at(outcome.child).states)
                turns[joint][possible.state] += outcome.probability * possible.probability;
        }
    }
    return turns;
}

void expect_near(const Turns& found, const Turns& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (const auto& [joint, distribution] : expected) {
        ASSERT_TRUE(found.contains(joint));
        ASSERT_EQ(found.at(joint).size(), distribution.size());
        for (const auto& [state, probability] : distribution) {
            ASSERT_TRUE(found.at(joint).contains(state));
            EXPECT_NEAR(found.at(joint).at(state), probability, tolerance);
        }
    }
}

TEST(Resolution, HasTheTurnsOfTheMachineInEveryGameWithChanceOrPercepts) {
    std::size_t beliefs = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(shipped("")).parent_path())) {
        if (entry.path().extension() != ".kif") continue;
        const Loaded loaded(entry.path().stem().string());
        const GameContext& rules = loaded.rules;
        if (rules.seats().size() == rules.roles() && !rules.hidden()) continue;
        SCOPED_TRACE(entry.path().stem().string());
        const scsp::TurnProgram program(rules.machine(), {}, {.most_work = 100'000});
        Resolution resolution(rules, program, rules.seats().front());
        ByMachine machine(rules);
        InfoState info(rules);
        Random random(5);
        for (int play = 0; play < 10; ++play) {
            std::vector<MicroNode::Possible> now = {{rules.machine().initial(), 1}};
            for (int turn = 0; turn < 100; ++turn) {
                const Turns expected = machine.turns(now);
                MicroNode node{.states = now};
                std::vector<MicroNode> next;
                ASSERT_TRUE(resolution.resolve(node,
                                               [&](MicroNode&& one) {
                                                   next.push_back(std::move(one));
                                                   return static_cast<MicroId>(next.size() - 1);
                                               },
                                               {}));
                if (!node.resolved || expected.empty()) break;
                expect_near(turns_of(rules, node, next), expected);
                if (testing::Test::HasFatalFailure()) return;
                beliefs += now.size() > 1 ? 1 : 0;
                // On along a solution and one of its outcomes, until the game may be over.
                const auto& made = node.solutions[random.below(node.solutions.size())];
                const auto outcomes = node.outcomes_of(made);
                now = next[outcomes[random.below(outcomes.size())].child].states;
                bool over = now.size() > most_states;
                for (const auto& possible : now) {
                    info.load(possible.state);
                    over = over || info.terminal();
                }
                if (over) break;
            }
        }
    }
    EXPECT_GT(beliefs, 100U);
}

}  // namespace
}  // namespace zermelo::play
