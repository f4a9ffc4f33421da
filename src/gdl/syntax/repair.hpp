// Repair: descriptions that break the specification, but can only mean one thing, are given that meaning.
//
// A variable that occurs in the head of a rule and in no positive literal of its body stands for every value that
// occurs in its place, which sort inference finds (domains.hpp). A negation with a variable that nothing binds holds
// if no value fits (Clark 1978, as provers for GDL read it). Without any `role`, the players are those whose moves are
// given. What was read is noted in Description::repairs; what has no obvious meaning stays, for check() to report.

#pragma once

#include <string>

#include "gdl/syntax/description.hpp"

namespace zermelo::gdl {

// New relations are hidden, and named with `prefix`, which does not occur in the text. Linear in the text, unless
// there is a variable to be bound.
void repair(Description& game, const std::string& prefix);

}  // namespace zermelo::gdl
