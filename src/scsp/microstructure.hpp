// Microstructure (Jégou 1993) of a micro-SCSP: the symmetries of one turn, read off its constraints
// (Koriche, Lagrue, Piette and Tabary 2016, section 4). The slow reference for symmetry/automorphisms.hpp.
//
// The microstructure is a graph of literals and tuples. A literal is a variable with a value; it is joined
// to its variable, and a tuple to its literals and its constraint. A table shows its forbidden or its
// allowed tuples, whichever are fewer; a constraint that is no table shows the gates it consists of,
// multiplied out (symmetry/normal_form.hpp) unless that is too large.
//
// Colours distinguish the state now, the state next, the moves of each role, chance, goals of different
// value and what different roles see, and literals that are no longer in their domain. A literal of the
// state now is also joined to the same literal of the state next: what happens to a fluent happens to it
// before and after the turn. Nogoods of a state, profiles of moves known to be bad there, are tuples of
// their own.
//
// What is claimed:
// - An automorphism, as a renaming of fluents and moves, maps each turn of the game to a turn, and terminal
//   states to terminal states of the same value: it is a symmetry of the whole game, though found from one
//   turn, because all values of the state are open, and goals and the end of the game are among the
//   variables.
// - `first_state` gives the literals of the initial state their own colour. The group is then that of
//   symmetry::symmetries wherever both see everything. Neither has more than there is, and either may have
//   less: rules that say the same in different words are the same tables, but not the same gates.
// - Two states have the same key exactly if such an automorphism maps one to the other (and nogoods to
//   nogoods), which is to say if the micro-SCSPs with these states are isomorphic: the state is nothing but
//   colours of literals.

#pragma once

#include "scsp/micro_scsp.hpp"
#include "symmetry/automorphisms.hpp"
#include "symmetry/coloured_graph.hpp"

namespace zermelo::scsp {

struct MicrostructureOptions {
    bool first_state = true;  // automorphisms have to keep it
    bool normal_form = true;  // of gates; without it, gates are taken as they stand, which hides symmetries
};

class Microstructure {
public:
    explicit Microstructure(const MicroScsp& micro, const MicrostructureOptions& options = {});

    [[nodiscard]] const symmetry::ColouredGraph& graph() const { return graph_; }

    // Automorphisms that generate the group, as renamings of fluents and moves; without the identity, but
    // one may occur more than once. None when a limit is reached.
    [[nodiscard]] std::vector<symmetry::Symmetry> generators(const Limits& limits = {}) const;

    // Generators of the stabiliser of the state and its nogoods.
    using Nogoods = std::vector<gdl::JointMove>;
    [[nodiscard]] std::vector<symmetry::Symmetry> generators(const gdl::State& state, const Nogoods& nogoods,
                                                             const Limits& limits = {}) const;
    // Nothing when a limit is reached.
    [[nodiscard]] std::optional<Hash128> key(const gdl::State& state, const Nogoods& nogoods = {},
                                             const Limits& limits = {}) const;

private:
    [[nodiscard]] symmetry::ColouredGraph at(const gdl::State& state, const Nogoods& nogoods) const;
    [[nodiscard]] std::vector<symmetry::Symmetry> generators_of(const symmetry::ColouredGraph& graph,
                                                                const Limits& limits) const;

    symmetry::ColouredGraph graph_;
    std::vector<symmetry::Vertex> fluents_;             // by fluent: that it holds now
    std::vector<std::vector<symmetry::Vertex>> moves_;  // by role and move: that it is made
};

}  // namespace zermelo::scsp
