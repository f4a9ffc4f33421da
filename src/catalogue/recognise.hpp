// What can be seen in a state that is but a set of facts: boards, and the rest. As web/src/board/recognise.ts does it.
//
// A board is made of relations with two coordinates and what lies there: (cell 2 3 x). The hints beside the rules may
// say so (games/gdl/*.hints.json). Otherwise the names of the variables in the rules tell (?column and ?row, ?x and
// ?y), or else the shape of the facts: two arguments that count, beside a third, and no place named twice, or a set of
// pairs of numbers, (square 1 3). Relations over the same coordinates lie on the same board. tests/support/boards.json
// holds what both have to find in the shipped games.

#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdl/game.hpp"

namespace zermelo::catalogue {

// (cell 2 3 x) (control o): the terms that stand one behind the other, as they are written.
[[nodiscard]] std::vector<std::string> terms_in(const std::string& text);
// (cell 2 3 x) in words; an argument with arguments of its own is one word.
[[nodiscard]] std::vector<std::string> words_of(const std::string& fact);

struct BoardLayer {
    std::string relation;
    std::size_t arity = 0;
    std::size_t x = 0;  // places of the coordinates among the arguments, from 0
    std::size_t y = 1;
    std::optional<std::size_t> piece = {};  // of what lies there; otherwise all other arguments

    [[nodiscard]] bool holds(const std::vector<std::string>& fact) const {
        return fact.front() == relation && fact.size() == arity + 1;
    }
    [[nodiscard]] std::string place(const std::vector<std::string>& fact) const {
        return fact[x + 1] + "," + fact[y + 1];
    }
    [[nodiscard]] std::string thing(const std::vector<std::string>& fact) const;
};

struct BoardGrid {
    std::vector<std::string> columns;
    std::vector<std::string> rows;  // from the first
    bool up = true;                 // the first row is below
    int lean = 0;                   // how many half places each row below is further to the right
    bool chequered = false;
    bool points = false;             // the columns are points, along which stones stand one behind the other
    std::vector<BoardLayer> layers;  // the first is the main one
    std::set<std::string> places;    // that exist; a board may have holes
};

[[nodiscard]] std::vector<BoardGrid> recognise_boards(const gdl::Game& game, const nlohmann::json& hints);

}  // namespace zermelo::catalogue
