// Canonical numbering of a game: which rules it has, whatever its fluents and moves are called.
//
// A server may send the same game with all names scrambled, and then fluents and moves come in another order. The canonical
// form of its coloured graph (McKay and Piperno 2014) has a key that is the same for both, and an order of fluents and moves
// that is the same but for a symmetry of the game. So what was learned about one is known about the other. Roles keep their
// places.
//
// Rules in another order are mostly recognised, too; not where the network is then factored in another way that the normal
// form does not undo.
//
// Where the graph is too large or too hard, names decide: the key then holds for these names only.

#pragma once

#include "gdl/game.hpp"

namespace zermelo::symmetry {

struct RulesForm {
    Hash128 fingerprint;
    std::vector<std::uint32_t> fluents;            // in canonical order
    std::vector<std::vector<gdl::MoveId>> moves;   // by role, in canonical order
    std::vector<std::vector<std::uint32_t>> rank;  // by role and move: its place in this order
    bool by_names = false;                         // names decide
};

[[nodiscard]] RulesForm rules_form(const gdl::Game& game, const Limits& limits = {});

}  // namespace zermelo::symmetry
