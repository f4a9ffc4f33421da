// Well-formedness of a strategy: does it name this model's variables and values, and is it a strategy at all?
//
// Checks everything that can be said node by node, without playing. Readers and the checker run it first.

#pragma once

#include <optional>
#include <string>

#include "model/structure.hpp"
#include "strategy/strategy.hpp"

namespace zermelo::strategy {

// What is wrong with one node, in words: the variable is not in the prefix, a value is not in its domain or
// has two edges, a move of the owner is not exactly one value. Nothing when it is well formed. Children are
// not looked at.
[[nodiscard]] std::optional<std::string> malformed(const model::Model& model,
                                                   const model::Structure& structure, model::Quantifier owner,
                                                   const StrategyNode& node);

// The same for all nodes; moreover the root exists, and children come before their parents.
[[nodiscard]] std::optional<std::string> malformed(const model::Model& model,
                                                   const model::Structure& structure,
                                                   const Strategy& strategy);

}  // namespace zermelo::strategy
