// Quantified models in C++: zermelo::model::ModelBuilder. solve(make_problem(builder.build())) solves one.

#pragma once

#include "model/builder.hpp"
#include "model/model.hpp"
#include "quantified/guide/monte_carlo.hpp"
#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"
#include "strategy/follow.hpp"
#include "strategy/format/json.hpp"
