// Chance in a flat model: how what zermelo.mzn says of chance variables and utilities reaches src/stochastic.
//
// The reader leaves it in the model as constraints with names that no engine for quantified models knows. So
// one that is given such a model refuses it, instead of taking chance for a player. Each argument is a list
// of variables; numbers are constants of the model. Chance variables stand in the prefix as if we chose them.

#pragma once

namespace zermelo::model {

inline constexpr const char* says_chance = "zermelo_chance";  // variable, scope, weights, values of each of
                                                              // the scope
inline constexpr const char* says_owner = "zermelo_owner";    // player, variables
inline constexpr const char* says_worth = "zermelo_worth";    // player, amount, unit: amount / unit for it
inline constexpr const char* says_satisfied = "zermelo_satisfied";  // a Boolean
inline constexpr const char* says_threshold = "zermelo_threshold";  // player, numerator, denominator

}  // namespace zermelo::model
