// Stratification (Apt, Blair and Walker 1988): where a relation depends on its own negation, and how to
// remove such a cycle where it is only apparent.
//
// The GDL specification forbids negative cycles between relations. Published games break the letter of that,
// for example with (goal ?r 0) if not (goal ?r 100): the two are different atoms, and no atom depends on its
// own negation (local stratification, Przymusinski 1988). Where every rule for a relation has a constant at
// one place of its head, the relation is split into one for each constant, which makes such a description
// stratified without changing its meaning.

#pragma once

#include <optional>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

// A negative literal of a rule whose relation depends on the rule's head.
struct NegativeCycle {
    std::uint32_t rule;
    std::uint32_t literal;
};

[[nodiscard]] std::vector<NegativeCycle> negative_cycles(const Description& game);

// The description with such relations split, if that removes all negative cycles; the new relations are among
// the hidden ones. Nothing where cycles remain.
[[nodiscard]] std::optional<Description> stratified(const Description& game);

}  // namespace zermelo::gdl
