// A game with chance solved as a T-stage stochastic CSP (Koriche, Lagrue, Piette and Tabary 2015, section 2) by the
// engines of models with chance. It shares no code with the engines that step through the game, which it is compared
// with. The policy is checked on the model; that the model is the game is not part of this check, so there is no
// certificate for the game.
//
// The search visits a tree of plays: for small games.

#pragma once

#include "solve/problem/problem.hpp"
#include "solve/verdict.hpp"

namespace zermelo {

// Throws Error where the game is no such model, or where plays may be longer than the horizon.
[[nodiscard]] Verdict solve_stages(const Problem& problem, const SolveOptions& options);

}  // namespace zermelo
