// The value of a matrix game by the simplex method on a tableau of fractions, with Bland's rule (1977): slow, exact,
// and without anything of src/equilibrium.

#pragma once

#include <optional>

#include "core/format/rational.hpp"

namespace zermelo::equilibrium {

// `payoffs` by row and column, of the row player.
inline Rational oracle_value(const std::vector<Rationals>& payoffs) {
    const std::size_t rows = payoffs.size();
    const std::size_t columns = payoffs.front().size();
    Rational least = payoffs[0][0];
    for (const Rationals& row : payoffs) {
        for (const Rational& one : row) least = std::min(least, one);
    }
    // All payoffs become positive; then the greatest Σ y with B y ≤ 1, y ≥ 0 is 1 / value.
    const Rational shift = 1 - least;
    std::vector<Rationals> tableau(rows + 1, Rationals(columns + rows + 1));
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) tableau[r][c] = payoffs[r][c] + shift;
        tableau[r][columns + r] = 1;
        tableau[r].back() = 1;
    }
    for (std::size_t c = 0; c < columns; ++c) tableau[rows][c] = -1;
    std::vector<std::size_t> basis(rows);
    for (std::size_t r = 0; r < rows; ++r) basis[r] = columns + r;
    while (true) {
        std::size_t enters = 0;
        while (enters < columns + rows && tableau[rows][enters] >= 0) ++enters;
        if (enters == columns + rows) break;
        std::optional<std::size_t> leaves;
        for (std::size_t r = 0; r < rows; ++r) {
            if (tableau[r][enters] <= 0) continue;
            if (!leaves) {
                leaves = r;
                continue;
            }
            const Rational here = tableau[r].back() * tableau[*leaves][enters];
            const Rational there = tableau[*leaves].back() * tableau[r][enters];
            if (here < there || (here == there && basis[r] < basis[*leaves])) leaves = r;
        }
        const std::size_t pivot = leaves.value();
        const Rational by = tableau[pivot][enters];
        for (Rational& one : tableau[pivot]) one /= by;
        for (std::size_t r = 0; r <= rows; ++r) {
            const Rational factor = tableau[r][enters];
            if (r == pivot || factor == 0) continue;
            for (std::size_t c = 0; c < tableau[r].size(); ++c) {
                if (tableau[pivot][c] != 0) tableau[r][c] -= factor * tableau[pivot][c];
            }
        }
        basis[pivot] = enters;
    }
    return 1 / tableau[rows].back() - shift;
}

}  // namespace zermelo::equilibrium
