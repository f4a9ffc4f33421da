// A game in GDL, solved by the engines for models: thresholds are asked for by bisection until the greatest
// goal that each role can force is known.

#pragma once

#include "solve/verdict.hpp"

namespace zermelo {

[[nodiscard]] Verdict solve_thresholds(const Problem& problem, const SolveOptions& options);

// Quantified search as the options want it; maximises where the model has an objective.
[[nodiscard]] quantified::Answer search_model(const model::Model& model, const SolveOptions& options);

}  // namespace zermelo
