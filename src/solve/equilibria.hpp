// Games in GDL with simultaneous or hidden moves, solved by src/equilibrium.

#pragma once

#include "solve/verdict.hpp"

namespace zermelo {

// Whether the game is for that engine where none was asked for.
[[nodiscard]] bool calls_for_equilibrium(const Problem& problem);

[[nodiscard]] Verdict solve_equilibrium(const Problem& problem, const SolveOptions& options);

// What an engine of this room found, as a verdict; the times are the caller's.
[[nodiscard]] Verdict to_verdict(equilibrium::Solution solution);

// By role and move: how likely the first move of the role is, over all that chance may bring before it.
using FirstMixture = std::vector<std::pair<std::string, Rational>>;
[[nodiscard]] std::array<FirstMixture, 2> first_mixture(const equilibrium::Solution& solution);

// The joint moves that have these names one after another from the start. Throws Error where one is none.
[[nodiscard]] std::vector<gdl::JointMove> joint_moves(const gdl::Game& game,
                                                      const std::vector<std::string>& line);

}  // namespace zermelo
