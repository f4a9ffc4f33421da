// Answers whose certificates have been checked.

#pragma once

#include <gtest/gtest.h>

#include "quantified/solve.hpp"
#include "strategy/verify.hpp"

namespace zermelo {

inline Answer certified(const Model& model, const SolveOptions& options = {}) {
    Answer answer = solve(model, options);
    const Verification check = verify(model, answer.strategy);
    EXPECT_TRUE(check.valid) << model.name << ": "
                             << (check.counterexample ? check.counterexample->text(model) : "");
    return answer;
}

inline Verdict verdict(const Model& model) { return certified(model).verdict; }

}  // namespace zermelo
