// Disjunctive normal form of a network, so that its graph has the symmetries that the rules have.
//
// The network factors long disjunctions by their most frequent input. Which of several equally frequent
// inputs comes first is arbitrary, and so a symmetric board gets a circuit that is not symmetric. Here every
// gate is multiplied out again to a set of terms, each a set of literals; gates with equal sets are one. Two
// circuits of one disjunction then look alike. Terms that another term implies are absorbed (Quine 1955): so a
// function of literals that occur with one sign only has one form, however it was factored. A conjunction
// that would get too many terms is named as a whole, as what it is not: the negation of a long list of lines
// stays the negation of that list. Where even this is too large, a symmetry may be hidden; none is invented.
//
// Gates that count (counting.hpp) would get very many terms; they name what they count, and for which
// numbers they hold.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::symmetry {

using gdl::Signal;

struct NormalForm {
    using Term = std::vector<Signal>;  // all of them hold; sorted by code

    enum class Kind : std::uint8_t { plain, loop_atom, loop_rule, count };
    struct Or {
        std::vector<Term> terms;  // sorted; what is counted, for Kind::count
        Kind kind = Kind::plain;
        // Of Kind::count, by how many of the terms hold: whether this does. The same numbers for the same
        // answers.
        std::uint32_t answers = 0;
    };

    // Signals are about nodes: 0 the constant, fluents and moves as in the network, then disjunctions.
    std::uint32_t first_or = 0;
    std::vector<Or> ors;
    std::vector<Signal> next;                // by fluent
    std::vector<std::vector<Signal>> legal;  // by role and move
    std::vector<std::vector<Signal>> goals;  // by role, as in the network
    std::vector<std::vector<Signal>> sees;   // by role, as in the network
    Signal terminal;

    [[nodiscard]] std::uint32_t nodes() const { return first_or + static_cast<std::uint32_t>(ors.size()); }
};

struct NormalFormOptions {
    std::size_t most_terms = 4096;                     // of a gate; 1 multiplies nothing out
    std::size_t most_literals = std::size_t{1} << 22;  // of all gates
    std::size_t least_counted = 8;  // counts of fewer nodes are multiplied out like everything else
    bool constants = false;  // fluents that their own rules keep as they are at the start are constants
};

// Nothing where it would have too many literals, or a limit is reached.
[[nodiscard]] std::optional<NormalForm> normal_form(const gdl::Network& network,
                                                    const NormalFormOptions& options, const Limits& limits);

}  // namespace zermelo::symmetry
