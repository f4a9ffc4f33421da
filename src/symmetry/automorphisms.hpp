// The symmetries of a game: ways to rename fluents and moves that leave the rules and the initial state
// alone.
//
// A game whose rules do not change when its board is turned has positions that are the same but for a turn.
// A symmetry maps every state to one in which each role is worth the same, and each move to the move that
// leads to the image of the next state. The network in normal form becomes a coloured graph, nauty finds the
// automorphisms of the graph, and each is then checked against the normal form without nauty.
//
// Roles are never exchanged. This room knows networks, and nothing of playing or solving.

#pragma once

#include "core/limits.hpp"
#include "gdl/machine.hpp"

namespace zermelo::symmetry {

struct Symmetry {
    std::vector<std::uint32_t> fluent;           // the image of each fluent
    std::vector<std::vector<gdl::MoveId>> move;  // by role, the image of each move
    friend bool operator==(const Symmetry&, const Symmetry&) = default;
};

// The whole group without the identity if it has at most `most` elements, and otherwise a subgroup that has:
// with the identity, the composition of two is always one of them. None for a network that is too large, or
// when a limit is reached.
[[nodiscard]] std::vector<Symmetry> symmetries(const gdl::Network& network, std::size_t most,
                                               const Limits& limits = {});

[[nodiscard]] gdl::State image(const Symmetry& symmetry, const gdl::State& state);

}  // namespace zermelo::symmetry
