// Symmetric Boolean functions (Shannon 1949) in a circuit: gates that depend on nothing but how many of some
// nodes hold.
//
// Rules count one thing after the other: so many discs up to this cell, so many up to the next. The chain of
// gates has an order, but the number at its end has not: whether five of sixty-four cells are white does not
// change when the board is rotated. Such a gate is found from its inputs. If A and B depend on how many of a
// set S hold, then "A and not x, or B and x" depends on how many of S and x hold, exactly if A for one more
// is what B is for one less. "Exactly five", "at least five", "an odd number" are all of this kind, however
// the rules arrive at them.

#pragma once

#include <optional>

#include "core/limits.hpp"
#include "gdl/circuit/network.hpp"

namespace zermelo::symmetry {

struct Count {
    std::vector<std::uint32_t> of;  // nodes of the network, ascending
    std::vector<bool> holds;        // by how many of them hold, from none to all: whether the gate does
};

// By gate, from the first: what it counts. Only for sets of at least `least` nodes, and not for conjunctions
// and disjunctions. Fewer when a limit is reached.
[[nodiscard]] std::vector<std::optional<Count>> find_counts(const gdl::Network& network, std::size_t least,
                                                            const Limits& limits = {});

}  // namespace zermelo::symmetry
