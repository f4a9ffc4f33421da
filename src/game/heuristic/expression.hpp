// Expressions: static evaluations of GDL states, written by a person as a formula over fluents.
//
//     3 * (cell 2 2 x) - 3 * (cell 2 2 o)
//     count (cell ?c ?r white) - count (cell ?c ?r black)
//     sum (cell ?c ?r white) * ?r + 2 * sum (cell ?c ?r white) * ?c[1: 1, 2: 3, 3: 3, 4: 1]
//
// The grammar, with blanks and comments (from `;` to the end of the line) anywhere between words:
//
//     expression = product { ("+" | "-") product }
//     product    = factor { "*" factor }
//     factor     = "-" factor | number | "(" expression ")" | fluent
//                | "count" fluent | "sum" fluent { "*" weight }
//     weight     = variable [ "[" entry { "," entry } "]" ]
//     entry      = word ":" [ "-" ] number
//
// A fluent is written as in GDL, without regard to case, and has the value 1 when it holds and 0 otherwise.
// After `count` and `sum` it may contain variables, ?c; every fluent of the game that matches counts, a
// variable that occurs twice standing for the same term. A sum weighs each of them: by the number that a
// variable stands for, or by the number that a list has for it, 0 where it has none. Words end at blanks and
// parentheses, so an operator needs a blank after the name of a fluent: `won - lost`.
//
// The expression is the score of one player, its owner; for every other player the score is its negation.

#pragma once

#include "game/heuristic/heuristic.hpp"
#include "gdl/game.hpp"

namespace zermelo::game {

class Expression {
public:
    // Throws Error with line and column; `file` names the text in it.
    Expression(const gdl::Game& game, std::string_view text, const std::string& file = "expression",
               Player owner = 0);

    [[nodiscard]] std::int64_t value(const gdl::State& state) const { return value(root_, state); }
    Score operator()(const gdl::State& state, Player player) const {
        const Score score(value(state));
        return player == owner_ ? score : -score;
    }

private:
    friend class ExpressionReader;

    // A constant and weighted fluents; then, unless it is only these, two operands that are added or
    // multiplied.
    struct Node {
        enum class Kind : std::uint8_t { linear, sum, product };
        struct Part {
            std::uint32_t fluent;
            std::int64_t weight;
        };
        Kind kind = Kind::linear;
        std::int64_t constant = 0;
        std::vector<Part> parts = {};
        std::uint32_t left = 0;
        std::uint32_t right = 0;
    };
    [[nodiscard]] std::int64_t value(std::uint32_t node, const gdl::State& state) const;

    std::vector<Node> nodes_;
    std::uint32_t root_ = 0;
    Player owner_;
};

static_assert(EvaluatesState<Expression>);

}  // namespace zermelo::game
