// Symmetric micro-SCSPs (Koriche et al. 2016, section 4): which states have one micro-SCSP but for the names.
//
// Two micro-SCSPs are symmetric if an automorphism of the microstructure maps one to the other. The microstructure
// of a turn is built once a game; a state is nothing but colours of its literals (scsp/microstructure.hpp).
// There are two filters. The automorphisms of the whole game, found once, give each state a canonical image
// (symmetry/canonical.hpp); this costs microseconds. Then nauty computes a key of the coloured microstructure,
// which is the same for two states exactly if they are symmetric; this also finds symmetries that do not keep the
// initial state, and costs from a millisecond upwards. It stops when a share of the time is used up.
//
// Automorphisms keep roles, goals and the end of the game, so symmetric micro-SCSPs have the same utilities. Of the
// micro-SCSP at hand also moves are symmetric, if an automorphism keeps its state; the solutions that UCB predicts to
// be below the threshold are nogoods in the graph, so that they are symmetric to nogoods alone.

#pragma once

#include "play/mac_ucb/micro_tree.hpp"
#include "scsp/microstructure.hpp"

namespace zermelo::play {

// What nauty needs of a game, made once and used by all players of it.
struct TurnStructure {
    scsp::MicroScsp network;
    scsp::Microstructure graph;
    // Nothing where it would be too large, or a limit was reached.
    [[nodiscard]] static std::unique_ptr<const TurnStructure> make(const GameContext& rules,
                                                                   const Limits& limits);
};

class SymmetricMicros {
public:
    // `structure` may be null: then the automorphisms of the game are all. Both must outlive this.
    SymmetricMicros(const symmetry::Canonical& canonical, const TurnStructure* structure)
        : canonical_(canonical), structure_(structure) {}

    // The state becomes its canonical image.
    symmetry::Canonical::SymmetryId canonicalise(State& state) const {
        return canonical_.canonicalise(state);
    }
    [[nodiscard]] MoveId preimage(symmetry::Canonical::SymmetryId by, std::size_t role, MoveId move) const {
        return canonical_.preimage(by, role, move);
    }
    // The key of the state's microstructure; nothing where nauty is not used, or has no time.
    [[nodiscard]] std::optional<Hash128> key(const State& state, const Deadline& deadline);
    // By move of the role: the least move that is symmetric in this state, which may be itself. Nothing where nauty is
    // not used, or has no time.
    using Nogoods = scsp::Microstructure::Nogoods;
    [[nodiscard]] std::optional<std::vector<MoveId>> representatives(const State& state,
                                                                     const Nogoods& nogoods, std::size_t role,
                                                                     const Deadline& deadline);
    // How many states there are with a symmetric micro-SCSP, this one counted: those that the game's automorphisms
    // reach.
    [[nodiscard]] std::size_t images(const State& state) const;
    [[nodiscard]] bool by_nauty() const { return structure_ != nullptr; }
    [[nodiscard]] bool small() const;  // nauty takes milliseconds
    [[nodiscard]] const symmetry::Canonical& canonical() const { return canonical_; }

private:
    const symmetry::Canonical& canonical_;
    const TurnStructure* structure_;
};

}  // namespace zermelo::play
