// The machine, interpreted or compiled, and the reasoner, which share nothing but the parser, side by side along random
// plays.

#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "gdl/game.hpp"
#include "gdl/reasoner/reasoner.hpp"

namespace zermelo::gdl {

inline std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines) all += (all.empty() ? "" : "\n") + line;
    return all;
}

template <class AnyRunner>
std::vector<std::string> legal_texts(const Game& game, AnyRunner& runner, std::size_t role) {
    std::vector<MoveId> moves;
    runner.legal(role, moves);
    std::vector<std::string> texts;
    for (const MoveId m : moves) texts.push_back(game.move_text(role, m));
    return texts;
}

inline MoveId move_named(const Game& game, std::size_t role, const std::string& name) {
    const auto& moves = game.machine().network().moves[role];
    for (MoveId m = 0; m < moves.size(); ++m) {
        if (game.move_text(role, m) == name) return m;
    }
    ADD_FAILURE() << "no move " << name;
    return 0;
}

// Legal moves, next states, ends, goals and percepts, along random playouts.
template <class AnyRunner>
void agree_with_the_reasoner(const Game& game, AnyRunner& runner, int playouts, int most_moves) {
    Reasoner oracle(game.description());
    Random random(7);
    const std::size_t roles = game.machine().roles();
    ASSERT_EQ(oracle.roles().size(), roles);
    for (int playout = 0; playout < playouts; ++playout) {
        State state = game.machine().initial();
        Reasoner::State truth = oracle.initial();
        for (int move = 0; move < most_moves; ++move) {
            runner.load(state);
            ASSERT_EQ(joined(game.facts(state)), oracle.text(truth));
            ASSERT_EQ(runner.terminal(), oracle.terminal(truth));
            for (std::size_t r = 0; r < roles; ++r) {
                const auto goal = oracle.goal(truth, r);
                ASSERT_EQ(runner.goal(r), goal.value_or(runner.goal(r)));
            }
            if (runner.terminal()) break;
            JointMove joint;
            Reasoner::Joint same;
            for (std::size_t r = 0; r < roles; ++r) {
                auto legal = legal_texts(game, runner, r);
                std::sort(legal.begin(), legal.end());
                std::vector<std::string> expected;
                for (const auto term : oracle.legal(truth, r)) expected.push_back(oracle.text(term));
                ASSERT_EQ(joined(legal), joined(expected));
                ASSERT_FALSE(legal.empty());
                const std::string& chosen = legal[random.below(legal.size())];
                joint.push_back(move_named(game, r, chosen));
                same.push_back(*oracle.find(chosen));
            }
            runner.play(joint);
            for (std::size_t r = 0; r < roles; ++r) {
                std::vector<TermId> seen;
                runner.sees(r, seen);
                std::vector<std::string> texts;
                for (const TermId t : seen) texts.push_back(game.text(t));
                std::sort(texts.begin(), texts.end());
                ASSERT_EQ(joined(texts), oracle.text(oracle.sees(truth, same, r)));
            }
            runner.next(state);
            truth = oracle.next(truth, same);
        }
    }
}

inline void agree_with_the_reasoner(const Game& game, int playouts, int most_moves) {
    Runner runner(game.machine());
    agree_with_the_reasoner(game, runner, playouts, most_moves);
}

}  // namespace zermelo::gdl
