// What the checker says about a strategy.

#pragma once

#include <gtest/gtest.h>

#include <string>

#include "strategy/check/verify.hpp"

namespace zermelo {

inline std::string refutation(const model::Model& model, const strategy::Strategy& strategy) {
    const strategy::Verification result = verify(model, strategy);
    EXPECT_EQ(result.valid, !result.counterexample.has_value());
    return result.counterexample ? result.counterexample->text(model) : "valid";
}

}  // namespace zermelo
