// Matrix games: two players with opposite interests choose at the same time (von Neumann 1928).
//
// A saddle point is looked for first. Where there is none, the linear program of the game (Dantzig 1951; Gale,
// Kuhn and Tucker 1951) gives the value and optimal mixtures of both players, in rational numbers.

#pragma once

#include "equilibrium/linear/linear_program.hpp"

namespace zermelo::equilibrium {

struct MatrixGame {
    std::size_t rows = 0;
    std::size_t columns = 0;
    Rationals payoffs;  // of the row player, row by row

    [[nodiscard]] const Rational& at(std::size_t row, std::size_t column) const {
        return payoffs[row * columns + column];
    }
};

struct MatrixSolution {
    Rational value;
    Rationals row;  // probabilities
    Rationals column;
    bool program = false;  // a linear program was solved
    bool exact =
        true;  // otherwise mixtures are those of floating-point numbers, and the value is what the row
               // player's guarantees
};

// Throws LimitReached.
[[nodiscard]] MatrixSolution solve(const MatrixGame& game, const Limits& limits = {},
                                   std::size_t most_bits = longest_fraction);

// Probabilities on a grid of 2^-40 that add up to 1 exactly; what is below 0 counts as 0.
[[nodiscard]] Rationals rounded(const std::vector<double>& weights);
inline constexpr unsigned grid_bits = 40;

}  // namespace zermelo::equilibrium
