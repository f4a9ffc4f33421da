// Word plan: the network of a game laid out in 64-bit words, so that one instruction serves up to 64 gates.
//
// Superword-level parallelism (Larsen and Amarasinghe 2000) applied to a circuit: gates of one level that read
// the same words are packed into a word of their own, a lane each. What a word needs of another word is a
// transfer: each lane takes one bit of it. A transfer is one shuffle of bits whatever the pattern is, so boards,
// lines and neighbours need not be recognised; they only have to lie in few words. Gates with many inputs are
// reduced by masks instead.
//
// Fluents are ordered by one of their arguments, whichever needs the fewest instructions, so that the bits of a
// board that are read together lie together. Gates that depend
// on the move of one role alone are tables with a row for each move. Gates that only say whether a move is legal
// or a fluent holds next are computed in the words of the legal moves and of the next state.
//
// Packing sorts the gates of a level by the words that they read: linear in the inputs up to sorting.

#pragma once

#include <array>

#include "gdl/circuit/machine.hpp"

namespace zermelo::gdl {

struct WordPlan {
    struct Place {
        std::uint32_t word = 0;
        std::uint32_t bit = 0;
    };
    // A bit that is asked for: the place, and whether its negation is meant.
    struct Bit {
        std::uint32_t word = 0;
        std::uint32_t bit = 0;
        bool negated = false;
        [[nodiscard]] bool in(const std::uint64_t* words) const {
            return ((words[word] >> bit & 1) != 0) != negated;
        }
        friend bool operator==(const Bit&, const Bit&) = default;
    };

    // One bit of the source for each of the lanes; all of these inputs are negated or none is. Lanes outside
    // of `lanes` are not touched; where `whole`, there are none that count.
    struct Transfer {
        std::uint32_t source;
        bool negated;
        bool whole;
        std::uint64_t lanes;
        std::array<std::uint8_t, 64> from;
    };
    // An input word of one lane: no bit of `negative` may be one, and no bit of `positive` zero.
    struct Reduction {
        std::uint32_t lane;
        std::uint32_t source;
        std::uint64_t positive;
        std::uint64_t negative;
    };
    // A word: each lane is the conjunction of its inputs, then flipped, then masked.
    struct Group {
        std::uint32_t word = 0;
        std::uint32_t lanes = 0;  // the first so many count
        std::uint64_t flip = 0;
        std::uint64_t mask = ~std::uint64_t{0};
        bool reduce = false;  // by reductions, in descending order of lanes, and not by transfers
        std::vector<Transfer> transfers;
        std::vector<Reduction> reductions;
    };
    // Groups first … last - 1, computed once, or as a loop: the groups from `atoms` on start out as ones, and
    // all are computed until these do not change any more.
    struct Stage {
        std::uint32_t first;
        std::uint32_t last;
        bool loop = false;
        std::uint32_t atoms = 0;
    };
    // A state into the plan's order; what terminal and goals depend on; the rest that depends on the state alone;
    // the words of the legal moves; what depends on moves; the words of the next state; that state into the
    // order of the network.
    enum Section { enter, outcome, rest, legal, late, next, leave, sections };

    // Where the moves of a role go.
    struct Role {
        std::vector<Bit> move;        // by move: its bit; negated where no gate reads it
        std::uint32_t first_row = 0;  // the words that are a row of the table
        std::uint32_t row_words = 0;
        std::vector<std::uint64_t> rows;  // by move
        std::uint32_t first_legal = 0;    // the words of its legal moves
        std::uint32_t legal_words = 0;
        std::vector<MoveId> order;  // by lane of these words: the move
        bool ascending = true;      // the order is that of the moves
        struct Goal {
            int value;
            Bit holds;
        };
        std::vector<Goal> goals;
        std::vector<Bit> sees;  // as in the network
    };

    std::uint32_t words = 0;
    std::uint32_t state_words = 0;
    std::uint32_t first_entered = 1;  // a state in the order of the network; word 0 is all ones
    std::uint32_t first_left = 0;     // the next state in the order of the network
    std::uint32_t fluent_words = 0;
    std::uint32_t first_fluent = 1;  // the state in the plan's order
    std::uint32_t first_next = 0;    // the next state in the plan's order
    double cost = 0;                 // instructions of the groups that run for every state, about
    std::uint32_t first_output = 0;  // of a query
    Bit terminal;
    std::vector<Role> roles;
    std::vector<Bit> extra;  // for the further signals that were asked for
    std::vector<Group> groups;
    std::array<std::vector<Stage>, sections> stages;
};

// `extra` are further signals of the network that will be asked for; those that depend on the state alone are
// part of the outcome.
[[nodiscard]] WordPlan plan_words(const Network& network, std::span<const Signal> extra = {});

// Nothing but these signals, all of the state alone, in this order from `first_output` on; everything is in the section
// `outcome`. `named` has the same fluents, and tells what they are called.
[[nodiscard]] WordPlan plan_query(const Network& network, const Network& named,
                                  std::span<const Signal> outputs);

}  // namespace zermelo::gdl
