// Symmetries of a game (Schiffel 2010): renamings of fluents and moves that leave the rules and the initial
// state unchanged, found as graph automorphisms.
//
// A game whose rules do not change when its board is rotated has positions that are the same but for a
// rotation. A symmetry maps every state to one that has the same value for each role, and each move to the
// move that leads to the image of the next state. The network in normal form becomes a coloured graph, nauty
// finds the automorphisms of the graph, and each is then checked against the normal form without nauty.
//
// Roles are never exchanged, and the initial state keeps its fluents. A symmetry is a renaming, so a
// rotation of the board is one only if the image of every state is a state: where a state remembers
// something about one side of the board and nothing about the other, it is not.

#pragma once

#include "core/limits.hpp"
#include "gdl/circuit/machine.hpp"

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

// The same for the action of the group on states: no two of them map all fluents alike, and none maps every
// fluent to itself.
[[nodiscard]] std::vector<Symmetry> state_symmetries(const gdl::Network& network, std::size_t most,
                                                     const Limits& limits = {});

// Symmetries that generate the whole group, however large it is; none is the identity. None for a network
// that is too large, or when a limit is reached.
[[nodiscard]] std::vector<Symmetry> generating_symmetries(const gdl::Network& network,
                                                          const Limits& limits = {});

[[nodiscard]] gdl::State image(const Symmetry& symmetry, const gdl::State& state);

}  // namespace zermelo::symmetry
