// Linear systems, linear programs and matrix games, exactly.

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "equilibrium/linear/matrix_game.hpp"
#include "simplex_oracle.hpp"

namespace zermelo::equilibrium {
namespace {

Rational random_fraction(Random& random, std::int64_t most) {
    return Rational(random.between(-most, most)) / Rational(random.between(1, most));
}

// Gaussian elimination in fractions; nothing where the matrix is singular.
std::optional<Rationals> eliminated(std::vector<Rationals> matrix, Rationals right) {
    const std::size_t n = matrix.size();
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t pivot = c;
        while (pivot < n && matrix[pivot][c] == 0) ++pivot;
        if (pivot == n) return std::nullopt;
        std::swap(matrix[c], matrix[pivot]);
        std::swap(right[c], right[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == c) continue;
            const Rational factor = matrix[r][c] / matrix[c][c];
            for (std::size_t k = c; k < n; ++k) matrix[r][k] -= factor * matrix[c][k];
            right[r] -= factor * right[c];
        }
    }
    for (std::size_t c = 0; c < n; ++c) right[c] /= matrix[c][c];
    return right;
}

TEST(LinearSystem, HasTheSolutionOfGaussianElimination) {
    int singular = 0;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const auto n = static_cast<std::size_t>(random.between(1, 9));
        const std::int64_t most = random.chance(0.3) ? 1'000'000 : 3;
        std::vector<Rationals> matrix(n, Rationals(n));
        LinearSystem system{std::vector<std::vector<LinearSystem::Entry>>(n), {}};
        for (std::size_t r = 0; r < n; ++r) {
            for (std::size_t c = 0; c < n; ++c) {
                if (!random.chance(0.5)) continue;
                matrix[r][c] = random_fraction(random, most);
                if (matrix[r][c] != 0) system.rows[r].push_back({c, matrix[r][c]});
            }
            system.right.push_back(random_fraction(random, most));
        }
        const auto expected = eliminated(matrix, system.right);
        EXPECT_EQ(solve(system), expected) << "seed " << seed;
        if (!expected) ++singular;
    }
    EXPECT_GT(singular, 20);
    EXPECT_LT(singular, 280);
}

TEST(LinearSystem, OfTooLongASolutionIsGivenUp) {
    LinearSystem system;
    const Rational large = Rational(pow(boost::multiprecision::cpp_int(3), 2000U));
    system.rows = {{{0, large}}};
    system.right = {Rational(1)};
    EXPECT_EQ(solve(system), Rationals{1 / large});
    EXPECT_EQ(solve(system, {}, 1000), std::nullopt);
}

TEST(MatrixGame, HasTheValueOfTheOracle) {
    int programs = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        MatrixGame game{static_cast<std::size_t>(random.between(1, 6)),
                        static_cast<std::size_t>(random.between(1, 6)),
                        {}};
        const std::int64_t most = random.chance(0.5) ? 2 : 40;  // small numbers: many optima
        std::vector<Rationals> payoffs(game.rows);
        for (std::size_t r = 0; r < game.rows; ++r) {
            for (std::size_t c = 0; c < game.columns; ++c) {
                game.payoffs.push_back(random_fraction(random, most));
                payoffs[r].push_back(game.payoffs.back());
            }
        }
        const MatrixSolution solution = solve(game);
        ASSERT_TRUE(solution.exact) << "seed " << seed;
        ASSERT_EQ(solution.value, oracle_value(payoffs)) << "seed " << seed;
        programs += solution.program ? 1 : 0;
        for (std::size_t c = 0; c < game.columns; ++c) {
            Rational mean = 0;
            for (std::size_t r = 0; r < game.rows; ++r) mean += solution.row[r] * game.at(r, c);
            ASSERT_GE(mean, solution.value) << "seed " << seed;
        }
        for (std::size_t r = 0; r < game.rows; ++r) {
            Rational mean = 0;
            for (std::size_t c = 0; c < game.columns; ++c) mean += solution.column[c] * game.at(r, c);
            ASSERT_LE(mean, solution.value) << "seed " << seed;
        }
    }
    EXPECT_GT(programs, 100);
}

TEST(MatrixGame, RoundedProbabilitiesAddUpToOne) {
    for (const std::vector<double>& weights :
         {std::vector<double>{1, 1, 1}, {0, 0}, {-1e-12, 1}, {0.1, 0.2, 0.7}, {5}}) {
        Rational sum = 0;
        for (const Rational& one : rounded(weights)) {
            EXPECT_GE(one, 0);
            sum += one;
        }
        EXPECT_EQ(sum, 1);
    }
}

}  // namespace
}  // namespace zermelo::equilibrium
