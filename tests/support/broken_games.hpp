// Descriptions against the specification that can only mean one thing, as public servers send them.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/run.hpp"
#include "support/shipped.hpp"

namespace zermelo {

// A shipped game with a part of its text replaced by what is against the specification.
struct Broken {
    std::string game;
    std::string right;
    std::string wrong;
};

inline std::string read_shipped(const std::string& game) { return read_file(shipped(game)); }
inline std::string broken_text(const Broken& broken) {
    std::string text = read_shipped(broken.game);
    const std::size_t at = text.find(broken.right);
    EXPECT_NE(at, std::string::npos) << broken.right;
    if (at == std::string::npos) return text;
    return text.replace(at, broken.right.size(), broken.wrong);
}

inline const std::vector<Broken>& broken_games() {
    static const std::vector<Broken> all = {
        // Variables of the head that nothing binds.
        {"tic-tac-toe", "(role ?player)\n    (not decided)", "(not decided)"},
        {"tic-tac-toe", "blank))\n    (index ?row)\n", "blank))\n"},
        {"tic-tac-toe", "blank))\n    (index ?row)\n    (index ?column))", "blank)))"},
        {"tic-tac-toe", "(<= (init (cell ?row ?column blank))\n    (index ?row)\n    (index ?column))",
         "(init (cell ?row ?column blank))"},
        {"tic-tac-toe", "    (true (control ?other))\n    (other ?other ?player))\n\n(<= (next",
         "    (not (true (control ?player))))\n\n(<= (next"},
        {"tic-tac-toe", "    (index ?column)\n    (content ?content))", "    (index ?column))"},
        {"tic-tac-toe", "(<= (base (control ?player)) (role ?player))", "(base (control ?player))"},
        {"connect-four", "wait)\n    (role ?player)\n    (not", "wait)\n    (not"},
        {"connect-four", "(role ?player)\n    (not decided)", "(not decided)"},
        {"connect-four", "    (column ?column)\n    (not (filled", "    (not (filled"},
        {"rock-paper-scissors", "(legal ?player ?sign)\n    (role ?player)\n", "(legal ?player ?sign)\n"},
        {"rock-paper-scissors", "50)\n    (true (round 3))\n    (other ?player ?opponent)\n",
         "50)\n    (true (round 3))\n    (not (other ?player ?player))\n    (distinct ?opponent ?player)\n"
         "    (other ?opponent ?some)\n"},
        {"breakthrough-small", "    (column ?column)\n    (starts_in", "    (starts_in"},
        {"monty-hall", "    (true (phase opening))\n    (door ?door)\n", "    (true (phase opening))\n"},
        {"monty-hall", "    (true (phase choosing))\n    (door ?door))\n(<= (legal random",
         "    (true (phase choosing)))\n(<= (legal random"},
        // Negations with a variable that nothing binds.
        {"tic-tac-toe", "(<= terminal (not open))", "(<= terminal (not (true (cell ?row ?column blank))))"},
        {"tic-tac-toe", "(not (marked ?row ?column))", "(not (does ?anybody (mark ?row ?column)))"},
        {"connect-four", "(<= terminal (not possible))", "(<= terminal (not (open ?column ?row)))"},
        {"connect-four", "(not (filled ?column 1))", "(not (true (cell ?column 1 ?anybody)))"},
        {"nim", "(not (touched ?heap))", "(not (does ?player (leave ?heap ?rest)))"},
        {"breakthrough-small", "(not (alive ?other))", "(not (true (cell ?column ?row ?other)))"},
        // base and input of another form.
        {"nim", "(base (heap ?heap ?size))", "(base heap ?heap ?size)"},
        {"nim", "(input ?player wait)", "(input ?player wait 1)"},
        {"connect-four", "(base (cell ?column ?row ?player))", "(base ?player (cell ?column ?row))"},
        {"subtraction", "(base (matches 0))", "(base)"},
        // Stray quotes.
        {"tic-tac-toe", "(role x)", "(role 'x)"},
        {"tic-tac-toe", "(init (control x))", "(init (control \"x\"))"},
        {"subtraction", "(init (matches 13))", "(init '(matches 13))"},
        {"nim", "(role bob)", "(role |bob|)"},
        {"eight-puzzle", "(init (cell 1 3 gap))", "(init (cell 1 3 gap\"))"},
        // No role, or several at once.
        {"tic-tac-toe", "(role x)\n(role o)\n", ""},
        {"nim", "(role alice)\n(role bob)\n", ""},
        {"monty-hall", "(role candidate)\n(role random)\n", ""},
        {"rock-paper-scissors", "(role left)\n(role right)\n", ""},
        {"breakthrough-small", "(role white)\n(role black)\n", "(role white black)\n"},
    };
    return all;
}

}  // namespace zermelo
