// Shipped games with chance made small by editing their rules, so that tests can solve them in no time.

#pragma once

#include <gtest/gtest.h>

#include "gdl/syntax/parse.hpp"
#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo {

inline gdl::Game game_of(const std::string& text, const std::string& name) {
    return gdl::Game(gdl::parse(text, name));
}

// Each part of the text must be there, and is replaced everywhere.
inline std::string edited(std::string text, const std::vector<std::pair<std::string, std::string>>& edits) {
    for (const auto& [from, to] : edits) {
        EXPECT_NE(text.find(from), std::string::npos) << from;
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    }
    return text;
}

// Facts (next_number n n+1) from `first` on are removed.
inline std::string without_numbers(std::string text, int first) {
    for (int n = first;; ++n) {
        const std::string fact = "(next_number " + std::to_string(n) + " " + std::to_string(n + 1) + ")\n";
        const auto at = text.find(fact);
        if (at == std::string::npos) return text;
        text.erase(at, fact.size());
    }
}

inline std::string pig_text(int points) {
    const std::string goal = std::to_string(points);
    return edited(without_numbers(read_file(shipped("pig")), points),
                  {{"(plus ?x ?n 20)", "(plus ?x ?n " + goal + ")"},
                   {"(plus ?x ?m 20)", "(plus ?x ?m " + goal + ")"},
                   {"?player 20)", "?player " + goal + ")"},
                   {"(less ?n 7))", points < 7 ? "(number ?n))" : "(less ?n 7))"}});
}

// Two fruits on each of four trees, and a raven of two pieces.
inline std::string orchard_text() {
    return edited(without_numbers(read_file(shipped("orchard")), 2),
                  {{"(init (fruits ?tree 10))", "(init (fruits ?tree 2))"}, {"(raven 9)", "(raven 2)"}});
}

// EinStein on three by three cells, with three stones each.
inline std::string einstein_text() {
    return edited(without_numbers(read_file(shipped("einstein")), 3),
                  {{"(corner red 5 5)", "(corner red 3 3)"},
                   {"(starts red 3 3 1)\n(starts red 4 1 2)\n(starts red 5 2 2)\n(starts red 6 1 3)\n",
                    "(starts red 3 1 2)\n"},
                   {"(starts blue 1 5 5)\n(starts blue 2 4 5)\n(starts blue 3 3 5)\n(starts blue 4 5 4)\n"
                    "(starts blue 5 4 4)\n(starts blue 6 5 3)\n",
                    "(starts blue 1 3 3)\n(starts blue 2 2 3)\n(starts blue 3 3 2)\n"}});
}

// Can't Stop with two-sided dice, three columns of 1, 3 and 1 steps, of which two win, and six turns.
inline std::string cant_stop_text() {
    return edited(without_numbers(read_file(shipped("cant-stop-small")), 6),
                  {{"(side 3)\n(side 4)\n", ""},
                   {"(top 2 2)\n(top 3 3)\n(top 4 4)\n(top 5 5)\n(top 6 4)\n(top 7 3)\n(top 8 2)\n",
                    "(top 2 1)\n(top 3 3)\n(top 4 1)\n"},
                   {"(<= decided (takes ?player 3))", "(<= decided (takes ?player 2))"},
                   {"(true (turn 60))", "(true (turn 6))"}});
}

// Backgammon on six points with two stones each, two-sided dice, and eight throws.
inline std::string backgammon_text() {
    return edited(without_numbers(read_file(shipped("backgammon-small")), 8),
                  {{"(distinct ?x 12))", "(distinct ?x 6))"},
                   {"(side 3)\n(side 4)\n", ""},
                   {"(amount 3)\n(amount 4)\n(amount 5)\n", ""},
                   {"(ahead black bar 12)", "(ahead black bar 6)"},
                   {"(ahead white 12 off)", "(ahead white 6 off)"},
                   {"(home white 9)\n(home white 10)\n(home white 11)\n(home white 12)\n(home black 1)\n"
                    "(home black 2)\n(home black 3)\n(home black 4)\n",
                    "(home white 5)\n(home white 6)\n(home black 1)\n(home black 2)\n"},
                   {"(init (stones white 1 2))\n(init (stones white 6 3))\n(init (stones black 12 2))\n"
                    "(init (stones black 7 3))\n",
                    "(init (stones white 2 1))\n(init (stones white 4 1))\n(init (stones black 5 1))\n"
                    "(init (stones black 3 1))\n"},
                   {"(true (throw 100))", "(true (throw 8))"},
                   {"off 5)))", "off 2)))"}});
}

// Three pegs in two colours, and three guesses.
inline std::string mastermind_text() {
    return edited(without_numbers(read_file(shipped("mastermind")), 3),
                  {{"(colour blue)\n(colour white)\n", ""}, {"(guesses 6)", "(guesses 3)"}});
}

// Chance hides a number; Alice and Bob guess in turn, and both see what was guessed.
inline const std::string hidden_number = R"(
(role alice) (role bob) (role random)
(player alice) (player bob) (other alice bob) (other bob alice)
(number 1) (number 2) (number 3)
(base hiding)
(<= (base (secret ?n)) (number ?n))
(<= (base (tried ?n)) (number ?n))
(<= (base (control ?p)) (player ?p))
(<= (base (won ?p)) (player ?p))
(<= (input ?p (guess ?n)) (player ?p) (number ?n))
(<= (input ?r noop) (role ?r))
(<= (input random (hide ?n)) (number ?n))
(init hiding)
(init (control alice))
(<= (legal random (hide ?n)) (true hiding) (number ?n))
(<= (legal random noop) (not (true hiding)))
(<= (legal ?p (guess ?n)) (not (true hiding)) (true (control ?p)) (number ?n) (not (true (tried ?n))))
(<= (legal ?p noop) (player ?p) (true hiding))
(<= (legal ?p noop) (not (true hiding)) (true (control ?q)) (other ?q ?p))
(<= (sees ?r (guessed ?p ?n)) (role ?r) (does ?p (guess ?n)))
(<= (next (secret ?n)) (does random (hide ?n)))
(<= (next (secret ?n)) (true (secret ?n)))
(<= (next (tried ?n)) (does ?p (guess ?n)))
(<= (next (tried ?n)) (true (tried ?n)))
(<= (next (control alice)) (true hiding))
(<= (next (control ?p)) (not (true hiding)) (true (control ?q)) (other ?q ?p))
(<= (next (won ?p)) (does ?p (guess ?n)) (true (secret ?n)))
(<= over (true (won ?p)))
(<= terminal over)
(<= (goal ?p 100) (true (won ?p)))
(<= (goal ?p 0) (true (won ?q)) (other ?q ?p))
(<= (goal random 0) over)
)";

}  // namespace zermelo
