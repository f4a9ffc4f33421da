// Horizon: plays of a quantified model that end before its levels do, and what modellers overlook there.
//
// A model has as many levels as its longest play. Where a play is over sooner, whoever is to move has no legal value, and
// so has lost. That is what the last match of Nim asks for, and rarely what other games do: where ∃ has won already, or
// where the last level is one too many, ∃ loses although nothing was played badly. A few random plays show it; where
// they do not, nothing is said. Not for strategic models, whose moves are legal by consistency.

#pragma once

#include <optional>

#include "strategy/rules/model_rules.hpp"

namespace zermelo::strategy {

// A warning with the place of the block, and a remedy. The same model gets the same answer.
[[nodiscard]] std::optional<Error> horizon_warning(const model::Model& model,
                                                   const model::Structure& structure);

}  // namespace zermelo::strategy
