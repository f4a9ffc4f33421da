// Text → Problem → Verdict → check and save: the one way through.
//
//     const zermelo::Problem problem = zermelo::read("tic-tac-toe.kif");
//     const zermelo::Verdict verdict = zermelo::solve(problem);
//     const zermelo::Report report = zermelo::check(problem, verdict.certificate);
//     zermelo::save("plan.json", problem, verdict.certificate);

#pragma once

#include "solve/chance.hpp"
#include "solve/equilibria.hpp"
#include "solve/solve.hpp"
