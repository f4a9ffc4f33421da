// Unreachable moves and goals: what no play of a game can ever bring about, by relaxed reachability (the delete
// relaxation of Bonet and Geffner 2001).
//
// Grounding collects what may become true if nothing ever became false. A rule for `legal` or `goal` whose head has no
// instance there can never apply. What is reported is certain; what is not reported may still never happen.

#pragma once

#include "gdl/circuit/network.hpp"
#include "gdl/syntax/check.hpp"

namespace zermelo::gdl {

// Warnings about rules of the description, of which `network` was made, in the order of the text.
[[nodiscard]] std::vector<Finding> unreachable(const Description& game, const Network& network);

// The same where the network is still to be made. A note where the limits do not allow that; nothing where the
// description is broken, as its checks tell.
[[nodiscard]] std::vector<Finding> unreachable(const Description& game, const Limits& limits);

}  // namespace zermelo::gdl
