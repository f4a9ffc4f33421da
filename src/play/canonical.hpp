// Canonical states: one for all states that are the same but for a symmetry of the game.
//
// The symmetries (symmetry/automorphisms.hpp) form a group; a state's canonical image is the least of its
// images, so that symmetric states have the same one. A move in a state is a move in its image, by the same
// symmetry. Any number of threads may ask.

#pragma once

#include "play/scene.hpp"
#include "symmetry/automorphisms.hpp"

namespace zermelo::play {

class Canonical {
public:
    static constexpr std::size_t most_symmetries = 63;

    // Finds the symmetries of the game, or as many as it can in the time.
    explicit Canonical(const Rules& rules, const Limits& limits = {});

    [[nodiscard]] std::size_t size() const { return symmetries_.size() + 1; }  // of the group

    // Which symmetry leads from a state to its image; 0 is the identity.
    using Turn = std::uint8_t;
    // The state becomes its canonical image.
    [[nodiscard]] Turn turn(State& state) const;
    // Legal moves, in the order of their numbers, become those of the image.
    void turn(Turn by, std::size_t role, std::vector<MoveId>& moves) const;
    // The move whose image this is.
    [[nodiscard]] MoveId back(Turn by, std::size_t role, MoveId move) const;

private:
    std::vector<symmetry::Symmetry> symmetries_;
    std::vector<symmetry::Symmetry> inverse_;  // only their moves
};

}  // namespace zermelo::play
