// Canonical states: one representative for each orbit of states under the symmetries of a game.
//
// The symmetries (automorphisms.hpp) form a group. Two states have the same canonical image if and only if a
// symmetry of the group maps one to the other. A move in a state corresponds to a move in its image, by the
// same symmetry.
//
// Every image has a hash, the sum of random numbers of its fluents (as in Zobrist 1970); the hashes of all
// images are computed side by side, in one pass over the fluents that hold, and the image with the least
// hash is built. Groups of a thousand elements are cheap. Of a larger group only a subgroup is used: states
// that are then told apart may be symmetric, states that are identified always are. Any number of threads
// may ask.

#pragma once

#include "symmetry/automorphisms.hpp"

namespace zermelo::symmetry {

class Canonical {
public:
    static constexpr std::size_t most_symmetries = 1024;  // with the identity

    Canonical() = default;  // every state is its own canonical image
    // Finds the symmetries of the game, or as many as the limits allow.
    explicit Canonical(const gdl::Network& network, const Limits& limits = {});

    [[nodiscard]] std::size_t size() const { return symmetries_.size() + 1; }              // of the group
    [[nodiscard]] const std::vector<Symmetry>& symmetries() const { return symmetries_; }  // no identity
    [[nodiscard]] Hash128 fingerprint() const;  // of what the symmetries do to states

    // Which symmetry leads from a state to its image; 0 is the identity.
    using SymmetryId = std::uint16_t;
    // The state becomes its canonical image.
    SymmetryId canonicalise(gdl::State& state) const;
    // Legal moves, in the order of their numbers, become those of the image.
    void map_moves(SymmetryId by, std::size_t role, std::vector<gdl::MoveId>& moves) const;
    // The image of a move, and the move whose image this is.
    [[nodiscard]] gdl::MoveId image(SymmetryId by, std::size_t role, gdl::MoveId move) const {
        return by == 0 ? move : symmetries_[by - 1U].move[role][move];
    }
    [[nodiscard]] gdl::MoveId preimage(SymmetryId by, std::size_t role, gdl::MoveId move) const {
        return by == 0 ? move : inverse_[by - 1U][role][move];
    }

private:
    std::vector<Symmetry> symmetries_;
    std::vector<std::vector<std::vector<gdl::MoveId>>> inverse_;  // by symmetry, role and move
    std::vector<std::uint64_t> numbers_;  // by fluent and symmetry: the random number of the fluent's image
};

}  // namespace zermelo::symmetry
