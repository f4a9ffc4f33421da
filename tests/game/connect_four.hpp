// Connect Four of any size, as our program writes it.

#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gdl/game.hpp"
#include "gdl/syntax/parse.hpp"
#include "support/run.hpp"

namespace zermelo {

inline gdl::Game connect_four(int columns, int rows, int aligned = 4) {
    const Ran made = run(fmt::format("{} generate connect-four --columns {} --rows {} --aligned {}",
                                     ZERMELO_BINARY, columns, rows, aligned));
    EXPECT_EQ(made.code, 0) << made.err;
    return gdl::Game(gdl::parse(made.out, "connect-four.kif"));
}

}  // namespace zermelo
