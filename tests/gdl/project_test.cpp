// Arguments of which the rules say nothing but a static property are dropped, and nothing else changes.

#include <gtest/gtest.h>

#include "gdl/ground/ground.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/agreement.hpp"

namespace zermelo::gdl {
namespace {

// A million combinations of twenty bits are ready, and nobody asks which. The second rule of `ready` reads others.
constexpr const char* twenty_bits = R"(
    (role a) (bit 0) (bit 1) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (open ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s ?t)
        (bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h) (bit ?i) (bit ?j)
        (bit ?k) (bit ?l) (bit ?m) (bit ?n) (bit ?o) (bit ?p) (bit ?q) (bit ?r) (bit ?s) (bit ?t)
        (true (step 2)))
    (<= (ready ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s)
        (bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h) (bit ?i) (bit ?j)
        (bit ?k) (bit ?l) (bit ?m) (bit ?n) (bit ?o) (bit ?p) (bit ?q) (bit ?r) (bit ?s)
        (not (true (step 1)))
        (open ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s 0))
    (<= (ready ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j ?k ?l ?m ?n ?o ?p ?q ?r ?s)
        (bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h) (bit ?i) (bit ?j)
        (bit ?k) (bit ?l) (bit ?m) (bit ?n) (bit ?o) (bit ?p) (bit ?q) (bit ?r) (bit ?s)
        (true (step 1)))
    (legal a wait)
    (<= (legal a go) (ready 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0))
    (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
    (<= terminal (true (step 4)))
    (goal a 50))";

TEST(Projection, KeepsPropertiesOutOfTheGrounding) {
    const Grounding grounding = ground(parse(twenty_bits, "g.kif"));
    EXPECT_LT(grounding.rule_count, 20U);
    agree_with_the_reasoner(
        Game(parse("(role a) (bit 0) (bit 1) (init (step 1)) (succ 1 2) (succ 2 3)"
                   "(<= (open ?a ?b) (bit ?a) (bit ?b) (true (step 2)))"
                   "(<= (legal a (go ?x)) (open ?x 0)) (legal a wait)"
                   "(<= (legal a (stay ?x)) (bit ?x) (not (open 1 ?x)))"
                   "(<= (legal a (leave ?x)) (number ?x) (not (open 1 ?x))) (number 1) (number 2)"
                   "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
                   "(<= terminal (true (step 3))) (goal a 50)",
                   "g.kif")),
        4, 5);
}

// `open` of a number that is no bit never holds.
TEST(Projection, StillAsksWhetherTheArgumentHasTheProperty) {
    const Game game(parse(
        "(role a) (bit 0) (bit 1) (init s) (<= (open ?a) (bit ?a) (true s)) (value 0) (value 7)"
        "(<= (legal a (go ?x)) (value ?x) (open ?x)) (<= (legal a (stay ?x)) (value ?x) (not (open ?x)))"
        "(<= (next t) (true s)) (<= terminal (true t)) (goal a 0)",
        "g.kif"));
    Runner runner(game.machine());
    runner.load(game.machine().initial());
    auto legal = legal_texts(game, runner, 0);
    std::sort(legal.begin(), legal.end());
    EXPECT_EQ(legal, (std::vector<std::string>{"(go 0)", "(stay 7)"}));
}

TEST(Projection, IsNotMadeWhereRulesDisagree) {
    agree_with_the_reasoner(
        Game(parse("(role a) (small 1) (large 1) (large 2) (init (step 1)) (succ 1 2) (succ 2 3)"
                   "(<= (may ?x) (small ?x) (true (step 1))) (<= (may ?x) (large ?x) (true (step 2)))"
                   "(<= (legal a (go ?x)) (may ?x)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
                   "(<= terminal (true (step 3))) (goal a 50)",
                   "g.kif")),
        4, 5);
}

// Sixty-four million triples of cells.
TEST(Grounding, GivesUpEarlyWhereFarTooManyInstancesAreToBeExpected) {
    std::string rules = "(role a) (init (at 0)) (legal a wait) (<= terminal (true (at 9))) (goal a 0)";
    for (int i = 0; i < 400; ++i) rules += " (cell " + std::to_string(i) + ")";
    rules += R"(
        (<= (next (at ?x)) (cell ?x) (does a wait))
        (<= (pair ?x ?y) (true (at ?x)) (true (at ?y)) (distinct ?x ?y))
        (<= (triple ?x ?y ?z) (pair ?x ?y) (pair ?y ?z) (distinct ?x ?z))
        (<= (next (seen ?x)) (triple ?x ?y ?z) (triple ?z ?u ?x)))";
    try {
        (void)ground(parse(rules, "g.kif"));
        ADD_FAILURE() << "it was grounded";
    } catch (const TooLarge& problem) {
        EXPECT_NE(std::string(problem.what()).find("would exceed"), std::string::npos) << problem.what();
    }
}

}  // namespace
}  // namespace zermelo::gdl
