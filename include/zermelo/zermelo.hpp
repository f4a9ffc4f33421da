// Zermelo for embedding programs: write a game, solve it, check and use the strategy.
//
//     zermelo::ModelBuilder game("nim");
//     ...                                                      what model/builder.hpp shows
//     const zermelo::Model model = game.build();
//     const zermelo::Answer answer = zermelo::solve(model);    who wins, and the winner's strategy
//     zermelo::verify(model, answer.strategy).valid            checked without the solver
//
// Everything lives in namespace zermelo. Complaints about what was written are of type zermelo::Error.

#pragma once

#include "core/error.hpp"
#include "model/builder.hpp"
#include "model/model.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/format/json.hpp"
#include "strategy/strategy.hpp"
