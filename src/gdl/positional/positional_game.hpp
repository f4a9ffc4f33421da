// Positional games (Hales and Jewett 1963; Beck 2008), recognised in the rules: two roles in turn claim the spots of a
// board for good, and the game ends when one of them holds a whole line, or when all spots are claimed. A spot may need
// others to be claimed before it is available, such as the one below it.
//
// Such a game is played on machine words: what each role holds, which spots are available, and where each role would
// complete a line. Recognising it takes nothing on trust. What the fluents mean is guessed from the rules, and then
// proven by three-valued evaluation of the circuits that tell what each move changes, which moves are legal, when the
// game is over and who gets what: for each spot empty, held by one and held by the other, for each pattern of claimed
// spots that availability depends on, and for each way to end. Where a proof fails, the game is none of these.
//
// PositionalGame is shared by threads; each thread has a PositionalStepper (positional_stepper.hpp).

#pragma once

#include <array>
#include <bit>
#include <memory>
#include <optional>

#include "gdl/game.hpp"

namespace zermelo::gdl {

// The spots of a board, a bit each.
using Spots = std::uint64_t;

// Visits the spots from the lowest on.
template <class Visit>
void each_spot(Spots spots, Visit visit) {
    for (; spots != 0; spots &= spots - 1) visit(static_cast<std::size_t>(std::countr_zero(spots)));
}

struct PositionalRules {
    static constexpr std::size_t most_spots = 64;

    // What a spot is in the rules.
    struct Spot {
        std::array<std::uint32_t, 2> stone;  // by role: the fluent that says it holds the spot
        std::optional<std::uint32_t> empty;  // the fluent that says nobody does, if there is one
        std::array<MoveId, 2> move;          // by role: the move that claims it
        Spots needs = 0;                     // must be claimed before it, directly
    };
    // Everything that is no spot depends only on whose turn it is.
    struct Phase {
        std::size_t mover;
        MoveId pass;                                        // the only move of the other role
        std::vector<std::pair<std::uint32_t, bool>> fixed;  // fluents and their values
    };
    using Payoffs = std::array<int, 2>;  // by role

    std::vector<Spot> spots;
    std::array<Phase, 2> phases;              // the first is that of the initial state
    std::array<std::vector<Spots>, 2> lines;  // by role, perhaps none: the game ends when it holds all of one
    std::array<Payoffs, 2>
        line_payoffs;      // by role whose line is complete; of no meaning where it has no lines
    Payoffs full_payoffs;  // all spots are claimed, and no line is complete

    [[nodiscard]] Spots board() const {
        return spots.size() == most_spots ? ~Spots{0} : (Spots{1} << spots.size()) - 1;
    }
};

// Nothing where the game is no positional game of opposite interests, or this cannot be proven.
[[nodiscard]] std::optional<PositionalRules> recognise_positional_game(const Game& game);

}  // namespace zermelo::gdl
