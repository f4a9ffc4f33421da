// Pairing strategies (Hales and Jewett 1963) on boards whose spots open one another, such as columns: a proof, without
// search, that the player on turn completes no line, or that the opponent completes one.
//
// The responder pairs the open spots and answers a claim of one by claiming the other. Two kinds of pairs always allow the
// answer: two spots that are both available, of which the mover gets one at most, and a spot with the one that it opens, of
// which the responder gets the upper one (Allis 1988: baseinverse and claimeven). Where a spot opens another that would
// complete a line of the responder, the mover can never claim the first, and nothing above it matters; if all the rest is
// paired, the mover runs out of other moves and has to (zugzwang; Allis 1988). So the mover fails if each of its lines has
// a spot that it never gets, or both spots of a pair.
//
// Only lines and what opens what are looked at, so this holds for all positional games (positional_game.hpp) in
// which a spot needs one other at most and opens one at most.

#pragma once

#include "gdl/positional/line_table.hpp"

namespace zermelo::gdl {

class Pairing {
public:
    explicit Pairing(const PositionalRules& rules);

    // Do spots open one another in the way that is needed?
    [[nodiscard]] bool applies() const { return applies_; }

    struct Board {
        Spots mover;        // what the player on turn holds
        Spots responder;    // what the other one holds
        Spots completing;   // open spots that would complete a line of the responder
        Spots threatening;  // open spots that would complete a line of the mover
        Spots available;
    };
    // Can the responder play so that the mover completes no line; and, if `completes`, completes one itself? False means
    // that this is not known. No line may be complete, and the mover must have a move.
    [[nodiscard]] bool holds(const Board& board, const LineTable& lines_of_mover,
                             const LineTable& lines_of_responder, bool completes) const;

private:
    // How the responder treats chains of open spots.
    struct Treatment {
        Spots bases = 0;    // available spots that are to be paired with one another
        Spots denied = 0;   // those that the mover never gets
        bool wins = false;  // is there one that the mover has to take in the end, and loses?
    };
    [[nodiscard]] bool works(const Treatment& treatment, const Board& board, const LineTable& lines_of_mover,
                             const LineTable& lines_of_responder, bool completes) const;
    [[nodiscard]] bool holds_by_zugzwang(Treatment treatment, const Board& board,
                                         const LineTable& lines_of_mover, const LineTable& lines_of_responder,
                                         bool completes) const;

    bool applies_ = true;
    bool deep_ = false;  // does any spot open another?
    // By spot, of those above it in its chain:
    std::vector<std::array<Spots, 2>>
        upper_;                         // every second: from the next one on, and from the one after it on
    std::vector<Spots> from_;           // all, and the spot itself
    std::vector<std::uint8_t> height_;  // of the spot in its chain
    Spots odd_ = 0;                     // spots from which on a chain is of odd length
};

}  // namespace zermelo::gdl
