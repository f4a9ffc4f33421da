// What an engine answers to a question about a model.

#pragma once

#include "stochastic/solve.hpp"

namespace zermelo::stochastic {

inline Answer answer_of(const StochasticModel& model, Engine engine, Question question = Question::solution) {
    SolveOptions options;
    options.engine = engine;
    options.question = question;
    return solve(model, options);
}

}  // namespace zermelo::stochastic
