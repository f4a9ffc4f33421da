// Answers whose certificates have been checked.

#pragma once

#include <gtest/gtest.h>

#include "quantified/solve.hpp"
#include "strategy/check/verify.hpp"

namespace zermelo {

inline quantified::Answer certified(const model::Model& model, const quantified::SolveOptions& options = {}) {
    quantified::Answer answer = solve(model, options);
    const strategy::Verification check = verify(model, answer.strategy);
    EXPECT_TRUE(check.valid) << model.name << ": "
                             << (check.counterexample ? check.counterexample->text(model) : "");
    return answer;
}

inline quantified::Verdict verdict(const model::Model& model) { return certified(model).verdict; }

}  // namespace zermelo
