// Why a move wins, whatever language the rules are written in (game/explain/explain.hpp).

#pragma once

#include "game/explain/explain.hpp"
#include "solve/problem/problem.hpp"

namespace zermelo {

// Throws Error for models with chance, and where players do not take turns.
[[nodiscard]] game::Explanation explain(const Problem& problem, const game::ExplainOptions& options);

}  // namespace zermelo
