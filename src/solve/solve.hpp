// Solving: text → Problem → Verdict, the one way that every front end takes.
//
//     const Problem problem = read("games/gdl/tic-tac-toe.kif");
//     const Verdict verdict = solve(problem);
//     const Report report = check(problem, verdict.certificate);       // without the solver
//     save("plan.json", problem, verdict.certificate);
//
// Which engines there are for which problems:
//
//     graphs, games in GDL     attractors, alpha_beta, proof_number    game/solve.hpp
//     games in GDL, encoded    quantified, strategic                   threshold_questions.hpp
//     the same, if moves are simultaneous or hidden: equilibrium       equilibria.hpp
//     quantified models        quantified, and the three above         quantified/solve.hpp
//     models with chance       mac, forward_checking                   stochastic/solve.hpp
//     games with chance        value_iteration, expectimax             chance.hpp

#pragma once

#include "solve/check.hpp"
#include "solve/verdict.hpp"

namespace zermelo {

// A limit that is reached is an answer, too: an unknown outcome with its reason. Throws Error where the
// engine that was asked for cannot solve the problem.
[[nodiscard]] Verdict solve(const Problem& problem, const SolveOptions& options = {});

// Throws Error where the engine does not fit rules in this language; what only the rules themselves tell,
// solve() does.
void require_engine(Engine engine, Language language, const std::string& file);

}  // namespace zermelo
