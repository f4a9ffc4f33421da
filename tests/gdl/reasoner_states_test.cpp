// The reasoner from one state to the next: what it keeps must not change what it answers.

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "gdl/reasoner/reasoner.hpp"
#include "gdl/syntax/parse.hpp"

namespace zermelo::gdl {
namespace {

Reasoner shipped_reasoner(const std::string& name) {
    return Reasoner(read(ZERMELO_SOURCE_DIR "/games/gdl/" + name));
}

// One reasoner follows plays, where it can go on from the state before; the other is taken elsewhere before each
// question.
TEST(Reasoner, AnswersDoNotDependOnTheStatesBefore) {
    for (const char* name : {"checkers.kif", "othello.kif", "breakthrough.kif", "hex-small.kif",
                             "dice-race.kif", "mastermind.kif", "connect-four.kif", "eight-puzzle.kif"}) {
        SCOPED_TRACE(name);
        Reasoner follows = shipped_reasoner(name);
        Reasoner jumps = shipped_reasoner(name);
        std::vector<Reasoner::State> elsewhere{jumps.initial()};
        Random random(3);
        for (int play = 0; play < 3; ++play) {
            auto state = follows.initial();
            auto same = jumps.initial();
            for (int step = 0; step < 40 && !follows.terminal(state); ++step) {
                Reasoner::Joint joint;
                Reasoner::Joint same_joint;
                for (std::size_t role = 0; role < follows.roles().size(); ++role) {
                    (void)jumps.terminal(elsewhere[random.below(elsewhere.size())]);
                    const auto moves = follows.legal(state, role);
                    const auto same_moves = jumps.legal(same, role);
                    ASSERT_EQ(follows.text(moves), jumps.text(same_moves))
                        << "play " << play << " step " << step;
                    const auto chosen = random.below(moves.size());
                    joint.push_back(moves[chosen]);
                    same_joint.push_back(same_moves[chosen]);
                }
                (void)jumps.goal(elsewhere[random.below(elsewhere.size())], 0);
                ASSERT_EQ(follows.goal(state, 0), jumps.goal(same, 0)) << "play " << play << " step " << step;
                state = follows.next(state, joint);
                same = jumps.next(same, same_joint);
                elsewhere.push_back(same);
                ASSERT_EQ(follows.text(state), jumps.text(same)) << "play " << play << " step " << step;
                ASSERT_EQ(follows.terminal(state), jumps.terminal(same))
                    << "play " << play << " step " << step;
            }
        }
    }
}

// A fact may occur twice in a body, once or twice in a derivation, and under a negation.
TEST(Reasoner, RowsThatOccurTwiceInABodyAreFollowed) {
    Reasoner reasoner(
        parse("(role a) (num 1) (num 2) (num 3) (init (at 1)) (init (at 2))"
              "(<= (pair ?x ?y) (true (at ?x)) (true (at ?y)))"
              "(<= (alone ?x) (true (at ?x)) (num ?y) (not (true (at ?y))))"
              "(<= (legal a (go ?x ?y)) (pair ?x ?y)) (<= (legal a (only ?x)) (alone ?x))"
              "(<= (legal a (set ?x)) (num ?x))"
              "(<= (next (at ?x)) (does a (set ?x)))"
              "(<= (next (at ?x)) (true (at ?x)) (does a (set ?y)) (distinct ?y 3))"
              "(<= terminal (true (at 9))) (goal a 0)",
              "g.kif"));
    const auto after = [&](const Reasoner::State& state, const std::string& move) {
        return reasoner.next(state, {*reasoner.find(move)});
    };
    const auto legal = [&](const Reasoner::State& state) { return reasoner.text(reasoner.legal(state, 0)); };
    const std::string sets = "(set 1)\n(set 2)\n(set 3)";
    auto state = reasoner.initial();
    EXPECT_EQ(legal(state), "(go 1 1)\n(go 1 2)\n(go 2 1)\n(go 2 2)\n(only 1)\n(only 2)\n" + sets);
    state = after(state, "(set 3)");
    EXPECT_EQ(legal(state), "(go 3 3)\n(only 3)\n" + sets);
    state = after(state, "(set 1)");
    EXPECT_EQ(legal(state), "(go 1 1)\n(go 1 3)\n(go 3 1)\n(go 3 3)\n(only 1)\n(only 3)\n" + sets);
    state = after(state, "(set 2)");
    EXPECT_EQ(
        legal(state),
        "(go 1 1)\n(go 1 2)\n(go 1 3)\n(go 2 1)\n(go 2 2)\n(go 2 3)\n(go 3 1)\n(go 3 2)\n(go 3 3)\n" + sets);
}

TEST(Reasoner, AnswersAfterAnErrorAreRight) {
    Reasoner reasoner(
        parse("(role a) (init good) (<= (p 0) (true bad)) (<= (p (s ?x)) (p ?x))"
              "(<= (legal a go) (true good)) (<= (legal a (count ?x)) (p ?x)) (legal a wait)"
              "(<= (next bad) (does a go)) (<= (next good) (does a wait))"
              "(<= terminal (true end)) (goal a 0)",
              "g.kif"));
    const auto good = reasoner.initial();
    const auto bad = reasoner.next(good, {*reasoner.find("go")});
    EXPECT_EQ(reasoner.text(bad), "bad");
    EXPECT_THROW((void)reasoner.legal(bad, 0), Error);
    EXPECT_EQ(reasoner.text(reasoner.legal(good, 0)), "go\nwait");
    EXPECT_THROW((void)reasoner.legal(bad, 0), Error);
    EXPECT_EQ(reasoner.text(reasoner.next(good, {*reasoner.find("wait")})), "good");
}

}  // namespace
}  // namespace zermelo::gdl
