// Chance in FlatZinc: the names under which chance variables and utilities reach src/stochastic.
//
// The reader leaves them in the model as global constraints with names that no engine for quantified models
// knows. An engine that is given such a model therefore refuses it, instead of taking chance for a player.
// Each argument is a list of variables; numbers are constants of the model. Chance variables stand in the
// prefix as if they were ∃.

#pragma once

namespace zermelo::model {

inline constexpr const char* says_chance = "zermelo_chance";  // variable, scope, weights, values of each of
                                                              // the scope
inline constexpr const char* says_owner = "zermelo_owner";    // player, variables
inline constexpr const char* says_worth = "zermelo_worth";    // player, amount, unit: amount / unit for it
inline constexpr const char* says_satisfied = "zermelo_satisfied";  // a Boolean
inline constexpr const char* says_threshold = "zermelo_threshold";  // player, numerator, denominator

}  // namespace zermelo::model
